import { workerData } from 'node:worker_threads';
import { readBack, type Suspect } from './verify.ts';
import { workFor } from './worker.ts';

const suspect = workerData as Suspect;
await workFor(suspect.path, (advance) => readBack(suspect, advance));
