import ts from 'typescript-5';
import { sqlFaults, TURNED_ORDER } from './sql-faults.ts';

/** A small change of a source: `text` stands from `start` to `end` instead of `was`. `isPlaced`: a function runs it, not the module as it loads. */
export type Change = { start: number; end: number; was: string; text: string; line: number; isPlaced: boolean };

const LOOSER: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const TURNED: Record<string, string> = { ...TURNED_ORDER, '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
/** Links of a chain that narrow or order what the rest of the chain returns. */
const NARROWING = new Set(['where', 'whereRef', 'having', 'filter', 'sort', 'toSorted', 'orderBy', 'slice']);
/** Locks matter to two acts at once (test/pairs.test.ts); an endpoint less is no small fault. */
const NO_STATEMENT = /^lock|^sql`LOCK\b|\.lock\b|forUpdate|^(?:route|pagoPage)$/;
const OPPOSITE = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);
/** Comparisons that Kysely takes as a word. */
const OPERATORS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '=': '!=', '!=': '=' };

const isExit = (node: ts.Statement): boolean =>
  ts.isBlock(node)
    ? node.statements.length > 0 && isExit(node.statements.at(-1)!)
    : ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node);

/** A default for the compiler alone: the one row of a query without FROM, or of an aggregate, is always there. */
const IS_FOR_TYPES = /^rows\[0\]\?\.\w+ \?\? (?:\d+|''|false)$/;

/** Words for people and programmers, of which no behaviour hangs: logs, errors, descriptions, types; looks of a sheet. */
function isSkipped(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && IS_FOR_TYPES.test(node.getText())) return true;
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'width') return true;
  // How much is done at once: any size will do. Who asks for the first row reads no second.
  if (ts.isVariableDeclaration(node) && /^(?:BATCH|AT_ONCE)$/.test(node.name.getText())) return true;
  if (ts.isNumericLiteral(node) && /\.limit\(1\)$/.test(node.parent.getText())) return true;
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return true;
  if (ts.isThrowStatement(node)) return true;
  if (!ts.isCallExpression(node)) return false;
  // What a lock covers matters to two acts at once.
  return /^(?:log|console|lock\w*)\b|\blog\.\w+$|\.(?:describe|meta)$/.test(node.expression.getText());
}

/** Link of a chain whose removal widens or disorders what the chain returns. */
function narrowingLink(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  return NARROWING.has(node.expression.name.text) ? node.expression.expression : undefined;
}

/** What the expression `node` could be instead. */
function replacements(node: ts.Node): string[] {
  const text = (part: ts.Node) => part.getText();
  if (ts.isBinaryExpression(node)) {
    const [left, operator, right] = [text(node.left), text(node.operatorToken), text(node.right)];
    const isLoop = [ts.SyntaxKind.ForStatement, ts.SyntaxKind.WhileStatement, ts.SyntaxKind.DoStatement].includes(node.parent.kind);
    if (operator === '??') return [left];
    if (operator === '&&' || operator === '||') return [left, right];
    // Dates and numbers: what is taken off is forgotten.
    if (operator === '-') return [left];
    return [LOOSER[operator], isLoop ? undefined : TURNED[operator]].flatMap((other) => (other ? `${left} ${other} ${right}` : []));
  }
  if (ts.isConditionalExpression(node)) return [text(node.whenTrue), text(node.whenFalse)];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) return [text(node.operand)];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isNumericLiteral(node)) {
    const value = Number(text(node).replaceAll('_', ''));
    return value > 1 && Number.isInteger(value) ? [String(value + 1), String(value - 1)] : [String(value + 1)];
  }
  if (ts.isStringLiteral(node) && node.parent && ts.isCallExpression(node.parent) && OPERATORS[node.text])
    return [`'${(node.parent.getText().includes('now()') && TURNED[node.text]) || OPERATORS[node.text]}'`];
  if (!ts.isCallExpression(node)) return [];
  const call = text(node.expression);
  if (call === 'Math.min' || call === 'Math.max')
    return node.arguments.filter((part) => !ts.isNumericLiteral(part) && !ts.isSpreadElement(part)).map(text);
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: chain, name } = node.expression;
  const opposite = OPPOSITE.get(name.text);
  return opposite ? [`${text(chain)}.${opposite}(${node.arguments.map(text).join(', ')})`] : [];
}

/** Replaced as a whole, an operand of a larger expression keeps its place with brackets. */
const bracketed = (node: ts.Node, text: string) => (ts.isExpression(node) && /[^\w.'()[\]]/.test(text) ? `(${text})` : text);

/** Parts of a statement that may be taken out, and what stands there instead. */
function withoutGuard(node: ts.Node): { part: ts.Node; text: string }[] {
  if (ts.isIfStatement(node)) {
    if (isExit(node.thenStatement)) return [{ part: node.expression, text: 'false' }];
    return node.elseStatement ? [] : [{ part: node.expression, text: 'true' }];
  }
  // A call for its effect alone.
  if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    return ts.isCallExpression(call) && !isSkipped(call) && !NO_STATEMENT.test(call.expression.getText())
      ? [{ part: node, text: ';' }]
      : [];
  }
  return [];
}

/** Reasons of `// equivalent <change>: <reason>`, by line and change. The mark stands on the line, or alone on the one before. */
function equivalents(source: string): Map<number, string[]> {
  const marks = new Map<number, string[]>();
  for (const [at, line] of source.split('\n').entries()) {
    const [, code = '', change] = /^(.*)\/\/ equivalent (.+?): \S/.exec(line) ?? [];
    if (!change) continue;
    const place = code.trim() ? at + 1 : at + 2;
    marks.set(place, [...(marks.get(place) ?? []), change.replaceAll('`', '')]);
  }
  return marks;
}

const parse = (path: string, source: string) =>
  ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);

