/** Which words a pronoun can stand for, as far as lists of common words and endings tell. */

/** @import {TextToken} from './text-tokens.js' */

export const wordSet = (/** @type {string} */ text) => new Set(text.split(' '));

/** Pronouns that stand for a word of the text. */
export const standIns = wordSet(
  'he she it they him her them his its their hers theirs himself herself itself themselves who whom whose 他 她 它 们 ' +
    'él ella ellos ellas suyo suya suyos suyas',
);

/** Pronouns that stand for who speaks or is spoken to. */
export const persons = wordSet(
  'i you we me us my your our mine yours ours myself yourself ourselves 我 你 您 ' +
    'yo tú usted ustedes nosotros nosotras mi mis tu tus nos nuestro nuestra nuestros nuestras',
);

/** Words that name something, but never a thing that a pronoun could stand for: adverbs and common forms of verbs. */
const neverNouns = wordSet(
  'now then again never always often still already ever soon once twice even only quite rather really almost perhaps ' +
    'maybe later away together instead however therefore far went came gave took made got forgot knew told became began ' +
    'brought bought said says sat ran kept held wrote grew sold sent lost fell ate drove broke chose spoke wore slept stood ' +
    'built caught taught fought felt met paid led threw drew flew swam sang drank hid rode woke won spent meant heard fed hung ' +
    'better worse faster bigger larger smaller older younger longer 因 所 又 再 才 只 已 更 最 太',
);

/** The endings of most adverbs, and of most past forms and participles. */
const endingsOfOthers =
  /^(?!famil|suppl|assembl|butterf|monopol|anomal).{4,}ly$|^(?!hundred).{2,}[^e]ed$|.{3,}mente$/;

/** Words that stand before a noun. */
const determiners = wordSet(
  'a an the this that my your his her its our their some every el la los las un una mi tu su este esta',
);

/** Words that are followed by a verb. */
const beforeVerbs = wordSet(
  'i he she we they not can could will would shall should may might must yo él ella ellos ellas',
);

/** Words that stand before several. */
const numbers = wordSet('both all two three four five many several few');

const male = 'man boy father dad grandfather brother son uncle nephew husband king prince 爸 父 爷 哥 弟 叔 男 hombre niño chico padre abuelo hermano hijo tío rey'; // prettier-ignore
const female = 'woman girl mother mom mum grandmother sister daughter aunt niece wife queen princess 妈 母 奶 姐 妹 姑 姨 女 mujer niña chica madre abuela hermana hija tía reina'; // prettier-ignore
const times =
  'morning noon afternoon evening night midnight day week month year hour minute second moment time today tomorrow ' +
  'yesterday monday tuesday wednesday thursday friday saturday sunday january february march april may june july ' +
  'august september october november december spring summer autumn winter days weeks months years hours minutes ' +
  '早 晚 天 年 月 日 时 mañana tarde noche día semana mes año hora minuto momento hoy ayer';

const things =
  'wind storm rain snow sun moon sea lake river mountain hill wall house home room door window floor roof table chair bed ' +
  'box bag hat coat shirt ring head hand foot face hair book letter paper picture story song film game race ball medal ' +
  'saw knife key phone radio clock computer car train bus boat ship bridge road street city town country school church ' +
  'hospital office shop market garden tree flower field forest stone fire water bread cake soup food lunch dinner money ' +
  'price job work war peace law news idea question answer problem plan word world life way 风 雨 雪 书 车 门 窗 树 花 山 河 海 路';

/** Nouns that some pronouns never stand for. */
const misfits = [
  {pronouns: 'he him his himself 他 él ellos', nouns: `${female} ${times} ${things}`},
  {pronouns: 'she her hers herself 她 ella ellas', nouns: `${male} ${times} ${things}`},
  {pronouns: 'who whom whose', nouns: `${times} ${things}`},
  {pronouns: 'it its itself 它', nouns: `${male} ${female}`},
].map(({pronouns, nouns}) => ({pronouns: wordSet(pronouns), nouns: wordSet(nouns)}));

/** Pronouns that stand for several, and those that stand for one thing. */
const ofSeveral = wordSet('they them their theirs themselves ellos ellas');
const ofOneThing = wordSet('it its itself');
const ofOnePerson = wordSet('he him his himself she her hers herself');

/** Pronouns that stand for the word right before them. */
const ofNeighbour = wordSet('who whom whose');

/** Words for several that do not say so by their ending, and words for a group. */
const plurals = wordSet('people children men women police mice feet teeth geese');
const groups = wordSet(
  'sheep fish family team crowd class group couple company government staff everyone everybody someone somebody anyone ' +
    'anybody nobody',
);

/** Whether a word names several. @param {string} text */
const isPlural = (text) => plurals.has(text) || /[^siu]s$/.test(text);

/**
 * Whether it is worth asking if a pronoun stands for a word that comes before it.
 *
 * @param {readonly TextToken[]} tokens
 * @param {number} query  the pronoun
 * @param {number} at  the word
 */
export function canStandFor(tokens, query, at) {
  if (at >= query) return false;
  const [pronoun, noun] = [tokens[query].text, tokens[at].text];
  const fits = !misfits.some(({pronouns, nouns}) => pronouns.has(pronoun) && nouns.has(noun));
  const isNear = !ofNeighbour.has(pronoun) || tokens.slice(at + 1, query).every(({text}) => text === ','); // prettier-ignore
  return fits && isNear && isNoun(tokens, at) && agreeInNumber(tokens, pronoun, at);
}

/**
 * Whether a word can be a noun. One with an object after it, such as “plays the piano”, is a verb, and so is one after
 * “she”.
 *
 * @param {readonly TextToken[]} tokens
 * @param {number} at
 */
function isNoun(tokens, at) {
  const [before, after] = [-1, 1].map((by) => tokens[at + by]?.text ?? '');
  const isVerb = (determiners.has(after) && !determiners.has(before)) || beforeVerbs.has(before);
  return !isVerb && !neverNouns.has(tokens[at].text) && !endingsOfOthers.test(tokens[at].text);
}

/**
 * Whether a word can be one or several as its pronoun is. “Anna and Tom” are two, “Anna, and he” are not.
 *
 * @param {readonly TextToken[]} tokens
 * @param {string} pronoun
 * @param {number} at
 */
function agreeInNumber(tokens, pronoun, at) {
  const {text} = tokens[at];
  if (ofOneThing.has(pronoun)) return !isPlural(text);
  if (ofOnePerson.has(pronoun)) {
    // Names such as Thomas end as several do.
    const before = tokens[at - 1]?.text ?? '';
    return !(isPlural(text) && (determiners.has(before) || numbers.has(before)));
  }
  const isOfPair = [-1, 1].some((by) => {
    const other = tokens[at + 2 * by]?.text ?? '';
    return tokens[at + by]?.text === 'and' && !standIns.has(other) && !persons.has(other);
  });
  return !ofSeveral.has(pronoun) || isPlural(text) || groups.has(text) || isOfPair;
}
