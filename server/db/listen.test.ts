import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { copyOf } from '../../test/postgres.ts';
import { openProxy } from '../../test/proxy.ts';
import { listenPostgres } from './listen.ts';

test('a listener reconnects once after an outage and receives each message once', async () => {
  const { url, drop } = await copyOf(inject('postgresTemplate'));
  const through = await openProxy(url);
  const heard: string[] = [];
  let [gaps, failures] = [0, 0];
  // Fakes only the code's own timers; sockets need real time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const tryAgain = async () => {
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    vi.runOnlyPendingTimers();
  };
  const stop = await listenPostgres(
    through.url,
    'canal',
    (payload) => heard.push(payload),
    () => (gaps += 1),
    () => (failures += 1),
  );
  const client = new pg.Client(url);
  await client.connect();
  try {
    await through.close();
    for (const before of [failures, failures + 1, failures + 2]) {
      await tryAgain();
      await expect.poll(() => failures).toBeGreaterThan(before);
    }
    await through.open();
    await tryAgain();
    await expect.poll(() => gaps).toBe(1);
    // No further attempt is scheduled.
    expect(vi.getTimerCount()).toBe(0);
    await client.query("NOTIFY canal, 'hola'");
    await expect.poll(() => heard).toEqual(['hola']);
    const { rows } = await client.query('SELECT 1 FROM pg_stat_activity WHERE query = \'LISTEN "canal"\'');
    expect([rows.length, gaps]).toEqual([1, 1]);
  } finally {
    vi.useRealTimers();
    await stop();
    await client.end();
    await through.close();
    await drop();
  }
});