export const shortened = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Returns every small fault of a source, in its order, and apart those that a mark calls equivalent. */
export function smallFaults(path: string, source: string): { faults: Change[]; equivalent: Change[] } {
  const file = parse(path, source);
  const found = new Map<string, Change>();
  const add = (start: number, end: number, text: string) => {
    const was = source.slice(start, end);
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    if (was !== text)
      found.set(`${start} ${end} ${text}`, { start, end, was, text, line, isPlaced: placeOf(file, start, end) !== undefined });
  };
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    for (const text of replacements(node)) add(node.getStart(), node.end, bracketed(node, text));
    const chain = narrowingLink(node);
    if (chain) add(chain.end, node.end, '');
    for (const { part, text } of withoutGuard(node)) add(part.getStart(), part.end, text);
    if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText())) {
      const start = node.template.getStart();
      for (const { from, to, text } of sqlFaults(node.template.getText())) add(start + from, start + to, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const marks = equivalents(source);
  const isMarked = ({ line, text }: Change) => (marks.get(line) ?? []).some((change) => (shortened(text) || 'nothing') === change);
  const all = [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  return { faults: all.filter((change) => !isMarked(change)), equivalent: all.filter(isMarked) };
}

/** The source with the change made. */
export const changed = (source: string, { start, end, text }: Change) => source.slice(0, start) + text + source.slice(end);

/** Returns the source with `probe(i)` called where the fault `i` of `changes` stands; a fault that runs as the module loads gets none. */
export function withProbes(path: string, source: string, changes: readonly Change[], probe: (at: number) => string): string {
  const file = parse(path, source);
  const inserts: { at: number; text: string }[] = [];
  for (const [i, { start, end }] of changes.entries()) {
    const place = placeOf(file, start, end);
    if (!place) continue;
    const isValue = ts.isExpression(place);
    inserts.push({ at: place.getStart(), text: isValue ? `(${probe(i)}, ` : `${probe(i)}; ` });
    if (isValue) inserts.push({ at: place.end, text: ')' });
  }
  let code = source;
  for (const { at, text } of inserts.sort((a, b) => b.at - a.at)) code = code.slice(0, at) + text + code.slice(at);
  return code;
}

/** Innermost statement of a function, or body of an arrow, that holds the range. */
function placeOf(file: ts.SourceFile, start: number, end: number): ts.Node | undefined {
  let place: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (node.getStart() > start || node.end < end) return;
    const { parent } = node;
    if (parent && ts.isArrowFunction(parent) && parent.body === node && !ts.isBlock(node)) place = node;
    const isListed = parent && (ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent)) && ts.isStatement(node);
    if (isListed) place = node;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return place;
}
