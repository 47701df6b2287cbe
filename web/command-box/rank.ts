import { matches, plain } from '../ui/list/local-list.ts';

export const ELSEWHERE = 2;
/** Orders matches: at the beginnings of words, within them, elsewhere (an order that only mentions the word). */
export function rankOf(query: string, text: string): number {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u);
  const begins = plain(query)
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)));
  return begins ? 0 : matches(query, text) ? 1 : ELSEWHERE;
}
