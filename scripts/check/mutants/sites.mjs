/** Finds the places of a source where one small change makes a mutant. */

import ts from 'typescript';

/**
 * @typedef {object} Site
 * @property {string} file
 * @property {number} line From 1.
 * @property {number} start Where the changed text begins.
 * @property {number} end
 * @property {'constant' | 'comparison' | 'sign' | 'statement'} kind
 * @property {string} from The text of the source.
 * @property {string} to The mutant's text.
 */

/** @type {Record<string, string>} */
const COMPARISONS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
};

/** @type {Record<string, string>} */
const SIGNS = {'+': '-', '-': '+', '+=': '-=', '-=': '+=', '++': '--', '--': '++'};

/** A neighbour of a constant: the next whole number, or twice a number that is none. @param {string} literal */
function otherConstant(literal) {
  const [, digits, suffix] = literal.match(/^([\d.]+(?:e[-+]?\d+)?)([a-z]*)$/i) ?? [];
  if (digits === undefined) return null;
  const value = Number(digits);
  if (/^\d+$/.test(digits)) return `${value + 1}${suffix}`;
  const doubled = String(value === 0 ? 1 : value * 2);
  return `${/[.e]/.test(doubled) ? doubled : `${doubled}.0`}${suffix}`;
}

/** @param {string} file @param {string} text @returns {Site[]} */
export const sitesOf = (file, text) =>
  file.endsWith('.js') ? javascriptSites(file, text) : cppSites(file, text);

/** @param {string} file @param {string} text */
function javascriptSites(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  /** @type {Site[]} */
  const sites = [];
  /** @param {ts.Node} node @param {Site['kind']} kind @param {string | null} to */
  const add = (node, kind, to) => {
    const start = node.getStart();
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    if (to !== null) sites.push({file, line, start, end: node.end, kind, from: node.getText(), to});
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent))
      add(node, 'constant', otherConstant(node.text));
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'constant', 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'constant', 'true');
    else if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText();
      const other = COMPARISONS[operator] ?? (joinsTexts(node) ? undefined : SIGNS[operator]);
      const [left, right] = [node.left.getText(), node.right.getText()];
      if (other)
        add(node, operator in COMPARISONS ? 'comparison' : 'sign', `${left} ${other} ${right}`);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
      add(node, 'sign', node.operand.getText());
    else if (ts.isExpressionStatement(node) && canBeLeftOut(node.expression))
      add(node, 'statement', ';');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

/** @param {ts.BinaryExpression} node */
const joinsTexts = ({left, right}) =>
  [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));

/** @param {ts.Expression} expression */
const canBeLeftOut = (expression) =>
  !ts.isStringLiteralLike(expression) &&
  !(ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword);

/**
 * The formatter puts spaces around the operators of two operands, and none around the brackets of
 * templates; so text is enough to tell them apart.
 *
 * @param {string} file
 * @param {string} text
 */
function cppSites(file, text) {
  /** @type {Site[]} */
  const sites = [];
  const code = withoutComments(text);
  let start = 0;
  for (const [index, line] of code.split('\n').entries()) {
    const changes = /^\s*(#|static_assert|using|template|namespace)/.test(line)
      ? []
      : cppChanges(line);
    for (const {kind, column, length, to} of changes) {
      const [from, end] = [start + column, start + column + length];
      const site = {file, line: index + 1, start: from, end, kind};
      sites.push({...site, from: text.slice(from, end), to});
    }
    start += line.length + 1;
  }
  return sites;
}

/** @param {string} line @returns {(Pick<Site, 'kind' | 'to'> & {column: number, length: number})[]} */
function cppChanges(line) {
  /** @type {ReturnType<typeof cppChanges>} */
  const changes = [];
  /** @param {Site['kind']} kind @param {RegExp} pattern @param {(from: string) => string | null} change */
  const add = (kind, pattern, change) => {
    for (const match of line.matchAll(pattern)) {
      const to = change(match[1]);
      const column = match.index + match[0].indexOf(match[1]);
      if (to !== null) changes.push({kind, column, length: match[1].length, to});
    }
  };
  add('constant', /(?<![\w.])(\d[\d.]*(?:e[-+]?\d+)?[fuz]*)(?![\w.])/gi, otherConstant);
  add('constant', /\b(true|false)\b/g, (value) => (value === 'true' ? 'false' : 'true'));
  add('comparison', / (<=?|>=?|==|!=) /g, (operator) => COMPARISONS[operator]);
  add('sign', / (\+|-|\+=|-=) /g, (operator) => SIGNS[operator]);
  add('sign', /(?:[(,=] ?|return )(-)(?=[\w(])/g, () => '');
  const statement = line.match(
    /^\s+([\w:]+(?:(?:\.|->)\w+|\[[^;]*?\]|\([^;]*\))* ?(?:[-+*/|&]?= [^;]+)?;)$/,
  );
  if (
    statement &&
    !/^(return|break|continue|using|else|default)\b/.test(statement[1]) &&
    isBalanced(statement[1])
  )
    changes.push({
      kind: 'statement',
      column: line.indexOf(statement[1]),
      length: statement[1].length,
      to: ';',
    });
  return changes;
}

/** @param {string} text */
const isBalanced = (text) => text.split('(').length === text.split(')').length;

/** Replaces comments and the insides of texts by spaces, so that places stay where they are. @param {string} text */
const withoutComments = (text) =>
  text.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])'/g, (match) =>
    match.replace(/[^\n]/g, '_'),
  );
