import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How an operator calls a command here; a release has its own. */
export const CALL = 'npm run enruta --';

export const { version: VERSION } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
