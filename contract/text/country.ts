import { fold } from './normalize.ts';

/* The only place that reads countries: recognises Spain and its islands however people and programs write them. */

const SPAIN = new Set(
  `es esp spain espana espanya espainia espagne spanien spagna espanha spanje spania hiszpania ispanya hispania espagna spanyolorszag spanelsko
  ispania estado`.split(/\s+/),
);
/** Parts of Spain that some programs list as countries. ISO 3166 reserves IC for the Canary Islands, and EA for Ceuta and Melilla. */
const PARTS: readonly (readonly [RegExp, 'canarias' | 'baleares' | 'ceuta_melilla'])[] = [
  [/^(ic|canarias|canaries|canary|canaria|kanaren|kanarische|canarie|canarien)$/, 'canarias'],
  [/^(baleares|balears|balearic|balearen|baleari|mallorca|menorca|ibiza|eivissa|formentera)$/, 'baleares'],
  [/^(ea|ceuta|melilla)$/, 'ceuta_melilla'],
];
/** Words that can accompany the country's name: «España - Península», «Islas Canarias», «Kingdom of Spain». */
const BESIDE = new Set(
  `islas islands island isole iles inseln illes illas isla peninsula peninsular peninsularia continental mainland reino kingdom regne espanol of the de del d y e and
  las los les`.split(/\s+/),
);

export type Country = { spain: boolean; part?: 'canarias' | 'baleares' | 'ceuta_melilla' };

/** Reads a country; an empty text is Spain. */
export function readCountry(text: string | null | undefined): Country {
  // The flag emoji consists of two regional indicator symbols.
  const written = fold((text ?? '').replaceAll('\u{1f1ea}\u{1f1f8}', ' es ')).replace(/[^\p{L}\p{N}]+/gu, ' ');
  const words = written.trim().split(' ').filter(Boolean);
  if (words.length === 0) return { spain: (text ?? '').trim() === '' || !/\p{L}/u.test(text ?? '') };
  if (words.join('') === '724') return { spain: true };
  const partOf = (word: string) => PARTS.find(([pattern]) => pattern.test(word))?.[1];
  const named = words.filter((word) => !BESIDE.has(word));
  if (named.length === 0) return { spain: words.some((word) => /^peninsula/.test(word)) };
  if (!named.every((word) => SPAIN.has(word) || partOf(word))) return { spain: false };
  const part = named.map(partOf).find(Boolean);
  return part ? { spain: true, part } : { spain: true };
}

/** True for Spain, and for an empty country. */
export const isSpain = (text: string | null | undefined): boolean => readCountry(text).spain;
