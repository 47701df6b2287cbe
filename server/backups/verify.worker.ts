import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from './failure.ts';
import { readBack, type Said, type Suspect } from './verify.ts';

const port = parentPort;
if (!port) throw new Error('runs only as a worker');

const suspect = workerData as Suspect;
const say = (said: Said) => port.postMessage(said);
await readBack(suspect, (hechas, total) => say({ hechas, total })).then(
  (verificacion) => say({ verificacion }),
  (error: unknown) => say({ problem: failureOf(error, dirname(suspect.path)) }),
);
