/* What the drawn documents share. */

// The built-in fonts of a PDF cover Windows-1252; other Latin letters lose their accent: «Mădălina» becomes «Madalina».
const UNDRAWABLE = /[^\u0020-\u007e\u00a0-\u00ffŒœŠšŸŽž€–—‘’“”…•\n]/gu;
const PLAIN: Record<string, string> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', ħ: 'h', Ħ: 'H' };
const plain = (sign: string) => PLAIN[sign] ?? sign.normalize('NFD').replace(/\p{M}/gu, '').replace(UNDRAWABLE, '?');

/** Text that the built-in fonts can draw (decision 066). */
export const drawable = (text: string): string => text.normalize('NFC').replace(UNDRAWABLE, plain);

let last: Promise<unknown> = Promise.resolve();
/** Runs one drawing at a time, since each takes a thread. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work);
  last = turn.catch(() => {});
  return turn;
}
