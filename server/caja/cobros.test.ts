import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cobroSinLlegar, comprobarCobros, listCajas, listCobros, listSinRegistrar, registrarLoQuePaso } from '../../contract/caja/caja.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anularPago, listPagos } from '../../contract/payments/payments.ts';
import { getHistorial, getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

/* Card and Bizum at the door, and the money of refused deliveries (decision 092). */

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, revendedor: reseller, transportista: carrier } = await everyRole(world));
});

const carried = () =>
  world.pedido({ estado: 'en_ruta', contra_reembolso: true, precio_total_cents: 5000, transportista_id: carrier.user.id });
async function collect(cobrado_metodo: 'bizum' | 'tarjeta' | 'efectivo', more: object = {}) {
  const { id } = await carried();
  const body = { estado: 'completado', metodo_entrega: 'manual', cobrado: 50, cobrado_metodo, ...more } as const;
  expect((await carrier.call(setEstado, { params: { id }, body })).status).toBe(200);
  return id;
}
const list = async () => (await admin.call(listCobros)).body.data;
const confirm = (cobros: string[], who = admin) => who.call(comprobarCobros, { body: { cobros } });
const read = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const agrees = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
const notices = async (who: Person) => (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'diferencia_entrega');

describe('Bizum and card at the door', () => {
  it('Bizum and card payments at the door wait for the office to confirm, unlike cash', async () => {
    await collect('bizum');
    await collect('tarjeta');
    await collect('efectivo');
    const cobros = await list();
    expect(cobros).toMatchObject([
      { metodo: 'bizum', importe: 50, transportista_nombre: carrier.user.full_name },
      { metodo: 'tarjeta', importe: 50 },
    ]);
    expect((await admin.call(atencionStats)).body.data).toMatchObject({ cobros: 2 });
    const [id = ''] = cobros.map((cobro) => cobro.id);
    for (const who of [carrier, reseller]) expect((await confirm([id], who)).status).toBe(403);
    const replies = await Promise.all([confirm([id]), confirm([id])]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await list()).map(({ metodo }) => metodo)).toEqual(['tarjeta']);
    const annulled = await admin.call(anularPago, { params: { id }, body: { motivo: 'No era' } });
    expect([annulled.status, annulled.body.message]).toEqual([409, expect.stringContaining('ya se ha comprobado')]);
    expect((await admin.call(cobroSinLlegar, { params: { id }, body: { motivo: 'No era' } })).status).toBe(409);
  });

  it('a Bizum payment that never arrived is owed again, and the carrier is notified', async () => {
    const pedido = await collect('bizum');
    const [cobro] = await list();
    const { status } = await admin.call(cobroSinLlegar, { params: { id: cobro?.id ?? '' }, body: { motivo: 'No está en el banco' } });
    expect([status, await list()]).toEqual([200, []]);
    expect(await read(pedido)).toMatchObject({ pagado: 0, pendiente: 50 });
    expect(await notices(carrier)).toMatchObject([{ texto: expect.stringMatching(/Bizum de 50,00\s€.*No está en el banco/) }]);
    await agrees();
  });

  it('cash can neither be confirmed like a Bizum payment nor reported as never arrived', async () => {
    const pedido = await collect('efectivo');
    const [pago] = (await admin.call(listPagos, { params: { id: pedido } })).body.data;
    expect((await admin.call(cobroSinLlegar, { params: { id: pago?.id ?? '' }, body: { motivo: 'x' } })).status).toBe(404);
    expect((await confirm([pago?.id ?? ''])).status).toBe(409);
  });
});

describe('a difference at the door', () => {
  it('the office is notified if less was collected at the door than was due', async () => {
    await collect('efectivo', { cobrado: 40, cobrado_motivo: 'No tenía más' });
    expect(await notices(admin)).toMatchObject([{ texto: expect.stringMatching(/ha cobrado 40,00\s€ de 50,00\s€.*No tenía más/) }]);
  });
});

