import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Copies a data folder and keeps the files' owners, which PostgreSQL checks. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  execFileSync('cp', ['-a', `${from}/.`, to]);
}
