import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';

const MAX_DELAY_SECONDS = 15 * 60;
/** Failures per account, from all addresses. The counter decays over an hour, so about 40 passwords can be tried in the first hour. */
const PER_ACCOUNT = 20;
/** Failures per address, which may be an office or an untrusted proxy. */
const PER_ADDRESS = 100;

/** An attempt: account (`triedAccount`), address, and browser if it has signed in to the account before. */
export type Trier = { account: string; ip: string; device: string | undefined };

/** Key of an account: its id, or for an unknown name a keyed hash, because the name may be a password. */
export const triedAccount = (user: { id: string } | undefined, name: string, secretKey: string): string =>
  user?.id ??
  createHmac('sha256', secretKey)
    .update(`cuenta|${name.normalize('NFKC')}`)
    .digest('base64url');

/** Network of an address: the address itself, or an IPv6 /64, which one subscriber owns (RFC 6177). */
export function networkKey(ip: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!ip.includes(':')) return ip;
  const [before = '', after] = ip.split('::');
  const groups = before.split(':').filter(Boolean);
  const rest = after?.split(':').filter(Boolean) ?? [];
  const whole = after === undefined ? groups : [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  const prefix = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}

const pairKey = ({ account, ip }: Trier) => `par|${account}|${networkKey(ip)}`;
const accountKey = ({ account }: Pick<Trier, 'account'>) => `cuenta|${account}`;
const addressKey = ({ ip }: Trier) => `red|${networkKey(ip)}`;
const deviceKey = (device: string) => `equipo|${device}`;

/** Counters of failures, with limits. A known browser counts alone, so that attackers cannot lock it out. */
function countersOf(trier: Trier, maxFailures: number): { key: string; limit: number }[] {
  if (trier.device !== undefined) return [{ key: deviceKey(trier.device), limit: maxFailures }];
  return [
    { key: pairKey(trier), limit: maxFailures },
    { key: accountKey(trier), limit: PER_ACCOUNT },
    { key: addressKey(trier), limit: PER_ADDRESS },
  ];
}

/** Queues (password-queue.ts) of an attempt: one verification at a time per account and per address. */
export const attemptQueues = (trier: Trier): string[] =>
  trier.device === undefined ? [accountKey(trier), addressKey(trier)] : [deviceKey(trier.device)];

// Longer delays were written while the clock was ahead, and would lock an account for days.
const IS_BLOCKED = sql`blocked_until > now() AND blocked_until <= now() + make_interval(secs => ${sql.lit(MAX_DELAY_SECONDS)})`;

/** Throws 429 with Retry-After (seconds) while `trier` has to wait. */
export async function refuseIfBlocked(db: Db, trier: Trier): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS seconds FROM login_attempts
    WHERE key IN (${sql.join(countersOf(trier, 0).map(({ key }) => key))}) AND ${IS_BLOCKED}`.execute(db);
  const seconds = rows[0]?.seconds;
  if (!seconds) return;
  const wait = seconds < 60 ? `${seconds} segundos` : `${Math.ceil(seconds / 60)} minutos`;
  throw new DomainError(429, `Demasiados intentos. Vuelve a probar dentro de ${wait}.`, { headers: { 'retry-after': String(seconds) } });
}

/** Counts a failure. Counters decay linearly within an hour; beyond the limit, each failure doubles the delay, from half a minute to 15 minutes. */
export async function countFailure(db: Db, trier: Trier, maxFailures: number): Promise<void> {
  for (const { key, limit } of countersOf(trier, maxFailures)) {
    const level = sql`greatest(0, a.failures - greatest(0, extract(epoch FROM now() - a.last_at)) * ${limit}::float / 3600) + 1`;
    // Half a failure of tolerance for decay during a quick series.
    await sql`
      INSERT INTO login_attempts AS a (key, failures) VALUES (${key}, 1)
      ON CONFLICT (key) DO UPDATE SET failures = ${level}, last_at = now(),
        blocked_until = CASE WHEN ${level} >= ${limit}::float - 0.5 THEN
          now() + make_interval(secs => least(${MAX_DELAY_SECONDS}::float, 30 * power(2, greatest(0, ${level} - ${limit}::float)))) END`.execute(
      db,
    );
  }
}

/** Clears the failures of the account, this address and this browser, after a success. */
export async function clearFailures(db: Db, trier: Trier): Promise<void> {
  const keys = [pairKey(trier), accountKey(trier), ...(trier.device === undefined ? [] : [deviceKey(trier.device)])];
  await db.deleteFrom('login_attempts').where('key', 'in', keys).execute();
}

/** Clears the failures of an account from every address. */
export async function unblockAccount(db: Db | Tx, userId: string): Promise<void> {
  await db
    .deleteFrom('login_attempts')
    .where((eb) => eb.or([eb('key', '=', accountKey({ account: userId })), eb(sql`starts_with(key, ${`par|${userId}|`})`, '=', true)]))
    .execute();
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await sql`DELETE FROM login_attempts WHERE last_at < now() - interval '1 day'`.execute(db);
}
