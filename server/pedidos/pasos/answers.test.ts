import { describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { getHistorial } from '../../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';
import { type Tx, transact } from '../../db/open.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { answerIncident, daysFor, openIncident, postponePedido, postponeToDay } from './incident.ts';

/* What an answer or another day writes and tells. */

worldForEachTest();

const NOW = '2026-01-05T10:00:00.000Z';
type Given = Parameters<typeof world.pedido>[0];
const order = (fields: Given = {}) =>
  world.pedido({ estado: 'asignado', revendedor_id: reseller.user.id, transportista_id: carrier.user.id, ...fields });
const within = <T>(id: string, work: (tx: Tx, row: PedidoRow) => Promise<T>): Promise<T> =>
  transact(world.db, async (tx) => work(tx, await lockPedido(tx, SISTEMA, id)));
const stored = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const steps = async (id: string) =>
  (await admin.call(getHistorial, { params: { id } })).body.data.map(({ accion, nota }) => [accion, nota]);
const messages = async (who: Person, tipo: string) =>
  (await who.call(listNotifications)).body.data.filter((notice) => notice.tipo === tipo).map(({ texto, enlace }) => [texto, enlace]);
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    ({ status, body }) => [status, body.message],
  );
const dayFor = async (id: string, n = 0) => (await within(id, (tx, row) => daysFor(tx, row)))[n] ?? '';
const wordsOf = (dia: string) =>
  new Intl.DateTimeFormat('es-ES', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(new Date(dia))
    .replace(',', '');

describe('a failed delivery that a company reports', () => {
  const report = (id: string) => within(id, (tx, row) => openIncident(tx, admin.user, row, 'MRW', 'Ausente'));
  const attempts = (id: string) =>
    world.db.selectFrom('intentos').select(['transportista_nombre', 'motivo']).where('pedido_id', '=', id).execute();

  it('of an order on its way is an attempt of its carrier, which waits for an answer at once', async () => {
    const { id } = await order({ estado: 'en_ruta' });
    await report(id);
    const { estado, motivo, intentos, incidencia_at } = await stored(id);
    expect([estado, motivo, intentos, incidencia_at !== null]).toEqual(['asignado', 'Ausente', 1, true]);
    expect((await steps(id)).map(([accion]) => accion)).toEqual(['No entregado', 'Intento fallido']);
    expect(await attempts(id)).toHaveLength(1);
  });

  it('of another order is an attempt of the company', async () => {
    const { id } = await world.pedido({ en_empresa: 'MRW', en_empresa_at: NOW, intentos: 2 });
    await report(id);
    const row = await stored(id);
    expect([row.estado, row.motivo, row.intentos, row.incidencia_at !== null, row.intento_at !== null]).toEqual([
      'pendiente',
      'Ausente',
      3,
      true,
      true,
    ]);
    expect([await steps(id), await attempts(id)]).toEqual([
      [['No entregado', 'Ausente']],
      [{ transportista_nombre: 'MRW', motivo: 'Ausente' }],
    ]);
  });

  it('keeps since when the order waits', async () => {
    const { id } = await world.pedido({ en_empresa: 'MRW', en_empresa_at: NOW, incidencia_at: NOW });
    await report(id);
    expect(new Date(String((await stored(id)).incidencia_at)).toISOString()).toBe(NOW);
  });
});

describe('an answer', () => {
  type Answer = Parameters<typeof answerIncident>[3];
  const answer = (id: string, body: object, who: Person = admin) => answerIncident(world.db, who.user, id, body as Answer);
  const waiting = (fields: Given = {}) => order({ incidencia_at: NOW, intentos: 3, ...fields });

  it('«otra_direccion» replaces the whole place, and tells the carrier', async () => {
    const { id, numero_orden } = await waiting({ recoge_at: NOW, cliente_direccion2: '2º B' });
    const { row, means } = await answer(id, {
      respuesta: 'otra_direccion',
      cliente_direccion: 'Plaza 2',
      cliente_ciudad: 'Getafe',
      nota: 'Trabajo',
    });
    expect(row).toMatchObject({
      cliente_direccion: 'Plaza 2',
      cliente_ciudad: 'Getafe',
      aviso_cliente: 'Otra dirección. Trabajo',
      incidencia_at: null,
      recoge_at: null,
    });
    expect([means, await steps(id)]).toEqual([undefined, [['Respuesta: Otra dirección', null]]]);
    expect(await messages(carrier, 'incidencia_respondida')).toEqual([
      [`${numero_orden}: Otra dirección. Trabajo`, `/pedidos-asignados?search=${numero_orden}`],
    ]);
  });

  it('«recogida» keeps when the customer said so', async () => {
    const { id, numero_orden } = await waiting();
    const start = Date.now();
    const { row } = await answer(id, { respuesta: 'recogida' }, reseller);
    expect([row.aviso_cliente, row.incidencia_at]).toEqual(['Lo recogerá en la tienda', null]);
    expect(Math.abs(new Date(String(row.recoge_at)).getTime() - start)).toBeLessThan(60_000);
    expect(await messages(carrier, 'incidencia_respondida')).toEqual([[`${numero_orden}: Lo recogerá en la tienda`, expect.anything()]]);
  });

  it.each([
    [undefined, 'No se pudo entregar'],
    ['Se mudó', 'Se mudó'],
  ])('«devolucion» cancels with the reason (%s)', async (nota, reason) => {
    const { id } = await waiting();
    expect((await answer(id, { respuesta: 'devolucion', nota })).row.estado).toBe('cancelado');
    expect((await steps(id))[0]).toEqual(['Pedido cancelado', reason]);
  });

  it('«otro_dia» postpones', async () => {
    const { id } = await waiting();
    const dia = await dayFor(id, 1);
    const { row } = await answer(id, { respuesta: 'otro_dia', dia, nota: 'Tarde' });
    expect([row.aviso_cliente, row.incidencia_at]).toEqual([`Entregar el ${wordsOf(dia)}. Tarde`, null]);
  });

  it.each<[string, Given, unknown]>([
    ['that waits for none', { incidencia_at: null }, [409, 'Este pedido no espera respuesta']],
    ['that is deleted', { deleted_at: NOW }, [409, 'El pedido está eliminado: restáuralo antes']],
    ['with blocked data', { bloqueado_at: NOW }, [409, expect.stringContaining('no se puede modificar')]],
  ])('is refused for an order %s', async (_, fields, wanted) => {
    expect(await refusal(answer((await waiting(fields)).id, { respuesta: 'recogida' }))).toEqual(wanted);
  });
});

describe('another day', () => {
  const postpone = (id: string, wish: { dia: string; nota?: string }, who: Person = admin) =>
    postponePedido(world.db, who.user, id, wish as never);

  it('is promised by hand, and ends waiting and collecting', async () => {
    const { id, version } = await order({ recoge_at: NOW, incidencia_at: NOW });
    const dia = await dayFor(id);
    const aviso_cliente = `Entregar el ${wordsOf(dia)}`;
    await world.db.updateTable('pedidos').set({ aviso_cliente, incidencia_at: null }).where('id', '=', id).execute();
    const row = await postpone(id, { dia });
    expect(row).toMatchObject({ aviso_cliente, fecha_estimada_fijada: true, incidencia_at: null, recoge_at: null, version: version + 1 });
    expect([row.aplazado_at === null, row.fecha_estimada === null]).toEqual([false, false]);
    expect((await postpone(id, { dia })).version).toBe(row.version);
    expect((await postpone(id, { dia, nota: 'Tarde' })).version).toBe(row.version + 1);
    expect(await steps(id)).toEqual([
      ['El cliente pide otro día', null],
      ['El cliente pide otro día', null],
    ]);
  });

  it('is told to carrier, reseller and office, each with a link of its own, but not to its author', async () => {
    const { id, numero_orden, cliente_nombre } = await order();
    const other = await world.as(await world.user({ role: 'superadmin' }));
    const dia = await dayFor(id);
    await postpone(id, { dia });
    const texto = `${cliente_nombre} no estará: pide ${numero_orden} el ${wordsOf(dia)}`;
    const seen = await Promise.all([carrier, reseller, other, admin].map((who) => messages(who, 'entrega_aplazada')));
    expect(seen).toEqual([
      [[texto, `/pedidos-asignados?search=${numero_orden}`]],
      [[texto, `/mis-pedidos?search=${numero_orden}`]],
      [[texto, `/pedidos/${id}`]],
      [],
    ]);
  });

  it('is one of the ten next days of delivery, for an order to be delivered', async () => {
    const { id } = await order();
    expect(await within(id, (tx, row) => daysFor(tx, row))).toHaveLength(10);
    expect(await refusal(postpone(id, { dia: '2026-01-05' }))).toEqual([422, 'Elige uno de los próximos días de reparto']);
    const done = await order({ estado: 'completado' });
    const dia = await dayFor(id);
    expect(await refusal(postpone(done.id, { dia }))).toEqual([409, 'Este pedido no se puede aplazar: no está por entregar']);
    expect(await refusal(within(done.id, (tx, row) => postponeToDay(tx, admin.user, row, { dia })))).toEqual([409, expect.anything()]);
  });
});
