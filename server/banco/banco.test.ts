import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as api from '../../contract/banco/banco.ts';
import { deshacerRemesa, entregarCaja, listCajas, listDeEmpresas } from '../../contract/caja/caja.ts';
import { anotarPago, anularPago, listPagos } from '../../contract/payments/payments.ts';
import { getPedido, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';
import { forgetPayers } from './statements.ts';

/* A bank statement: what is sure is booked, what is likely is proposed, the rest waits; nothing counts twice, and all can be taken back. */

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const DAY = dayInMadrid();
const NBSP = '\u00a0';
const order = (fields: Parameters<World['pedido']>[0] = {}) =>
  world.pedido({ estado: 'pendiente_pago', precio_total_cents: 2000, precio_unitario_cents: 2000, ...fields });
const credit = (texto: string, importe = 20, more = {}) => ({ cuenta: '210004180200051332', fecha: DAY, importe, texto, ...more });
async function read(movimientos: readonly api.MovimientoLeido[], { formato = 'n43' as 'n43' | 'camt' | 'hoja', by = admin } = {}) {
  const extracto = crypto.randomUUID();
  const reply = await by.call(api.leerExtracto, { body: { extracto, fichero: 'extracto.n43', formato, movimientos: [...movimientos] } });
  expect(reply.status, reply.text).toBe(200);
  return { extracto, ...reply.body.data };
}
const waiting = async () => (await admin.call(api.listAbonos)).body.data;
const settledOnes = async () => (await admin.call(api.listAbonos, { query: { hechos: 'si' } })).body.data;
const proposals = async () =>
  (await waiting()).map(({ resto, propuesta }) => [
    resto,
    propuesta?.destino,
    propuesta?.partes.map(({ texto, importe }) => `${texto}: ${importe}`),
  ]);
const see = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const payments = async (id: string) =>
  (await admin.call(listPagos, { params: { id } })).body.data.map(({ proveedor, importe, estado }) => `${proveedor} ${importe} ${estado}`);
const agree = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
/** Presses «Apuntar» of the first proposal. */
async function accept() {
  const [{ id, propuesta }] = (await waiting()).filter((each) => each.propuesta) as [api.Abono];
  const { destino, partes, comision } = propuesta ?? expect.fail('no proposal');
  const body = { destino, comision, partes: partes.map(({ clave, importe }) => ({ clave, importe })) };
  return admin.call(api.apuntarMovimiento, { params: { id }, body });
}

describe('what is sure is booked at once', () => {
  it('the number of an order and its amount pay the order, which can be prepared', async () => {
    const due = await order({ cliente_nombre: 'Ana Ruiz' });
    expect(await read([credit(`TRANSF DE ANA RUIZ ${due.numero_orden}`)])).toMatchObject({ nuevos: 1, conocidos: 0, apuntados: 1 });
    expect(await see(due.id)).toMatchObject({ estado: 'pendiente', pagado: 20, pendiente: 0 });
    expect([await payments(due.id), await waiting()]).toEqual([['transferencia 20 pagado'], []]);
    await agree();
  });

  it('the same file again, and the other format of the same days, book nothing', async () => {
    const [a, b] = [await order(), await order()];
    const both = [credit(`PAGO ${a.numero_orden}`), credit(`PAGO ${b.numero_orden}`)];
    await read(both);
    expect(await read(both)).toMatchObject({ nuevos: 0, conocidos: 2 });
    const camt = [credit(`Ana Ruiz ${b.numero_orden} NOTPROVIDED`), credit(`Eva Gil ${a.numero_orden} NOTPROVIDED`)];
    expect(await read(camt, { formato: 'camt' })).toMatchObject({ nuevos: 0, conocidos: 2 });
    expect(await payments(a.id)).toEqual(['transferencia 20 pagado']);
  });

  it('two equal movements of one file are two, and a file that holds one more brings one', async () => {
    const two = [credit('INGRESO'), credit('INGRESO')];
    expect(await read(two)).toMatchObject({ nuevos: 2 });
    expect(await read([...two, credit('INGRESO')])).toMatchObject({ nuevos: 1, conocidos: 2 });
  });

  it('two persons who read the same file at once book it once', async () => {
    const due = await order();
    const colleague = await world.as(await world.user({ role: 'superadmin' }));
    const file = [credit(`PAGO ${due.numero_orden}`)];
    const [one, other] = await Promise.all([read(file), read(file, { by: colleague })]);
    expect(one.nuevos + other.nuevos).toBe(1);
    expect(await payments(due.id)).toEqual(['transferencia 20 pagado']);
  });

  it('what the office had confirmed by hand is recognised, and not booked again', async () => {
    const due = await order();
    await admin.call(anotarPago, { params: { id: due.id }, body: { metodo: 'transferencia', importe: 20, fecha: DAY, referencia: null } });
    const { extracto } = await read([credit(`PAGO ${due.numero_orden}`)]);
    expect([await payments(due.id), await waiting()]).toEqual([['transferencia 20 pagado'], []]);
    // Undoing the statement leaves the person's own payment alone.
    expect((await admin.call(api.deshacerExtracto, { params: { id: extracto } })).status).toBe(200);
    expect(await payments(due.id)).toEqual(['transferencia 20 pagado']);
    await agree();
  });
});

describe('what is likely is proposed, and one press books it', () => {
  it('a name and the amount', async () => {
    const due = await order({ cliente_nombre: 'María José Núñez' });
    await read([credit('TRANSFERENCIA DE MARIA JOSE NUNEZ')]);
    expect([await payments(due.id), await proposals()]).toEqual([[], [[20, 'pedidos', [`${due.numero_orden} (María José Núñez): 20`]]]]);
    expect((await accept()).status).toBe(200);
    expect([await payments(due.id), await waiting()]).toEqual([['transferencia 20 pagado'], []]);
    await agree();
  });

  it('a number with more money than it owes: the rest waits until it is refunded', async () => {
    const due = await order();
    await read([credit(due.numero_orden, 25)]);
    await accept();
    const [rest] = await waiting();
    expect([rest?.resto, rest?.propuesta, (await see(due.id)).pendiente]).toEqual([5, null, 0]);
    const close = (resolucion: 'devolver' | 'devuelto') =>
      admin.call(api.cerrarMovimiento, { params: { id: rest?.id ?? '' }, body: { resolucion, motivo: 'Pagó de más' } });
    await close('devolver');
    expect((await waiting()).map(({ resolucion }) => resolucion)).toEqual(['devolver']);
    await close('devuelto');
    expect(await waiting()).toEqual([]);
    await agree();
  });

  it('one payment for several orders, and several for one', async () => {
    const [a, b, c] = [await order(), await order(), await order()];
    await read([credit(`${a.numero_orden} Y ${b.numero_orden}`, 40), credit(c.numero_orden, 5), credit(`RESTO ${c.numero_orden}`, 15)]);
    await accept();
    await accept();
    await accept();
    expect([await payments(a.id), await payments(b.id), (await payments(c.id)).toSorted()]).toEqual([
      ['transferencia 20 pagado'],
      ['transferencia 20 pagado'],
      ['transferencia 15 pagado', 'transferencia 5 pagado'],
    ]);
    expect(await waiting()).toEqual([]);
    await agree();
  });

  it('a card payout is the sum of its payments less the fee', async () => {
    const [a, b] = [await order(), await order()];
    for (const { id } of [a, b])
      await world.db
        .insertInto('pagos')
        .values({ pedido_id: id, proveedor: 'stripe', referencia: 'x', importe_cents: 2000, estado: 'pagado' })
        .execute();
    await read([credit('STRIPE PAYMENTS EUROPE', 39.1)]);
    expect((await waiting())[0]?.propuesta).toMatchObject({ destino: 'pasarela', comision: 0.9, partes: [{}, {}] });
    expect((await accept()).status).toBe(200);
    expect(await waiting()).toEqual([]);
    await agree();
  });

  it('a proposal that is no longer true is refused', async () => {
    const due = await order({ cliente_nombre: 'Ana Ruiz' });
    await read([credit('ANA RUIZ')]);
    const [{ id }] = (await waiting()) as [api.Abono];
    await admin.call(anotarPago, { params: { id: due.id }, body: { metodo: 'tarjeta', importe: 20, fecha: DAY, referencia: null } });
    const body = { destino: 'pedidos' as const, partes: [{ clave: due.numero_orden, importe: 20 }] };
    expect((await admin.call(api.apuntarMovimiento, { params: { id }, body })).status).toBe(409);
    expect(await waiting()).toHaveLength(1);
  });

  it('more than the movement brought, an order that is not there, and a fee of no payout are refused', async () => {
    const due = await order();
    await read([credit('BIZUM', 15)]);
    const [{ id }] = (await waiting()) as [api.Abono];
    const apuntar = (clave: string, importe: number, more = {}) =>
      admin.call(api.apuntarMovimiento, { params: { id }, body: { destino: 'pedidos', partes: [{ clave, importe }], ...more } });
    expect((await apuntar(due.numero_orden, 20)).body.errors?.partes).toEqual([`Solo han llegado 15,00${NBSP}€`]);
    expect((await apuntar('ORD-NADA', 15)).status).toBe(422);
    expect((await apuntar(due.numero_orden, 15, { comision: 1 })).status).toBe(422);
    expect([await payments(due.id), (await waiting()).length]).toEqual([[], 1]);
  });
});

describe('everything else waits', () => {
  it('a payment without an order counts in «Pagos por revisar», and leaves it once it is seen', async () => {
    await read([credit('DEVOLUCION SEGURO', 12.5), credit('LIQ. INTERESES', 0.3)]);
    const figure = async () => (await admin.call(atencionStats)).body.data.pagosPorRevisar;
    expect([await figure(), (await waiting()).map(({ propuesta }) => propuesta)]).toEqual([2, [null, null]]);
    for (const { id } of await waiting())
      await admin.call(api.cerrarMovimiento, { params: { id }, body: { resolucion: 'visto', motivo: 'No es de un pedido' } });
    expect([await figure(), (await settledOnes()).map(({ motivo }) => motivo)]).toEqual([0, ['No es de un pedido', 'No es de un pedido']]);
    await agree();
  });

  it('the bank takes a credit back: it is shown, and pays nothing', async () => {
    const due = await order();
    await read([credit(due.numero_orden, -20)]);
    expect([await payments(due.id), await proposals()]).toEqual([[], [[-20, undefined, undefined]]]);
  });

  it('an order that was cancelled meanwhile takes no money', async () => {
    const gone = await order({ estado: 'cancelado' });
    expect(await read([credit(gone.numero_orden)])).toMatchObject({ apuntados: 0 });
    expect(await proposals()).toEqual([[20, undefined, undefined]]);
  });
});

describe('all can be taken back', () => {
  it('a movement that was booked wrongly waits again, and its order owes its money', async () => {
    const due = await order();
    await read([credit(due.numero_orden)]);
    const [{ id }] = (await settledOnes()) as [api.Abono];
    expect((await admin.call(api.soltarMovimiento, { params: { id } })).status).toBe(200);
    expect([await payments(due.id), (await see(due.id)).pendiente, (await waiting()).length]).toEqual([
      ['transferencia 20 anulado'],
      20,
      1,
    ]);
    expect((await admin.call(api.soltarMovimiento, { params: { id } })).status).toBe(409);
    await agree();
  });

  it('a payment of a statement that is annulled at its order waits again', async () => {
    const due = await order();
    await read([credit(due.numero_orden)]);
    const [pago] = (await admin.call(listPagos, { params: { id: due.id } })).body.data;
    await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'Era de otro' } });
    expect((await waiting()).map(({ resto }) => resto)).toEqual([20]);
    await agree();
  });

  it('a statement is undone whole, once, and can be read again', async () => {
    const due = await order();
    const file = [credit(due.numero_orden), credit('OTRA COSA', 7)];
    const { extracto } = await read(file);
    const undo = () => admin.call(api.deshacerExtracto, { params: { id: extracto } });
    expect([(await undo()).status, (await undo()).status]).toEqual([200, 409]);
    expect([await payments(due.id), await waiting(), (await admin.call(api.listExtractos)).body.data]).toEqual([
      ['transferencia 20 anulado'],
      [],
      [],
    ]);
    expect(await read(file)).toMatchObject({ nuevos: 2, apuntados: 1 });
    await agree();
  });

  it('a statement whose movements a later one repeats is undone after that one, so that none is lost', async () => {
    const [first, second] = [await order(), await order()];
    const { extracto: earlier } = await read([credit(first.numero_orden)]);
    const { extracto: later } = await read([credit(`Ana ${first.numero_orden}`), credit(`Eva ${second.numero_orden}`)], {
      formato: 'camt',
    });
    const undo = (id: string) => admin.call(api.deshacerExtracto, { params: { id } });
    expect((await undo(earlier)).body).toMatchObject({ message: expect.stringMatching(/^«extracto.n43», leído después, repite/) });
    expect(await payments(first.id)).toEqual(['transferencia 20 pagado']);
    expect([(await undo(later)).status, (await undo(earlier)).status]).toEqual([200, 200]);
    await agree();
  });

  it('who paid a credit that is no order’s and is dealt with is forgotten after thirteen months', async () => {
    const due = await order();
    await read([credit(`ANA ${due.numero_orden}`), credit('LUIS GIL, ALQUILER', 7), credit('EVA, SIN MIRAR', 8)]);
    const [rent] = (await waiting()).filter(({ resto }) => resto === 7);
    await admin.call(api.cerrarMovimiento, { params: { id: rent?.id ?? '' }, body: { resolucion: 'visto', motivo: 'Alquiler' } as never });
    const texts = async (months: string) => {
      await sql`UPDATE movimientos SET fecha = dia_negocio(now()) - interval '1 month' * ${months}`.execute(world.db);
      await forgetPayers(world.db);
      return (await world.db.selectFrom('movimientos').select('texto').orderBy('importe_cents').execute()).map(({ texto }) => texto);
    };
    expect(await texts('12')).toEqual(['LUIS GIL, ALQUILER', 'EVA, SIN MIRAR', `ANA ${due.numero_orden}`]);
    expect(await texts('14')).toEqual(['', 'EVA, SIN MIRAR', `ANA ${due.numero_orden}`]);
  });

  it('the rest of a file that was undone meanwhile is refused', async () => {
    const { extracto } = await read([credit('A')]);
    await admin.call(api.deshacerExtracto, { params: { id: extracto } });
    const body = { extracto, fichero: 'x', formato: 'n43' as const, movimientos: [credit('B')] };
    expect((await admin.call(api.leerExtracto, { body })).status).toBe(409);
  });
});

