import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recibirMercancia } from '../../../contract/devoluciones/devoluciones.ts';
import { createEnvio, leerRespuesta, sacarDeEnvio as sacar } from '../../../contract/envios/envios.ts';
import { anotarPago, reembolsarSobra } from '../../../contract/payments/payments.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { mayLeave, situationIds } from '../../../contract/pedidos/situation.ts';
import { type Paso, SITUATION_IDS, type SituationId } from '../../../contract/pedidos/situations.ts';
import { ROLES, type Role, SISTEMA } from '../../../contract/policy/policy.ts';
import { getRuta } from '../../../contract/ruta/ruta.ts';
import { autoAsignar } from '../../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { EARLIER, makeOrder } from '../../../test/situation-orders.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';
import { presentOrder } from './present.ts';
import { COLUMNS } from './row.ts';
import { leavesSql, situationSql } from './situation.ts';

/* Every situation, asked by every role: the API says it, in the order and in its list, and takes each step that it offers. */

let world: World;
let people: Record<Role, Person>;
let batch: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  people = await everyRole(world);
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ shipmentFiles: true, dayRoute: true }) as never })
    .execute();
  const { id } = await world.pedido();
  batch = (await people.superadmin.call(createEnvio, { body: { plantilla: 'correos', ids: [id], aunque_tenga_envio: false } })).body.data
    .id;
});

const make = (id: SituationId) => makeOrder(world, people, batch, id);

/** How each step is taken; a transition by its estado. */
function take(who: Person, paso: Paso, pedido: api.Pedido) {
  const params = { id: pedido.id };
  const setEstado = (estado: string, more: object = {}) =>
    who.call(api.setEstado, { params, body: { estado, paso, ...more } as { estado: 'asignado' } });
  const steps: Record<Paso, () => Promise<{ status: number; body: unknown }>> = {
    pagar: () => setEstado('pendiente', { referencia: 'TR-1' }),
    asignar: () => who.call(api.assignTransportista, { params, body: { transportista_id: people.transportista.user.id } }),
    tomar: () => who.call(autoAsignar, { params }),
    preparar: () => setEstado('en_proceso'),
    salir: () => setEstado('en_ruta'),
    completar: () => setEstado('completado', { metodo_entrega: 'manual' }),
    fallar: () => setEstado('asignado', { motivo: 'Ausente' }),
    volver: () => setEstado('asignado'),
    devolver: () => setEstado('pendiente'),
    cancelar: () => setEstado('cancelado'),
    responder: () => who.call(api.responderIncidencia, { params, body: { respuesta: 'recogida' } }),
    leer_respuesta: () =>
      who.call(leerRespuesta, {
        params: { id: batch },
        body: { filas: [{ referencia: pedido.numero_orden, seguimiento: null, estado: 'Ausente' }] },
      }),
    sacar: () => who.call(sacar, { body: { ids: [pedido.id] } }),
    cobrar: () => who.call(anotarPago, { params, body: { metodo: 'bizum', importe: 1, fecha: dayInMadrid() } }),
    pedir_pago: async () => ({ status: pedido.payment_link ? 200 : 404, body: undefined }),
    reembolsar: () => who.call(reembolsarSobra, { params, body: { importe: 1 } }),
    recibir: () => who.call(recibirMercancia, { params, body: { destino: 'stock' } }),
    restaurar: () => who.call(api.restorePedido, { params }),
  };
  return steps[paso]();
}

