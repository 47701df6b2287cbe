import { describe, expect, it } from 'vitest';
import { cargarPedido } from '../../../contract/etiquetas/etiquetas.ts';
import { assignTransportista, getHistorial } from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { admin, carrier, world, worldForEachTest } from '../../../test/roles-world.ts';
import { cargarPedido as load } from './cargar.ts';

/* Loading an order into the vehicle. */

worldForEachTest();

const at = async (id: string) =>
  (await world.db.selectFrom('pedidos').select('cargado_at').where('id', '=', id).executeTakeFirstOrThrow()).cargado_at;
const refusal = (id: string) =>
  load(world.db, carrier.user, id, { cargado: true }).then(
    () => '',
    ({ body }) => [body.message, body.code],
  );

describe('an order', () => {
  it.each(['asignado', 'en_proceso', 'en_ruta'] as const)('is loaded and unloaded in estado %s', async (estado) => {
    const { id } = await world.pedido({ estado, transportista_id: carrier.user.id });
    const start = Date.now();
    expect((await load(world.db, carrier.user, id, { cargado: true })).cargado_at).not.toBeNull();
    expect(Math.abs(new Date(String(await at(id))).getTime() - start)).toBeLessThan(60_000);
    const version = (await load(world.db, carrier.user, id, { cargado: true })).version;
    const unloaded = await load(world.db, carrier.user, id, { cargado: false });
    expect([unloaded.cargado_at, unloaded.version]).toEqual([null, version + 1]);
    const { data } = (await admin.call(getHistorial, { params: { id } })).body;
    expect(data.map(({ accion }) => accion)).toEqual(['Descargado del vehículo', 'Cargado en el vehículo']);
  });

  it('is loaded at the time that the telephone says', async () => {
    const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    const ocurrido = new Date(Date.now() - 7_200_000).toISOString();
    await load(world.db, carrier.user, id, { cargado: true, ocurrido });
    expect(new Date(String(await at(id))).toISOString()).toBe(ocurrido);
    const [step] = (await admin.call(getHistorial, { params: { id } })).body.data;
    expect(new Date(String(step?.ocurrido_at)).toISOString()).toBe(ocurrido);
  });

  it('is loaded neither by a former carrier, nor before it is taken, nor after its end', async () => {
    const other = await world.user({ role: 'transportista' });
    const lost = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    await admin.call(assignTransportista, { params: { id: lost.id }, body: { transportista_id: other.id } });
    const free = await world.pedido({ estado: 'pendiente' });
    const done = await world.pedido({ estado: 'completado', transportista_id: carrier.user.id });
    expect(await refusal(lost.id)).toEqual([expect.stringContaining(admin.user.full_name), 'retirado']);
    expect(await refusal(free.id)).toEqual(['Toma el pedido antes de cargarlo', 'estado']);
    expect(await refusal(done.id)).toEqual(['El pedido ya ha terminado', 'estado']);
  });

  it('may be loaded over HTTP where the shop loads', async () => {
    await admin.call(updateSettings, { body: { labelsAndLoading: true } });
    const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    expect((await carrier.call(cargarPedido, { params: { id }, body: { cargado: true } })).status).toBe(200);
  });
});
