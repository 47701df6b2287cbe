import { sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';

const MAX_DELAY_SECONDS = 15 * 60;

/**
 * Counts failed sign-ins per account and IP address together, per address and per account. The pair is blocked
 * after the setting `maxLoginAttempts`, an address after five times as many and an account after ten times as
 * many, so that locking out somebody else is not cheap. The delay doubles up to 15 minutes.
 */
const keysOf = (account: string, ip: string) => [
  { key: `par|${account}|${ip}`, factor: 1 },
  { key: `ip|${ip}`, factor: 5 },
  { key: `cuenta|${account}`, factor: 10 },
];

/** Throws 429 with Retry-After (seconds) while any of the three keys is blocked. */
export async function refuseIfBlocked(db: Db, account: string, ip: string): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS seconds FROM login_attempts
    WHERE key IN (${sql.join(keysOf(account, ip).map((k) => k.key))}) AND blocked_until > now()`.execute(db);
  const seconds = rows[0]?.seconds;
  if (!seconds) return;
  const wait = seconds < 60 ? `${seconds} segundos` : `${Math.ceil(seconds / 60)} minutos`;
  throw new DomainError(429, `Demasiados intentos. Vuelve a probar dentro de ${wait}.`, { headers: { 'retry-after': String(seconds) } });
}

/** Counts a failure; the count restarts after a day without one. */
export async function countFailure(db: Db, account: string, ip: string, maxAttempts: number): Promise<void> {
  for (const { key, factor } of keysOf(account, ip)) {
    const limit = maxAttempts * factor;
    await sql`
      INSERT INTO login_attempts AS a (key, failures) VALUES (${key}, 1)
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN a.last_at < now() - interval '1 day' THEN 1 ELSE a.failures + 1 END,
        last_at = now(),
        blocked_until = CASE WHEN a.last_at >= now() - interval '1 day' AND a.failures + 1 >= ${limit}
          THEN now() + make_interval(secs => least(${MAX_DELAY_SECONDS}::float, 30 * power(2, least(a.failures + 1 - ${limit}, 10)))) END`.execute(
      db,
    );
  }
}

/** Clears the failures of the account from this address, after a successful sign-in. */
export async function forgetFailures(db: Db, account: string, ip: string): Promise<void> {
  const [pair] = keysOf(account, ip);
  if (pair) await db.deleteFrom('login_attempts').where('key', '=', pair.key).execute();
}

/** Unblocks an account for every address. */
export async function unblock(db: Db | Tx, account: string): Promise<void> {
  await db
    .deleteFrom('login_attempts')
    .where((eb) => eb.or([eb('key', '=', `cuenta|${account}`), eb(sql`starts_with(key, ${`par|${account}|`})`, '=', true)]))
    .execute();
}

/** Deletes expired failures. */
export async function forgetOldFailures(db: Db): Promise<void> {
  await sql`DELETE FROM login_attempts WHERE last_at < now() - interval '2 days'`.execute(db);
}
