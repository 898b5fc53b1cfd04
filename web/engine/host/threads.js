/** Only workers that share passes load this part: the one that asks for help, and those that help. */

export {Helper} from './helper.js';
export {Team} from './team.js';
