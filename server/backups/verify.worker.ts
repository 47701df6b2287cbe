import { parentPort, workerData } from 'node:worker_threads';
import { restoreElsewhere, type Suspect, type Verdict } from './verify.ts';

const port = parentPort;
if (!port) throw new Error('runs only as a worker');

const problem = await restoreElsewhere(workerData as Suspect).then(
  () => undefined,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
port.postMessage({ problem } satisfies Verdict);
