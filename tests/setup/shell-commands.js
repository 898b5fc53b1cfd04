/** Finds the programs that a shell script starts, without running it. */

const KEYWORDS = new Set(
  'if then elif else fi while until do done esac { } ! time'.split(' '), // A command may follow each of these.
);
const ARGUMENTS_FOLLOW = new Set(['for', 'case', 'select', 'in', '[[', 'function']);
/** The arguments of these commands are a command themselves. */
const PREFIXES = new Set(
  'exec command env nice sudo xargs timeout nohup setsid chroot unshare flock'.split(' '),
);

/**
 * @param {string} script
 * @returns {Set<string>} Names and absolute paths, without the script's own functions and the values of variables.
 */
export function shellCommands(script) {
  const functions = new Set([...script.matchAll(/^\s*([\w-]+)\s*\(\)/gm)].map(([, name]) => name));
  // A runner is a function of the script that runs its arguments.
  const runners = new Set(
    [...script.matchAll(/^([\w-]+) *\(\) *\{\n([^]*?)\n\}/gm)].flatMap(([, name, body]) =>
      /(^|[\s!])"\$@"/.test(body) ? [name] : [],
    ),
  );
  const reader = new ScriptReader(runners);
  reader.scan(script.replace(/<<-?\s*(['"]?)(\w+)\1[^]*?\n\s*\2(?=\n|$)/g, ''), 0, '');
  for (const name of functions) reader.commands.delete(name);
  return reader.commands;
}

/** Collects the commands of a script. */
class ScriptReader {
  /** @type {Set<string>} */
  commands = new Set();
  #runners;

  /** @param {Set<string>} runners */
  constructor(runners) {
    this.#runners = runners;
  }

  /**
   * Reads commands up to an end, which is `)` or the end of the text.
   * @param {string} text
   * @param {number} at
   * @param {string} end
   * @returns {number} The position after the end.
   */
  scan(text, at, end) {
    let state = /** @type {'command' | 'prefixed' | 'arguments'} */ ('command');
    /** Possible commands of the present statement; a `)` shows that they are patterns of a `case`. @type {string[]} */
    let found = [];
    const settle = () => {
      for (const name of found) this.commands.add(name);
      found = [];
    };
    while (at < text.length) {
      const character = text[at];
      if (text.startsWith('\\\n', at)) at += 2;
      else if (character === '\n' || text.startsWith(';;', at)) {
        settle();
        state = 'command';
        at += character === '\n' ? 1 : 2;
      } else if (/\s/.test(character)) at++;
      else if (character === '#') at = skipTo(text, at, '\n');
      else if (character === ')') {
        if (end === ')') {
          settle();
          return at + 1;
        }
        found = [];
        state = 'command';
        at++;
      } else if (character === '(') {
        at = this.scan(text, at + 1, ')');
      } else if (/[;&|]/.test(character)) {
        state = 'command';
        at++;
      } else if (/^\d*(>|<(?!\())/.test(text.slice(at, at + 4))) {
        // The target of a redirection is not a command.
        at += /** @type {RegExpMatchArray} */ (text.slice(at).match(/^\d*[<>]+&?\s*/))[0].length;
        if (!/[\n;|&)]/.test(text[at] ?? '')) at = this.#readWord(text, at).at;
      } else {
        const word = this.#readWord(text, at);
        at = word.at;
        state = this.#next(word, state, found);
      }
    }
    settle();
    return at;
  }

  /**
   * @param {{literal: string, isExpanded: boolean, isQuoted: boolean}} word
   * @param {'command' | 'prefixed' | 'arguments'} state
   * @param {string[]} found
   */
  #next({literal, isExpanded, isQuoted}, state, found) {
    if (state === 'arguments') return state;
    if (!isQuoted && KEYWORDS.has(literal)) return 'command';
    if (ARGUMENTS_FOLLOW.has(literal)) return 'arguments';
    if (/^\w+(\[.*\])?\+?=/.test(literal)) return state;
    // An unquoted variable may be empty, or a prefix such as sudo.
    if (isExpanded) return isQuoted && state === 'command' ? 'arguments' : state;
    if (state === 'prefixed' && (/^[-\d]/.test(literal) || isQuoted)) return state;
    if (PREFIXES.has(literal) || this.#runners.has(literal)) {
      found.push(literal);
      return 'prefixed';
    }
    if (/^[\w./+-]+$/.test(literal) && !isQuoted) found.push(literal);
    return 'arguments';
  }

  /** @param {string} text @param {number} at */
  #readWord(text, at) {
    let literal = '';
    let isExpanded = false;
    let isQuoted = false;
    while (at < text.length && !/[\s;&|)]/.test(text[at])) {
      const character = text[at];
      if (character === '\\') {
        literal += text[at + 1] ?? '';
        at += 2;
      } else if (character === "'") {
        const close = skipTo(text, at + 1, "'");
        literal += text.slice(at + 1, close);
        isQuoted = true;
        at = close + 1;
      } else if (character === '"') {
        at = this.#readQuoted(text, at + 1);
        isExpanded = isQuoted = true;
      } else if (character === '$') {
        at = this.#readExpansion(text, at);
        isExpanded = true;
      } else if (character === '(') {
        // An array `=(…)` is skipped. A function's `name()` is empty, and `<(…)` contains commands.
        if (literal.endsWith('=')) at = skipTo(text, at, ')') + 1;
        else at = this.scan(text, at + 1, ')');
      } else {
        literal += character;
        at++;
      }
    }
    return {literal, isExpanded, isQuoted, at};
  }

  /** @param {string} text @param {number} at */
  #readQuoted(text, at) {
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\') at += 2;
      else if (text[at] === '$') at = this.#readExpansion(text, at);
      else at++;
    }
    return at + 1;
  }

  /** @param {string} text @param {number} at The position of the dollar sign. */
  #readExpansion(text, at) {
    if (text.startsWith('$((', at)) return skipTo(text, at, '))') + 2;
    if (text[at + 1] === '(') return this.scan(text, at + 2, ')');
    if (text[at + 1] === "'") return skipTo(text, at + 2, "'") + 1;
    if (text[at + 1] !== '{') return at + 2;
    for (at += 2; at < text.length && text[at] !== '}';) {
      if (text[at] === '$') at = this.#readExpansion(text, at);
      else if (text[at] === '"') at = this.#readQuoted(text, at + 1);
      else at++;
    }
    return at + 1;
  }
}

/** @param {string} text @param {number} at @param {string} what */
function skipTo(text, at, what) {
  const found = text.indexOf(what, at);
  return found < 0 ? text.length : found;
}
