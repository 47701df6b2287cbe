import { matches, plain } from '../ui/list/local-list.ts';

export const ELSEWHERE = 2;
/** Ranks a match: 0 if every typed word begins a word of the text, 1 if the letters are within, ELSEWHERE if the text lacks them. */
export function matchRank(query: string, text: string): number {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u);
  const begins = plain(query)
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)));
  return begins ? 0 : matches(query, text) ? 1 : ELSEWHERE;
}