describe('the money of a refused delivery', () => {
  async function refused(cobrado_metodo: 'efectivo' | 'bizum' = 'efectivo', more: object = {}) {
    const { id } = await carried();
    await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado', motivo: 'Ya no lo quiere' } });
    const body = {
      pedido_id: id,
      paso: 'completar' as const,
      ocurrido: new Date().toISOString(),
      rechazo: 'Está cancelado',
      metodo_entrega: 'manual' as const,
      cobrado: 50,
      cobrado_metodo,
      ...more,
    };
    expect((await carrier.call(contarNoAceptado, { body })).status).toBe(200);
    return id;
  }
  const waiting = async () => (await admin.call(listSinRegistrar)).body.data;
  const register = (id: string, who = admin) => who.call(registrarLoQuePaso, { params: { id } });

  it('the cash of a refused delivery is booked once, in the Caja of its carrier, and due for refund', async () => {
    const pedido = await refused();
    const [entry] = (await admin.call(getHistorial, { params: { id: pedido } })).body.data;
    const [waits] = await waiting();
    expect([entry?.sin_registrar, waits]).toMatchObject([50, { id: entry?.id, importe: 50, metodo: 'efectivo' }]);
    expect((await admin.call(atencionStats)).body.data).toMatchObject({ sinRegistrar: 1 });
    // The money that waits is the office's matter.
    await world.db.updateTable('pedidos').set({ revendedor_id: reseller.user.id }).where('id', '=', pedido).execute();
    const [seen] = (await reseller.call(getHistorial, { params: { id: pedido } })).body.data;
    expect([seen?.id, seen?.sin_registrar]).toEqual([entry?.id, undefined]);
    for (const who of [carrier, reseller]) expect((await register(waits?.id ?? '', who)).status).toBe(403);
    const replies = await Promise.all([register(waits?.id ?? ''), register(waits?.id ?? '')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await carrier.call(listCajas)).body.data).toMatchObject([{ estado: 'abierta', esperado: 50, cobros: 1 }]);
    expect((await admin.call(listPagos, { params: { id: pedido } })).body.data).toMatchObject([{ estado: 'tardio', importe: 50 }]);
    expect((await admin.call(atencionStats)).body.data).toMatchObject({ sinRegistrar: 0, devoluciones: 1 });
    const [after] = (await admin.call(getHistorial, { params: { id: pedido } })).body.data;
    expect(after).toMatchObject({ accion: 'Registrado lo que pasó', nota: expect.stringMatching(/^Cobrado 50,00\s€ · Efectivo · /) });
    expect(await waiting()).toEqual([]);
    await agrees();
  });

  it('a Bizum payment of a refused delivery, once booked, waits for the office to confirm', async () => {
    await refused('bizum');
    const [waits] = await waiting();
    await register(waits?.id ?? '');
    expect([(await carrier.call(listCajas)).body.data, await list()]).toMatchObject([[], [{ metodo: 'bizum', importe: 50 }]]);
    await agrees();
  });

  it('the money of a refused delivery pays an order that is still open, and the excess is due for refund', async () => {
    const { id } = await carried();
    const body = { pedido_id: id, paso: 'completar', ocurrido: new Date().toISOString(), cobrado: 60, cobrado_metodo: 'efectivo' } as const;
    await carrier.call(contarNoAceptado, { body });
    const [waits] = await waiting();
    expect((await register(waits?.id ?? '')).status).toBe(200);
    expect(await read(id)).toMatchObject({ pagado: 60, pendiente: 0, por_reembolsar: 10 });
    await agrees();
  });

  it('the money of a refused delivery is offered once the phone stops retrying, and booked once', async () => {
    await refused('efectivo', { pendiente: true });
    expect(await waiting()).toEqual([]);
    const pedido = await refused();
    const again = {
      pedido_id: pedido,
      paso: 'completar',
      ocurrido: new Date().toISOString(),
      cobrado: 50,
      cobrado_metodo: 'efectivo',
    } as const;
    await carrier.call(contarNoAceptado, { body: again });
    const [first, second] = await waiting();
    expect((await register(first?.id ?? '')).status).toBe(200);
    const { status, body } = await register(second?.id ?? '');
    expect([status, body.message]).toEqual([200, 'Ese cobro ya estaba apuntado: no se apunta otra vez']);
    expect(await waiting()).toEqual([]);
    expect((await admin.call(listPagos, { params: { id: pedido } })).body.data).toHaveLength(1);
    await agrees();
  });

  it('the money of a refused delivery is not booked again after its payment was annulled', async () => {
    const { id } = await carried();
    const body = { pedido_id: id, paso: 'completar', ocurrido: new Date().toISOString(), cobrado: 50, cobrado_metodo: 'efectivo' } as const;
    await carrier.call(contarNoAceptado, { body });
    const [waits] = await waiting();
    await register(waits?.id ?? '');
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    expect((await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'No lo cobró' } })).status).toBe(200);
    expect((await register(waits?.id ?? '')).body.message).toBe('Esto ya está registrado');
  });
});
