import { afterEach, beforeEach, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Keys of tests that fail without a fault. */
    unsound: string[];
  }
  interface TaskMeta {
    /** Numbers of the faults whose place the test has passed. */
    reached?: number[];
  }
}

/* Setup of `npm run mutants`: notes which faults a test passes, and runs no test more once one has noticed the fault. */

const passed = new Set<number>();
Object.assign(globalThis, { passFault: (at: number) => passed.add(at) });
const unsound = new Set(inject('unsound'));
let hasNoticed = false;

beforeEach((context) => {
  if (hasNoticed) context.skip();
});

afterEach(({ task }) => {
  // What happened before the first test of a file counts for that test.
  task.meta.reached = [...passed];
  passed.clear();
  if (task.result?.state === 'fail' && !unsound.has(`${task.file.name} ${task.fullTestName}`)) hasNoticed = true;
});
