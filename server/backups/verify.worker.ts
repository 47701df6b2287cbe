import { readBack } from './verify.ts';
import { workFor } from './worker.ts';

await workFor(readBack);
