/** A change inside an SQL template: `text` stands from `from` to `to` of the template instead. */
type SqlChange = { from: number; to: number; text: string };
type Token = { at: number; end: number; text: string; depth: number };

const COMPARISONS: Record<string, string[]> = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
  '=': ['<>'],
  '<>': ['='],
};
/** Instead of a looser comparison for an age, which is equal to its bound for no microsecond that a test could choose. */
export const TURNED_ORDER: Record<string, string> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };
/** Words before which a condition ends. */
const ENDS =
  /^(?:AND|OR|GROUP|ORDER|LIMIT|RETURNING|HAVING|WHERE|THEN|ELSE|END|WHEN|FOR|UNION|JOIN|LEFT|CROSS|INNER|ON|AS|SET|FROM|SELECT|OFFSET|,|;|`)$/;

/** Words, numbers, signs and brackets of a template. A `${…}` is one token `$`, a string one token. */
function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /'(?:[^']|'')*'|\$\{|[A-Za-z_][\w.]*|\d[\d.]*|<=|>=|<>|!=|::|[^\s\w]/g;
  let depth = 0;
  for (let match = pattern.exec(template); match; match = pattern.exec(template)) {
    const [text] = match;
    const at = match.index;
    if (text === '${') pattern.lastIndex = endOfHole(template, at);
    if (text === ')') depth -= 1;
    tokens.push({ at, end: pattern.lastIndex, text: text === '${' ? '$' : text, depth });
    if (text === '(') depth += 1;
  }
  return tokens;
}

/** End of the `${…}` that begins at `start`; nested templates and brackets are skipped. */
function endOfHole(template: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < template.length; at += 1) {
    if (template[at] === '{') depth += 1;
    if (template[at] === '}' && --depth === 0) return at + 1;
  }
  return template.length;
}

/** Index of the token that ends the condition that begins at token `first`. */
function endOfCondition(tokens: readonly Token[], first: number): number {
  const { depth } = tokens[first] ?? { depth: 0 };
  let cases = 0;
  for (let at = first; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.depth < depth) return at;
    if (token.depth > depth) continue;
    if (token.text === 'CASE') cases += 1;
    if (cases === 0 && ENDS.test(token.text) && !isBetween(tokens, at)) return at;
    if (token.text === 'END' && cases > 0) cases -= 1;
  }
  return tokens.length;
}

/** True for the AND of `BETWEEN a AND b`. */
function isBetween(tokens: readonly Token[], and: number): boolean {
  if (tokens[and]?.text !== 'AND') return false;
  const { depth } = tokens[and];
  for (let at = and - 1; at >= 0; at -= 1) {
    const { text, depth: level } = tokens[at]!;
    if (level < depth || (level === depth && /^(?:AND|WHERE|OR|ON)$/.test(text))) return false;
    if (level === depth && text === 'BETWEEN') return true;
  }
  return false;
}

/** True for a comparison with the clock of the database. */
function isAge(tokens: readonly Token[], at: number): boolean {
  const { depth } = tokens[at]!;
  const isEnd = ({ text, depth: level }: Token) => level < depth || (level === depth && ENDS.test(text));
  const sides = tokens.slice(tokens.slice(0, at).findLastIndex(isEnd) + 1, endOfCondition(tokens, at + 1));
  return sides.some(({ text }, i) => text === 'now' && sides[i + 1]?.text === '(');
}

/** Returns the small faults of a template of SQL, its backticks included: a condition less, an edge or a number moved, a bound taken out. */
export function sqlFaults(template: string): SqlChange[] {
  // Any number makes a lock of its own.
  if (/hashtextextended|pg_advisory/.test(template)) return [];
  const tokens = tokensOf(template);
  const changes: SqlChange[] = [];
  const slice = (from: number, to: number) => template.slice(tokens[from]!.at, tokens[to]?.at ?? template.length).trimEnd();
  let isCondition = !tokens.some(({ text }) => text === 'SELECT' || text === 'UPDATE' || text === 'INSERT');
  for (const [at, { text, at: from, end: to }] of tokens.entries()) {
    if (/^(?:WHERE|ON|AND|OR|WHEN|HAVING|FILTER|SELECT)$/.test(text)) isCondition = true;
    if (text === 'SET') isCondition = false;
    const end = endOfCondition(tokens, at + 1);
    const until = (tokens[end - 1]?.end ?? to) as number;
    if (text === 'AND' && !isBetween(tokens, at) && at > 1) changes.push({ from, to: until, text: '' });
    if (text === 'WHERE' && end > at + 1) changes.push({ from, to: until, text: 'WHERE true' });
    if (isCondition) {
      const others = TURNED_ORDER[text] && isAge(tokens, at) ? [TURNED_ORDER[text]] : (COMPARISONS[text] ?? []);
      for (const other of others) changes.push({ from, to, text: other });
    }
    if (/^\d+$/.test(text)) changes.push({ from, to, text: String(Number(text) + 1) });
    if (/^(?:least|greatest|coalesce)$/.test(text) && tokens[at + 1]?.text === '(') {
      const close = tokens.findIndex((token, i) => i > at + 1 && token.text === ')' && token.depth === tokens[at + 1]!.depth);
      const commas = tokens.flatMap((token, i) =>
        i > at && i < close && token.text === ',' && token.depth === tokens[at + 1]!.depth + 1 ? [i] : [],
      );
      if (close < 0 || !commas.length) continue;
      const parts = [at + 1, ...commas].map((before, i) => slice(before + 1, commas[i] ?? close));
      for (const part of text === 'coalesce' ? parts.slice(0, 1) : parts)
        if (!/^\d+$/.test(part)) changes.push({ from, to: tokens[close]!.end, text: part });
    }
  }
  return changes;
}
