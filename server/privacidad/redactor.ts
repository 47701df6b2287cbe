import { ruleOfField } from './inventory.ts';

/** Words that replace a name. Must not change, because migrations compare with them. */
export const ANONIMIZADO = 'Cliente anonimizado';
export const BLOQUEADO = 'Cliente bloqueado';
export type Replacement = typeof ANONIMIZADO | typeof BLOQUEADO;

export const redactedMark = (replacement: Replacement): string =>
  replacement === ANONIMIZADO ? '(texto anonimizado)' : '(texto bloqueado)';

const LETTERS: Readonly<Record<string, string>> = { a: 'aáàäâã', e: 'eéèëê', i: 'iíìïî', o: 'oóòöôõ', u: 'uúùüû', n: 'nñ', c: 'cç' };
const plain = (letter: string) => letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns a pattern that matches `value` with any accents and spacing, and a telephone in any grouping. */
function patternOf(value: string): string {
  const digits = value.replace(/\D/g, '');
  if (digits.length >= 6 && /^[+\d\s().-]+$/.test(value)) return [...digits.slice(-9)].join('[\\s().-]*');
  return value
    .trim()
    .split(/\s+/)
    .map((word) => [...word].map((letter) => letterOf(letter)).join(''))
    .join('\\s+');
}
const letterOf = (letter: string) => {
  const known = LETTERS[plain(letter)];
  return known ? `[${known}]` : letter.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
};

const inHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns a function that replaces these values with `replacement` where they are whole words. */
export function createRedactor(values: readonly string[], replacement: Replacement): (text: string) => string {
  const texts = [...new Set(values.flatMap((value) => [value.trim(), inHtml(value.trim())]))].filter(Boolean);
  if (texts.length === 0) return (text) => text;
  // Longest first: «Ana Pérez López» before «Ana Pérez».
  const parts = texts.toSorted((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:\\+34\\s*|0034\\s*)?(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return (text) => text.replace(pattern, replacement);
}

/** Redacts a JSON value by the rule of each field; strings without a rule go through `redact`. */
export function redactJson(value: unknown, redact: (text: string) => string, replacement: Replacement, field = ''): unknown {
  const rule = ruleOfField(field);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact, replacement, field));
  if (typeof value === 'string') {
    if (rule === 'nombre') return replacement;
    if (rule === 'vacio') return '';
    if (rule === 'nulo') return null;
    return rule === 'queda' ? value : redact(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (rule === 'nulo') return null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactJson(item, redact, replacement, name)]));
}

export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactTexts(item, redact)]));
}