describe('money that others bring to the bank', () => {
  async function remitted(cents: readonly number[], referencia: string | null) {
    const ids: string[] = [];
    for (const recibido_cents of cents) {
      const row = { empresa: 'Correos', fecha: DAY, recibido_cents, aparte_cents: recibido_cents, referencia, creada_por_nombre: 'Ana' };
      ids.push((await world.db.insertInto('remesas').values(row).returning('id').executeTakeFirstOrThrow()).id);
    }
    return ids.map((id) => ({ id }));
  }
  it('a remittance by its reference and amount, which then is not undone', async () => {
    const [remesa] = await remitted([12345], 'LIQ-2026-44');
    expect(await read([credit('CORREOS REF LIQ 2026 44', 123.45)])).toMatchObject({ apuntados: 1 });
    expect((await admin.call(deshacerRemesa, { params: { id: remesa?.id ?? '' } })).status).toBe(409);
    const [{ id }] = (await settledOnes()) as [api.Abono];
    await admin.call(api.soltarMovimiento, { params: { id } });
    expect((await admin.call(deshacerRemesa, { params: { id: remesa?.id ?? '' } })).status).toBe(200);
    expect((await admin.call(listDeEmpresas)).body.remesas).toEqual([]);
  });

  it('one sum for two remittances is proposed', async () => {
    await remitted([10000, 2500], null);
    await read([credit('SOCIEDAD ESTATAL CORREOS', 125)]);
    expect(await proposals()).toEqual([[125, 'liquidacion', ['liquidación 1 de Correos: 100', 'liquidación 2 de Correos: 25']]]);
    await accept();
    expect(await waiting()).toEqual([]);
    await agree();
  });

  it('cash that a carrier paid in closes the hand-over, and taking the movement back opens it', async () => {
    const carrier = await world.as('transportista');
    const { id } = await world.pedido();
    const pago = { pedido_id: id, proveedor: 'efectivo', referencia: '', importe_cents: 4000, estado: 'pagado' as const, caja_dia: DAY };
    await world.db
      .insertInto('pagos')
      .values({ ...pago, transportista_id: carrier.user.id })
      .execute();
    expect((await carrier.call(entregarCaja, { body: { dia: DAY, contado: 40, motivo: null } })).status).toBe(200);
    await read([credit('INGRESO EN EFECTIVO', 40)]);
    const reply = await accept();
    expect(reply.status, world.logged.slice(-2).join()).toBe(200);
    const estados = async () => (await admin.call(listCajas)).body.data.map(({ estado }) => estado);
    expect([await estados(), await waiting()]).toEqual([['confirmada'], []]);
    const [done] = await settledOnes();
    await admin.call(api.soltarMovimiento, { params: { id: done?.id ?? '' } });
    expect([await estados(), (await waiting()).length]).toEqual([['entregada'], 1]);
  });
});
