/* The first answers of the API, which the server puts into the page (server/kit/first-answers.ts). */

/** Milliseconds after the page's start until which its answers count as new. */
const FRESH_MS = 30_000;

let answers: Record<string, unknown> | undefined;

const read = (): Record<string, unknown> => JSON.parse(document.getElementById('respuestas')?.textContent ?? '{}');

/** Returns the page's answer of this address, once; undefined if there is none or the page is old. */
export function takeFirstAnswer(address: string): unknown {
  answers ??= read();
  const answer = performance.now() < FRESH_MS ? answers[address] : undefined;
  delete answers[address];
  return answer;
}

/** Drops all answers of the page: a write may change them, and another person may sign in. */
export function forgetFirstAnswers(): undefined {
  answers = {};
}
