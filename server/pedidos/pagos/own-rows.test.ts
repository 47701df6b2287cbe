import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, type World } from '../../../test/world.ts';
import { type Tx, transact } from '../../db/open.ts';
import { pagosAmong } from './all-pagos.ts';
import {
  cashInHand,
  cashWaiting,
  collectedBy,
  lockRemitted,
  lockWithCompany,
  markCompared,
  markRemitted,
  openRound,
  refuseHandedOver,
} from './cash.ts';
import { collectedAtDoor } from './collect.ts';
import { countPaymentsAgain, lockPaid, nameIntent, refundsOfCancelled } from './overpaid.ts';
import { hasFailed, listRefunds, nameBegun, rejectPago } from './pagos.ts';

/* What reads or changes some payments leaves all others as they were: of another order, provider, carrier, day, company or estado. */

let world: World;
let pedido_id: string;
let other_id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  pedido_id = (await world.pedido({ estado: 'completado', precio_total_cents: 9000 })).id;
  other_id = (await world.pedido({ estado: 'completado', precio_total_cents: 9000 })).id;
});

const TODAY = dayInMadrid();
const inTx = <T>(act: (tx: Tx) => Promise<T>) => transact(world.db, act);
let serial = 0;
/** Inserts a payment of 10 € by transfer; returns its id. */
async function pago(fields: Record<string, unknown> = {}): Promise<string> {
  const row = { pedido_id, proveedor: 'manual', referencia: '', importe_cents: 1000, estado: 'pagado', ...fields };
  const created_at = new Date(Date.now() + ++serial);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pagos (created_at, ${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    VALUES (${created_at}, ${sql.join(Object.values(row))}) RETURNING id`.execute(world.db);
  return rows[0]?.id ?? '';
}
/** The column of each payment, in the order of their making. */
const column = async (name: string): Promise<unknown[]> =>
  (await sql<{ is: unknown }>`SELECT ${sql.ref(name)} AS is FROM pagos ORDER BY created_at`.execute(world.db)).rows.map(({ is }) => is);

describe('payments of a provider', () => {
  const card = (fields: object = {}) => pago({ proveedor: 'stripe', externo_id: 'a', estado: 'iniciado', ...fields });

  it('a declined one leaves the others, and those that are booked', async () => {
    await card();
    await card({ externo_id: 'b' });
    await card({ proveedor: 'redsys' });
    await card({ externo_id: 'c', estado: 'pagado' });
    for (const externo_id of ['a', 'c']) await inTx((tx) => rejectPago(tx, { proveedor: 'stripe', externo_id }));
    expect(await column('estado')).toEqual(['rechazado', 'iniciado', 'iniciado', 'pagado']);
  });

  it('one gets its intent once, and is found by its own name', async () => {
    await card({ estado: 'pagado' });
    await card({ externo_id: 'b', pedido_id: other_id });
    await card({ proveedor: 'redsys', pedido_id: other_id });
    const named = { proveedor: 'stripe', externo_id: 'a' };
    for (const intento of ['x', 'y']) await inTx((tx) => nameIntent(tx, { ...named, intento }));
    expect(await column('intento')).toEqual(['x', null, null]);
    expect((await inTx((tx) => lockPaid(tx, named)))?.pedido.id).toBe(pedido_id);
    expect((await inTx((tx) => lockPaid(tx, { ...named, externo_id: 'b' })))?.pedido.id).toBe(other_id);
    expect((await inTx((tx) => lockPaid(tx, { ...named, proveedor: 'redsys' })))?.pedido.id).toBe(other_id);
    expect(await inTx((tx) => lockPaid(tx, { ...named, externo_id: 'z' }))).toBeUndefined();
  });

  it('the page names the newest one begun without a name', async () => {
    const none = { externo_id: null };
    await card(none);
    await card(none);
    await card({ ...none, pedido_id: other_id });
    await card({ ...none, proveedor: 'redsys' });
    await card({ ...none, estado: 'rechazado' });
    await card({ externo_id: 'a' });
    const vence_at = new Date('2031-01-01T00:00:00Z');
    await nameBegun(world.db, { id: pedido_id }, 'stripe', { externo_id: 'n', vence_at });
    expect(await column('externo_id')).toEqual([null, 'n', null, null, null, 'a']);
    expect(await column('referencia')).toEqual(['', 'n', '', '', '', '']);
    // Known already: the page is opened again.
    await nameBegun(world.db, { id: pedido_id }, 'stripe', { externo_id: 'a', vence_at });
    expect(await column('externo_id')).toEqual([null, 'n', null, null, null, 'a']);
    await nameBegun(world.db, { id: pedido_id }, 'redsys', { externo_id: 'a', vence_at });
    expect(await column('externo_id')).toEqual([null, 'n', null, 'a', null, 'a']);
  });

  it('an order has failed to be paid if its newest one was declined', async () => {
    const failed = () => hasFailed(world.db, { id: pedido_id });
    expect(await failed()).toBe(false);
    await card({ estado: 'rechazado' });
    await card({ externo_id: 'b', pedido_id: other_id });
    expect(await failed()).toBe(true);
    await card({ externo_id: 'c' });
    expect([await failed(), await hasFailed(world.db, { id: other_id })]).toEqual([false, false]);
  });
});

describe('refunds of a cancelled order', () => {
  beforeEach(async () => {
    await pago({ estado: 'devolucion_pendiente', devuelto_cents: 300 });
    await pago({ estado: 'devolucion_pendiente', proveedor: 'bizum', importe_cents: 200, al_entregar: true });
    await pago({ estado: 'devuelto', importe_cents: 500, devuelto_cents: 100 });
    await pago({ estado: 'devuelto', importe_cents: 50, al_entregar: true });
    await pago({ devuelto_cents: 7 });
    await pago({ estado: 'anulado', devuelto_cents: 11 });
    await pago({ estado: 'devolucion_pendiente', pedido_id: other_id });
  });

  it('what waits and what was refunded of its own payments is known, in cents', async () => {
    expect(await inTx((tx) => refundsOfCancelled(tx, pedido_id))).toEqual({ waiting: 700, refunded: 300 + 500 + 7 });
    expect(await inTx((tx) => refundsOfCancelled(tx, other_id))).toEqual({ waiting: 1000, refunded: 0 });
  });

  it('reopened, it counts those again that waited', async () => {
    const estados = await column('estado');
    await inTx((tx) => countPaymentsAgain(tx, pedido_id));
    expect(await column('estado')).toEqual(['pagado', ...estados.slice(1)]);
  });

  it('its page shows each, with what was refunded beside', async () => {
    const shown = (await listRefunds(world.db, { id: pedido_id })).map(({ importe, hecha }) => [importe, hecha]);
    expect(shown.sort()).toEqual(
      [
        [7, false],
        [3, true],
        [2, false],
        [4, true],
        [1, true],
        [0.5, true],
        [0.07, true],
        [0.11, true],
      ].sort(),
    );
    expect((await listRefunds(world.db, { id: other_id })).map(({ importe, hecha }) => [importe, hecha])).toEqual([[10, false]]);
  });

  it('the day of a refund is its own, or fourteen days after it became due', async () => {
    await sql`UPDATE pagos SET updated_at = '2026-11-01T12:00:00Z'`.execute(world.db);
    const days = Object.fromEntries((await listRefunds(world.db, { id: pedido_id })).map(({ importe, fecha }) => [importe, fecha]));
    expect([days[7], days[4], days[3]]).toEqual(['2026-11-15', '2026-11-01', '2026-11-01']);
  });
});

describe('cash in a carrier’s hands', () => {
  const box = async (transportista_id: string, dia: string, ronda: number, isConfirmed = false) =>
    sql`INSERT INTO cajas (transportista_id, transportista_nombre, dia, ronda, esperado_cents, contado_cents, confirmada_at, recibido_cents, confirmada_por_nombre)
      VALUES (${transportista_id}, 'Tere', ${dia}, ${ronda}, 1000, 1000, ${isConfirmed ? sql`now()` : null}, ${isConfirmed ? 1000 : null}, ${isConfirmed ? 'Olga' : null})`.execute(
      world.db,
    );
  const BEFORE = '2026-01-02';
  let [tere, toni] = ['', ''];
  const cash = (fields: object = {}) =>
    pago({ proveedor: 'efectivo', transportista_id: tere, caja_dia: TODAY, caja_ronda: 1, al_entregar: true, ...fields });
  beforeEach(async () => {
    [tere, toni] = [
      (await world.user({ role: 'transportista', full_name: 'Tere' })).id,
      (await world.user({ role: 'transportista', full_name: 'Toni' })).id,
    ];
  });

  it('is what the office has not confirmed, whether handed over or not', async () => {
    expect(await inTx((tx) => cashInHand(tx, tere))).toBe(0);
    await cash();
    await cash({ importe_cents: 20, caja_ronda: 2 });
    await cash({ importe_cents: 3, caja_dia: BEFORE });
    await cash({ importe_cents: 7, estado: 'anulado' });
    await cash({ importe_cents: 9000, transportista_id: toni });
    await pago({ proveedor: 'bizum', transportista_id: tere, importe_cents: 500 });
    await box(tere, TODAY, 1);
    await box(toni, TODAY, 2, true);
    await box(tere, BEFORE, 2, true);
    expect([await inTx((tx) => cashInHand(tx, tere)), await inTx((tx) => cashInHand(tx, toni))]).toEqual([1023, 9000]);
    await box(tere, TODAY, 2, true);
    expect(await inTx((tx) => cashInHand(tx, tere))).toBe(1003);
  });

  it('waits for the office once handed over, or since an earlier day', async () => {
    await cash();
    await cash({ transportista_id: toni, caja_dia: BEFORE, importe_cents: 150 });
    await cash({ transportista_id: toni, caja_dia: BEFORE, importe_cents: 5, estado: 'anulado' });
    await cash({ caja_dia: BEFORE, caja_ronda: 2, importe_cents: 70 });
    await cash({ caja_dia: '2026-01-01', importe_cents: 80 });
    await box(tere, '2026-01-01', 1, true);
    const waiting = async () => (await cashWaiting(world.db)).map(({ nombre, dia, euros }) => [nombre, dia, euros]);
    const old = [
      ['Tere', BEFORE, 0.7],
      ['Toni', BEFORE, 1.5],
    ];
    expect(await waiting()).toEqual(old);
    await box(tere, TODAY, 1);
    expect(await waiting()).toEqual([...old, ['Tere', TODAY, 10]]);
  });

  it('belongs to the first round of its day that is not handed over', async () => {
    const round = (who: string) => inTx((tx) => openRound(tx, who, sql`now()`));
    expect(await round(tere)).toEqual({ caja_dia: TODAY, caja_ronda: 1 });
    await box(tere, TODAY, 1);
    await box(tere, TODAY, 2);
    await box(tere, BEFORE, 3);
    expect([await round(tere), await round(toni)]).toEqual([
      { caja_dia: TODAY, caja_ronda: 3 },
      { caja_dia: TODAY, caja_ronda: 1 },
    ]);
  });

  it('cannot change once its own round is handed over', async () => {
    await box(tere, TODAY, 2);
    const refused = (transportista_id: string | null, caja_dia: string | null, caja_ronda: number) =>
      inTx((tx) => refuseHandedOver(tx, { transportista_id, caja_dia, caja_ronda })).then(
        () => false,
        () => true,
      );
    expect(await refused(tere, TODAY, 2)).toBe(true);
    for (const [who, day, round] of [
      [tere, TODAY, 1],
      [tere, BEFORE, 2],
      [toni, TODAY, 2],
      [tere, null, 2],
      [null, TODAY, 2],
    ] as const)
      expect(await refused(who, day, round)).toBe(false);
  });

  it('of a delivery is settled once handed over, compared or paid by the company', async () => {
    await cash();
    await cash({ caja_ronda: 2 });
    await cash({ caja_dia: BEFORE, caja_ronda: 2 });
    await cash({ transportista_id: toni, caja_ronda: 2 });
    await box(tere, TODAY, 2);
    await pago({ proveedor: 'bizum', transportista_id: tere, al_entregar: true, comprobado_at: TODAY });
    await pago({ proveedor: 'bizum', transportista_id: tere, al_entregar: true });
    await pago({ proveedor: 'empresa', empresa: 'MRW', al_entregar: true });
    await pago({ proveedor: 'bizum', transportista_id: tere });
    await cash({ pedido_id: other_id });
    await cash({ estado: 'anulado' });
    const found = await inTx((tx) => collectedAtDoor(tx, pedido_id));
    expect(found.map(({ proveedor, nombre, settled }) => [proveedor, nombre, settled])).toEqual([
      ['efectivo', 'Tere', false],
      ['efectivo', 'Tere', true],
      ['efectivo', 'Tere', false],
      ['efectivo', 'Toni', false],
      ['bizum', 'Tere', true],
      ['bizum', 'Tere', false],
      ['empresa', 'MRW', false],
    ]);
  });

  it('is no payment to compare with the bank', async () => {
    const { id: person } = await world.user({ role: 'superadmin' });
    const bizum = { proveedor: 'bizum', transportista_id: tere };
    const ids = [
      await pago({ ...bizum, importe_cents: 11 }),
      await pago({ ...bizum, comprobado_at: BEFORE }),
      await pago({ ...bizum, estado: 'anulado' }),
      await cash(),
      await pago(),
    ];
    await pago(bizum);
    expect(await inTx((tx) => markCompared(tx, ids, person))).toEqual([11]);
    expect(await column('comprobado_por')).toEqual([person, null, null, null, null, null]);
  });
});

describe('money with a company', () => {
  const mrw = (fields: object = {}) => pago({ proveedor: 'empresa', empresa: 'MRW', ...fields });
  const remesa = async () => {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO remesas (empresa, fecha, recibido_cents, creada_por_nombre) VALUES ('MRW', now(), 1000, 'Olga')
      RETURNING id`.execute(world.db);
    return rows[0]?.id ?? '';
  };

  it('is locked if that company has not paid it, named of another company one by one, and brought by a remittance', async () => {
    const [paid, now] = [await remesa(), await remesa()];
    const ids = [
      await mrw({ importe_cents: 21 }),
      await mrw({ remesa_id: paid }),
      await mrw({ estado: 'anulado' }),
      await mrw({ empresa: 'SEUR' }),
      await mrw({ importe_cents: 31 }),
    ];
    await mrw();
    expect(new Set(await inTx((tx) => lockWithCompany(tx, 'MRW', ids)))).toEqual(new Set([21, 31]));
    await inTx((tx) => collectedBy(tx, ids[4] ?? '', 'FedEx'));
    expect(await column('empresa')).toEqual(['MRW', 'MRW', 'MRW', 'SEUR', 'FedEx', 'MRW']);
    await inTx((tx) => markRemitted(tx, ids.slice(0, 1), now));
    expect(await column('remesa_id')).toEqual([now, paid, null, null, null, null]);
    expect(await inTx((tx) => lockRemitted(tx, now))).toEqual(ids.slice(0, 1));
    await inTx((tx) => markRemitted(tx, ids.slice(0, 1), null));
    expect(await column('remesa_id')).toEqual([null, paid, null, null, null, null]);
  });
});

it('payments among some are those, without the begun', async () => {
  const ids = [await pago({ referencia: 'a' }), await pago({ referencia: 'b', estado: 'iniciado' })];
  await pago({ referencia: 'c' });
  expect((await pagosAmong(world.db, ids)).map(({ referencia, importe }) => [referencia, importe])).toEqual([['a', 10]]);
});
