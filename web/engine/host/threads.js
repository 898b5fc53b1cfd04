/** What only workers that share passes load, whichever of them they are. */

export {Helper} from './helper.js';
export {Team} from './team.js';