describe.each(SITUATION_IDS)('%s', (situation) => {
  test.each(ROLES)('%s reads it in the order and in the list, and no offered step is refused', async (role) => {
    const who = people[role];
    const id = await make(situation);
    const { status, body } = await who.call(api.getPedido, { params: { id } });
    if (!('data' in body)) return expect([role, status]).toEqual([expect.stringMatching(/transportista|revendedor/), 404]);
    const { situacion } = body.data;
    // A carrier sees no money and, once it is delivered, less of an order.
    if (role !== 'transportista') expect(situacion?.id).toBe(situation);
    expect(situacion?.frase).toMatch(/^[\p{Lu}\d]/u);
    expect(situacion?.frase).not.toMatch(role === 'transportista' ? /€|[{}[\]]/ : /[{}[\]]/);
    const listed = (await who.call(api.listPedidos, { query: { ids: id } })).body.data;
    for (const row of listed) expect(row.situacion).toEqual(situacion);
    for (const paso of [situacion?.paso ?? [], situacion?.otros ?? []].flat()) {
      const fresh = await make(situation);
      const before = (await who.call(api.getPedido, { params: { id: fresh } })).body.data as api.Pedido;
      const taken = await take(who, paso, before);
      expect([paso, taken.status, taken.status < 300 ? '' : taken.body]).toEqual([paso, expect.any(Number), '']);
    }
  });
});

test('the situations in SQL are those of the contract', async () => {
  for (const id of SITUATION_IDS) await make(id);
  const rows = await world.db.selectFrom('pedidos').select(COLUMNS).execute();
  const clock = { now: new Date(), zone: 'Europe/Madrid' };
  const orders = rows.map((row) => presentOrder(SISTEMA, row, '') as api.Pedido);
  const idsWhere = async (condition: ReturnType<typeof situationSql>) =>
    (await world.db.selectFrom('pedidos').select('id').where(condition).execute()).map(({ id }) => id).sort();
  const idsOf = (wanted: (order: api.Pedido) => boolean) =>
    orders
      .filter(wanted)
      .map(({ id }) => id)
      .sort();
  for (const id of SITUATION_IDS)
    expect([id, await idsWhere(situationSql(id))]).toEqual([
      id,
      // Lists leave deleted orders out by themselves.
      idsOf((order) => situationIds({ ...order, deleted_at: id === 'eliminado' ? order.deleted_at : null }, clock).includes(id)),
    ]);
  expect(await idsWhere(leavesSql)).toEqual(idsOf(mayLeave));
});

test('an order that waits, is with a company or is collected is no stop of a route', async () => {
  const mine = { estado: 'asignado', transportista_id: people.transportista.user.id } as const;
  const place = { cliente_codigo_postal: '45001', cliente_ciudad: 'Toledo' };
  for (const set of [{ incidencia_at: EARLIER }, { en_empresa: 'Correos', en_empresa_at: EARLIER }, { recoge_at: EARLIER }])
    await world.pedido({ ...mine, ...place, ...set });
  const { id } = await world.pedido({ ...mine, ...place });
  expect((await people.transportista.call(getRuta)).body.data.paradas.map((stop) => stop.id)).toEqual([id]);
});

test('a list is filtered by any situation, and sorted by what matters most; a carrier by none of money', async () => {
  const orders = new Map<SituationId, string>();
  for (const id of SITUATION_IDS) orders.set(id, await make(id));
  const list = async (query: object, who = people.superadmin) => who.call(api.listPedidos, { query: { per_page: 100, ...query } });
  const clock = { now: new Date(), zone: 'Europe/Madrid' };
  for (const id of SITUATION_IDS.filter((id) => id !== 'eliminado')) {
    const { data } = (await list({ situacion: id })).body;
    expect([id, data.map((order) => order.id)]).toEqual([id, expect.arrayContaining([orders.get(id)])]);
    for (const order of data) expect(situationIds(order, clock)).toContain(id);
  }
  for (const dir of ['asc', 'desc']) {
    const ranks = (await list({ sort: 'situacion', dir })).body.data.map(({ situacion }) =>
      SITUATION_IDS.indexOf(situacion?.id ?? 'cancelado'),
    );
    expect(ranks).toEqual(ranks.toSorted((a, b) => (dir === 'asc' ? a - b : b - a)));
  }
  const carrier = people.transportista;
  const statuses = [{ situacion: 'por_cobrar' }, { sort: 'situacion' }, { situacion: 'atrasado' }, { situacion: 'espera_respuesta' }];
  expect(await Promise.all(statuses.map(async (query) => (await list(query, carrier)).status))).toEqual([403, 403, 200, 200]);
});
