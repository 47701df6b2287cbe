import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Prefix of operator commands; the release build replaces it. */
export const CALL = 'npm run enruta --';

export const { version: VERSION } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
