import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * `npm run api15 [-- server/pedidos …]`: runs the API suite on the oldest supported PostgreSQL, if this machine has it.
 * TEST_POSTGRES_BIN can name the folder of `initdb`. Not part of `npm test`, because the run takes too long.
 */
const FOUND = [
  process.env.TEST_POSTGRES_BIN,
  '/usr/lib/postgresql/15/bin',
  '/usr/pgsql-15/bin',
  '/opt/homebrew/opt/postgresql@15/bin',
  '/usr/local/opt/postgresql@15/bin',
].find((folder) => folder && existsSync(`${folder}/initdb`));

if (!FOUND) {
  console.log('SKIPPED: this machine has no PostgreSQL 15 (Debian: postgresql-15). TEST_POSTGRES_BIN says where its initdb is.');
  process.exit(0);
}
console.log(`API on the PostgreSQL of ${FOUND}`);
const { status } = spawnSync('vitest', ['run', '--project', 'api', '--project', 'machine', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_POSTGRES_BIN: FOUND },
});
process.exit(status ?? 1);
