import { describe, expect, it } from 'vitest';
import { getHistorial } from '../../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { addDays, dayInMadrid } from '../../../test/day.ts';
import { admin, world, worldForEachTest } from '../../../test/roles-world.ts';
import { transact } from '../../db/open.ts';
import { lockPedido, lockPedidos, type PedidoRow } from '../lectura/row.ts';
import { noteAll, notePago, payElsewhere, recordTransfer } from './cobrar.ts';

/* Payments booked by hand, or with a new order. */

worldForEachTest();

type Given = Parameters<typeof world.pedido>[0];
let customers = 0;
/** An order of 10 € of a new customer. */
const order = (fields: Given = {}) => {
  customers += 1;
  return world.pedido({
    precio_total_cents: 1000,
    revendedor_id: null,
    cliente_telefono: `6${String(customers).padStart(8, '1')}`,
    ...fields,
  });
};
const pagos = () =>
  world.db.selectFrom('pagos').select(['proveedor', 'referencia', 'importe_cents', 'fecha', 'estado']).orderBy('created_at').execute();
const steps = async (id: string) =>
  (await admin.call(getHistorial, { params: { id } })).body.data.map(({ accion, nota }) => [
    accion,
    nota?.replaceAll('\u00a0', ' ') ?? null,
  ]);
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    ({ status, body }) => [status, ...Object.keys(body.errors ?? {}), body.code],
  );
const NOW = new Date().toISOString();
const TOMORROW = addDays(dayInMadrid(), 1);

describe('a payment noted by hand', () => {
  type Note = Parameters<typeof notePago>[3];
  const note = (id: string, more: Partial<Note> = {}) => notePago(world.db, admin.user, id, { metodo: 'bizum', ...more } as Note);

  it.each<[string, Given, Partial<Note>, string, [string, string | null][], number[]]>([
    ['all that is due', {}, {}, 'pendiente', [['Pago anotado', '10,00 € · Bizum']], [1000]],
    ['a part, with a reference', {}, { importe: 4, referencia: 'R1' }, 'pendiente', [['Pago anotado', '4,00 € · Bizum · R1']], [400]],
    ['all of an unpaid order', { estado: 'pendiente_pago' }, {}, 'pendiente', [['Pagado', 'Bizum']], [1000]],
    ['all, with a reference', { estado: 'pendiente_pago' }, { referencia: 'R1' }, 'pendiente', [['Pagado', 'R1']], [1000]],
    [
      'a part of an unpaid order',
      { estado: 'pendiente_pago' },
      { importe: 9.99 },
      'pendiente_pago',
      [['Pago anotado', '9,99 € · Bizum']],
      [999],
    ],
    ['an unpaid order of nothing', { estado: 'pendiente_pago', precio_total_cents: 0 }, {}, 'pendiente', [['Pagado', 'Bizum']], []],
  ])('is of %s', async (_, fields, more, estado, messages, cents) => {
    const { id } = await order(fields);
    expect((await note(id, more)).estado).toBe(estado);
    expect([await steps(id), (await pagos()).map(({ importe_cents }) => importe_cents)]).toEqual([messages, cents]);
  });

  it.each<[string, Given, Partial<Note>, unknown]>([
    ['of nothing', {}, { importe: 0 }, [422, 'importe', expect.anything()]],
    ['of too much', {}, { importe: 10.01 }, [422, 'importe', expect.anything()]],
    ['of tomorrow', {}, { fecha: TOMORROW }, [422, 'fecha', expect.anything()]],
    ['of today', {}, { fecha: dayInMadrid() }, undefined],
    [
      'in cash of a sale of a thousand euros',
      { precio_total_cents: 100_000 },
      { metodo: 'efectivo', importe: 1 },
      [422, 'metodo', expect.anything()],
    ],
    ['in cash of less', { precio_total_cents: 99_999 }, { metodo: 'efectivo' }, undefined],
    ['otherwise of a sale of a thousand euros', { precio_total_cents: 100_000 }, {}, undefined],
    ['of a deleted order', { deleted_at: NOW }, {}, [409, 'eliminado']],
    ['of a cancelled order', { estado: 'cancelado' }, {}, [409, 'conflict']],
    ['of an order of nothing', { precio_total_cents: 0 }, {}, [409, 'already_paid']],
  ])('%s', async (_, fields, more, wanted) => {
    expect(await refusal(note((await order(fields)).id, more))).toEqual(wanted);
  });

  it('has its day and its reference, or today and none', async () => {
    await note((await order()).id, { fecha: '2026-03-01', referencia: 'R1' });
    await note((await order()).id, { metodo: 'tarjeta' });
    expect(await pagos()).toEqual([
      { proveedor: 'bizum', referencia: 'R1', importe_cents: 1000, fecha: '2026-03-01', estado: 'pagado' },
      { proveedor: 'tarjeta', referencia: '', importe_cents: 1000, fecha: dayInMadrid(), estado: 'pagado' },
    ]);
  });

  it('in cash counts the other sales of the customer that are paid, but not those that are refused', async () => {
    const same = { precio_total_cents: 60_000, cliente_telefono: '677 88 99 00', cliente_nombre: 'Ana' };
    const [first, second] = [await order(same), await order({ ...same, deleted_at: NOW })];
    const all = (ids: string[]) => transact(world.db, (tx) => noteAll(tx, admin.user, ids, { metodo: 'efectivo' } as Note));
    const outcomes = await all([first.id, second.id]);
    expect([...outcomes.values()].map((outcome) => outcome instanceof Error)).toEqual([false, true]);
    const third = await order(same);
    expect(await refusal(all([third.id]))).toEqual([422, 'metodo', expect.anything()]);
    expect(await refusal(note(third.id))).toBeUndefined();
  });
});

