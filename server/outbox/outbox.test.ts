import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { abandonMessages, type Deliver, deliverDue, queueMessages } from './outbox.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

type Payload = { n: number };
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const put = (recipient: string, n: number, digest = false) =>
  transact(world.db, (tx) =>
    queueMessages(tx, 'correo', [{ recipient, payload: { n } }], digest ? sql<string>`now() - interval '1 minute'` : undefined),
  );
const rows = () => world.db.selectFrom('outbox').selectAll().orderBy('created_at').execute();
const dueNow = () =>
  world.db
    .updateTable('outbox')
    .set({ due_at: ago(1) })
    .execute();
/** Records deliveries as «recipient: payloads». */
function letterbox(answer = async () => true) {
  const arrived: string[] = [];
  const deliver: Deliver<Payload> = (first, batch) => {
    arrived.push(`${first.recipient}: ${batch.map(({ payload }) => payload.n)}`);
    return answer();
  };
  return { arrived, run: (atOnce?: number) => deliverDue<Payload>(world.db, 'correo', deliver, atOnce) };
}

describe('a message', () => {
  it('a transaction that is rolled back queues no message', async () => {
    const undone = transact(world.db, async (tx) => {
      await queueMessages(tx, 'correo', [{ recipient: 'ana', payload: { n: 1 } }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await rows()).toEqual([]);
  });

  it('a message is delivered once by concurrent runs, and only on its own channel', async () => {
    for (let n = 1; n <= 12; n += 1) await put(`r${n}`, n);
    const box = letterbox();
    expect(await deliverDue(world.db, 'push', () => Promise.reject(new Error('not mine')))).toBe(0);
    const [first, second] = await Promise.all([box.run(3), box.run(3)]);
    expect([first + second, box.arrived.length, new Set(box.arrived).size]).toEqual([12, 12, 12]);
    expect((await rows()).every(({ sent_at, attempts }) => sent_at && attempts === 1)).toBe(true);
  });

  it('a failing message waits twice as long each time, up to an hour, and is finally given up', async () => {
    await put('ana', 1);
    const box = letterbox(() => Promise.reject(new Error('no server')));
    const waits: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      await dueNow();
      expect([await box.run(), await box.run()]).toEqual([0, 0]);
      const [row] = await rows();
      waits.push(Math.round((Date.parse(row?.due_at ?? '') - Date.now()) / 30_000) / 2);
      expect([row?.attempts, row?.error, row?.failed_at !== null]).toEqual([i + 1, 'no server', i === 39]);
    }
    expect(waits.slice(0, 9)).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
    await dueNow();
    expect([await box.run(), box.arrived.length]).toEqual([0, 40]);
  });

  it('a message being delivered is skipped until its lease ends, even if the process has died', async () => {
    await put('ana', 1);
    let begun = false;
    void deliverDue(world.db, 'correo', () => {
      begun = true;
      return new Promise<never>(() => {});
    });
    await expect.poll(() => begun).toBe(true);
    const box = letterbox();
    expect(await box.run()).toBe(0);
    await dueNow();
    expect([await box.run(), box.arrived]).toEqual([1, ['ana: 1']]);
  });

  it('a message that is no longer wanted is deleted', async () => {
    await put('ana', 1);
    expect([await letterbox(async () => false).run(), await rows()]).toEqual([0, []]);
  });

  it('a message that is given up is not delivered, and a sent message stays sent', async () => {
    await put('ana', 1);
    const box = letterbox();
    await box.run();
    await put('luis', 2);
    expect(await abandonMessages(world.db, 'off', 'push')).toEqual([]);
    expect(await abandonMessages(world.db, 'off', 'correo')).toEqual(['correo']);
    await dueNow();
    expect([await box.run(), box.arrived]).toEqual([0, ['ana: 1']]);
    expect((await rows()).map(({ error }) => error)).toEqual([null, 'off']);
  });
});

describe('a digest', () => {
  it('a digest contains a recipient’s due messages, oldest first, without the individual ones', async () => {
    await put('ana', 1, true);
    await put('luis', 2, true);
    await put('ana', 3);
    await put('ana', 4, true);
    // The individual message, 3, is due first.
    await world.db
      .updateTable('outbox')
      .set({ due_at: ago(5) })
      .where('digest', '=', false)
      .execute();
    const box = letterbox();
    expect(await box.run()).toBe(4);
    expect(box.arrived.sort()).toEqual(['ana: 1,4', 'ana: 3', 'luis: 2']);
  });

  it('a digest skips messages locked by another process, without waiting', async () => {
    await put('luis', 0);
    for (let n = 1; n <= 3; n += 1) await put('ana', n, true);
    const box = letterbox();
    await world.db
      .updateTable('outbox')
      .set({ due_at: ago(5) })
      .where('recipient', '=', 'luis')
      .execute();
    const holding = await world.db.startTransaction().execute();
    await sql`SELECT FROM outbox WHERE payload IN ('{"n": 0}', '{"n": 2}') FOR UPDATE`.execute(holding);
    expect([await box.run(), box.arrived]).toEqual([2, ['ana: 1,3']]);
    await holding.rollback().execute();
    expect([await box.run(), box.arrived.slice(1)]).toEqual([2, ['luis: 0', 'ana: 2']]);
  });

  it('a digest is neither lost nor repeated by concurrent readers', async () => {
    for (let n = 1; n <= 20; n += 1) await put('ana', n, true);
    const box = letterbox();
    expect(await box.run(5)).toBe(20);
    const numbers = box.arrived.flatMap((line) => line.replace('ana: ', '').split(','));
    expect(numbers.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });
});
