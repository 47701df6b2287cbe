import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Prefix of operator commands; the release build replaces it. */
export const CALL = 'npm run enruta --';

const ROOT = join(import.meta.dirname, '../..');

/** Version with the commit of the build, like `0.2.0+90bfd78c`. Without a commit if neither release nor checkout names one. */
export const VERSION = releaseVersion(ROOT);

export function releaseVersion(root: string, env: NodeJS.ProcessEnv = process.env): string {
  // In a release, the version in package.json already contains the commit.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const commit = env.ENRUTA_COMMIT?.slice(0, 8) || commitOf(root);
  return version.includes('+') || !commit ? version : `${version}+${commit}`;
}

function commitOf(root: string): string | undefined {
  if (!existsSync(join(root, '.git'))) return undefined;
  try {
    const git = ['-c', `safe.directory=${root}`, '-C', root, 'rev-parse', '--short=8', 'HEAD'];
    return execFileSync('git', git, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