it('a transfer that the customer reports is noted on that order', async () => {
  const [first, second] = [await order({ estado: 'pendiente_pago' }), await order({ estado: 'pendiente_pago' })];
  await transact(world.db, async (tx) => recordTransfer(tx, await lockPedido(tx, SISTEMA, first.id)));
  const rows = await world.db.selectFrom('pedidos').select(['id', 'transferencia_avisada_at']).execute();
  expect(rows.filter((row) => row.transferencia_avisada_at).map(({ id }) => id)).toEqual([first.id]);
  expect([await steps(first.id), await steps(second.id)]).toEqual([[['El cliente dice que ha hecho la transferencia', null]], []]);
});

describe('a payment of a new order', () => {
  type Paid = Parameters<typeof payElsewhere>[2][number];
  const pay = (ids: { id: string }[], pago: object, fila?: number) =>
    transact(world.db, async (tx) => {
      const rows = await lockPedidos(
        tx,
        SISTEMA,
        ids.map(({ id }) => id),
      );
      const paid = [...rows.values()].map((row, i) => ({
        row: row as PedidoRow,
        pago: { metodo: 'bizum', ...pago } as Paid['pago'],
        ...(fila !== undefined && { fila: fila + i }),
      }));
      return payElsewhere(tx, admin.user, paid);
    });

  it.each<[string, Given, object, string, unknown[]]>([
    ['whole', {}, {}, 'pendiente', [{ referencia: '', importe_cents: 1000, fecha: dayInMadrid() }]],
    ['in part', {}, { importe: 4, referencia: 'R1' }, 'pendiente_pago', [{ referencia: 'R1', importe_cents: 400 }]],
    ['on its day', {}, { fecha: '2026-03-01' }, 'pendiente', [{ fecha: '2026-03-01' }]],
    ['of nothing', { precio_total_cents: 0 }, {}, 'pendiente_pago', []],
    ['of a cent', { precio_total_cents: 1 }, {}, 'pendiente', [{ importe_cents: 1 }]],
  ])('is booked %s', async (_, fields, pago, estado, booked) => {
    const made = await order({ estado: 'pendiente_pago', ...fields });
    const [outcome] = (await pay([made], pago)).values();
    expect(outcome).toMatchObject({ estado });
    expect(await pagos()).toMatchObject(booked);
    expect(await pagos()).toHaveLength(booked.length);
    if (estado === 'pendiente') expect((await steps(made.id))[0]).toEqual(['Pagado', 'Bizum']);
  });

  it.each<[string, object, Given, number | undefined, unknown]>([
    ['of tomorrow', { fecha: TOMORROW }, {}, undefined, [422, 'pago.fecha', expect.anything()]],
    ['of tomorrow, in a row', { fecha: TOMORROW }, {}, 3, [422, 'filas.3.pago.fecha', expect.anything()]],
    [
      'in cash beyond the limit',
      { metodo: 'efectivo' },
      { precio_total_cents: 60_000 },
      undefined,
      [422, 'pago.metodo', expect.anything()],
    ],
    [
      'in cash beyond the limit, in a row',
      { metodo: 'efectivo' },
      { precio_total_cents: 60_000 },
      3,
      [422, expect.stringMatching(/^filas\.[34]\.pago\.metodo$/), expect.anything()],
    ],
    ['beyond the limit, otherwise', {}, { precio_total_cents: 60_000 }, 3, undefined],
  ])('is refused %s', async (_, pago, fields, fila, wanted) => {
    const same = { cliente_nombre: 'Ana', cliente_telefono: '677 88 99 00', estado: 'pendiente_pago' as const, ...fields };
    expect(await refusal(pay([await order(same), await order(same)], pago, fila))).toEqual(wanted);
  });
});
