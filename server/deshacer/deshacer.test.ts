import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { entregarCaja, listCajas } from '../../contract/caja/caja.ts';
import { deshacerPaso, deshacerVarios, verDeshacer, verDeshacerVarios } from '../../contract/deshacer/deshacer.ts';
import { createDevolucion, listDevoluciones, pedirResto } from '../../contract/devoluciones/devoluciones.ts';
import { cerrarMes, pagarLiquidaciones, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anotarPago, devolverPago, listPagos } from '../../contract/payments/payments.ts';
import {
  assignTransportista,
  createPedido,
  getHistorial,
  getPedido,
  isWhole,
  listIntentos,
  setEstado,
} from '../../contract/pedidos/pedidos.ts';
import type { ReversalName } from '../../contract/pedidos/reversals.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { dayInMadrid } from '../../test/day.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../test/roles-world.ts';
import type { Person } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

worldForEachTest();
let other: Person;
beforeEach(async () => {
  other = await world.as(await world.user({ role: 'transportista' }));
});

const REASON = 'Era el pedido del vecino';
const undo = (id: string, paso: ReversalName, { by = admin, ...more }: { by?: Person; motivo?: string | null; ocurrido?: string } = {}) =>
  by.call(deshacerPaso, { params: { id }, body: { paso, motivo: REASON, ...more } });
const preview = async (id: string, by = admin) => (await by.call(verDeshacer, { params: { id } })).body.data;
async function see(id: string) {
  const { data } = (await admin.call(getPedido, { params: { id } })).body;
  return isWhole(data) ? data : expect.fail('not whole');
}
const payments = async (id: string) => (await admin.call(listPagos, { params: { id } })).body.data;
const set = (body: object) => admin.call(updateSettings, { body: body as never });
const balanced = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);

const onRoad = (fields: object = {}) => world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, ...fields });
const step = async (id: string, estado: 'en_ruta' | 'completado' | 'asignado' | 'cancelado', more: object = {}, by = carrier) =>
  expect((await by.call(setEstado, { params: { id }, body: { estado, ...more } as never })).status).toBe(200);
const deliver = (id: string, more: object = {}, by = carrier) => step(id, 'completado', { metodo_entrega: 'manual', ...more }, by);
const CASH = { cobrado: 25, cobrado_metodo: 'efectivo' };
const atDoor = () => onRoad({ contra_reembolso: true, precio_total_cents: 2500 });
/** Makes the last step of an order older, by this many minutes. */
const age = (id: string, minutes: number) =>
  sql`UPDATE pedidos_historial SET created_at = created_at - make_interval(mins => ${minutes}) WHERE pedido_id = ${id}`.execute(world.db);

describe('a delivery that is taken back', () => {
  it('gives the order back its estado, its carrier and what the delivery overwrote', async () => {
    const { id } = await onRoad({ empresa_transporte: 'correos', numero_seguimiento: 'PQ12' });
    await deliver(id, { metodo_entrega: 'mrw', numero_seguimiento: 'MRW9' });
    expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
    const after = await see(id);
    expect(after).toMatchObject({
      estado: 'en_ruta',
      transportista_id: carrier.user.id,
      empresa_transporte: 'correos',
      numero_seguimiento: 'PQ12',
      metodo_entrega: null,
      fecha_completado: null,
    });
    expect(dayInMadrid(after.entrega_anulada_at ?? undefined)).toBe(dayInMadrid());
    const [latest, made] = (await admin.call(getHistorial, { params: { id } })).body.data;
    expect([latest, made]).toMatchObject([
      { accion: 'Entrega deshecha', estado_anterior: 'completado', estado_nuevo: 'en_ruta', nota: REASON },
      { accion: 'Entregado', estado_nuevo: 'completado' },
    ]);
    await balanced();
  });

  it('gives an order back to the company that had it', async () => {
    const { id } = await world.pedido({ en_empresa: 'Correos', en_empresa_at: new Date().toISOString(), empresa_transporte: 'correos' });
    await deliver(id, { metodo_entrega: 'correos' }, admin);
    expect(await see(id)).toMatchObject({ estado: 'completado', en_empresa: null });
    await undo(id, 'deshacer_entrega');
    expect(await see(id)).toMatchObject({ estado: 'pendiente', en_empresa: 'Correos', transportista_id: null });
  });

  it('wants a reason', async () => {
    const { id } = await onRoad();
    await deliver(id);
    expect(await undo(id, 'deshacer_entrega', { motivo: null })).toMatchObject({
      status: 422,
      body: { errors: { motivo: ['Indica el motivo'] } },
    });
    expect((await see(id)).estado).toBe('completado');
  });

  it('is undone once, and can be delivered and undone again', async () => {
    const { id } = await atDoor();
    await set({ cashOnDelivery: true });
    for (let i = 0; i < 2; i += 1) {
      await deliver(id, CASH);
      expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
      expect(await undo(id, 'deshacer_entrega')).toMatchObject({ status: 409 });
    }
    expect(await see(id)).toMatchObject({ estado: 'en_ruta', pagado: 0, por_cobrar: 25 });
    expect((await payments(id)).map(({ estado }) => estado)).toEqual(['anulado', 'anulado']);
    expect((await carrier.call(listCajas)).body.data).toEqual([]);
    await balanced();
  });

  it('says beforehand what it will take back', async () => {
    await set({ cashOnDelivery: true });
    await admin.call(setGanancia, { params: { id: carrier.user.id }, body: { tarifas: [{ zona: 'peninsula', entrega: 3, intento: 1 }] } });
    const { id } = await atDoor();
    await deliver(id, CASH);
    const seen = await preview(id);
    expect(seen).toMatchObject({ paso: 'deshacer_entrega', vuelve_a: 'en_ruta', con_motivo: true, rechazo: null });
    expect(seen.consecuencias.map((words) => words.replace(/\s/g, ' '))).toEqual([
      'Lo que hizo la entrega se anula con apuntes en contra. No se borra nada.',
      `Los 25,00 € (Efectivo) salen de lo cobrado por ${carrier.user.full_name}`,
      `Se anula lo que ganan con ella ${carrier.user.full_name}`,
    ]);
    expect((await see(id)).estado).toBe('completado');
    expect((await preview(id, carrier)).consecuencias).toContain('Se anula lo que ganas con ella');
  });

  it('tells the reseller and the carrier, who were told of the delivery', async () => {
    const { id, numero_orden, cliente_nombre } = await onRoad({ revendedor_id: reseller.user.id });
    await deliver(id);
    await undo(id, 'deshacer_entrega');
    const texto = `Entrega deshecha: ${numero_orden} (${cliente_nombre}). ${REASON}`;
    for (const who of [reseller, carrier])
      expect((await who.call(listNotifications)).body.data[0]).toMatchObject({ tipo: 'paso_deshecho', texto });
    expect((await admin.call(listNotifications)).body.data).not.toContainEqual(expect.objectContaining({ texto }));
  });

  it('the mail to the reseller names order, customer and reason, and leads to the order', async () => {
    await set({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1' });
    const { id, numero_orden, cliente_nombre } = await onRoad({ revendedor_id: reseller.user.id });
    await deliver(id);
    await undo(id, 'deshacer_entrega');
    const mails = await world.db.selectFrom('outbox').select(['recipient', 'payload']).where('channel', '=', 'correo').execute();
    const [, last] = mails.map(({ recipient, payload }) => [recipient, payload] as unknown as [string, Record<string, string>]);
    const asunto = `Entrega deshecha: ${numero_orden} (${cliente_nombre}). ${REASON}`;
    const texto = `${asunto}\n\nVer en Enruta: {{origin}}/mis-pedidos?search=${numero_orden}\n\n— Enruta`;
    expect(last).toMatchObject([reseller.user.email, { asunto, texto }]);
  });
});

describe('money of a delivery that is taken back', () => {
  beforeEach(() => set({ cashOnDelivery: true }));
  const today = () => dayInMadrid();

  it('cash that was handed over is owed to whoever paid it, and the order is to be collected again', async () => {
    const { id } = await atDoor();
    await deliver(id, CASH);
    await carrier.call(entregarCaja, { body: { dia: today(), contado: 25, motivo: null } });
    expect((await preview(id)).consecuencias.join()).toMatch(/25,00\s€ \(Efectivo\) ya están en la oficina: quedan por devolver/);
    expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
    expect(await see(id)).toMatchObject({ estado: 'en_ruta', pagado: 0, por_cobrar: 25 });
    const [pago] = await payments(id);
    expect(pago).toMatchObject({ estado: 'devolucion_pendiente', nota: 'Entrega deshecha: devolver a quien lo pagó' });
    expect((await carrier.call(listCajas)).body.data).toMatchObject([{ estado: 'entregada', esperado: 25 }]);
    expect((await admin.call(devolverPago, { params: { id: pago?.id ?? '' }, body: { nota: 'A Luis' } })).status).toBe(200);
    await balanced();
  });

  it('a carrier cannot take back a delivery whose cash is handed over', async () => {
    const { id } = await atDoor();
    await deliver(id, CASH);
    await carrier.call(entregarCaja, { body: { dia: today(), contado: 25, motivo: null } });
    expect(await undo(id, 'deshacer_entrega', { by: carrier })).toMatchObject({
      status: 409,
      body: { message: 'Lo cobrado ya está entregado o comprobado: pide a la oficina que deshaga la entrega' },
    });
  });

  it('what had been paid before the delivery stays paid', async () => {
    const { id } = await atDoor();
    await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 10, fecha: today() } });
    await deliver(id, { cobrado: 15, cobrado_metodo: 'tarjeta' });
    await undo(id, 'deshacer_entrega');
    expect(await see(id)).toMatchObject({ pagado: 10, por_cobrar: 15 });
    await balanced();
  });

  it('a payment noted after the delivery stays', async () => {
    const { id } = await onRoad({ precio_total_cents: 2500 });
    await deliver(id);
    await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 25, fecha: today() } });
    await undo(id, 'deshacer_entrega');
    expect(await see(id)).toMatchObject({ estado: 'en_ruta', pagado: 25 });
  });

  it('goods that came back later must be taken back first', async () => {
    const { id } = await onRoad({ precio_total_cents: 2500 });
    await deliver(id);
    await admin.call(createDevolucion, {
      params: { id },
      body: { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro' },
    });
    expect(await undo(id, 'deshacer_entrega')).toMatchObject({ status: 409, body: { message: /anula antes la devolución/ } });
    expect((await preview(id)).rechazo).toMatch(/anula antes la devolución/);
  });
});

describe('what people earned by a delivery that is taken back', () => {
  beforeEach(async () => {
    await admin.call(setGanancia, { params: { id: carrier.user.id }, body: { tarifas: [{ zona: 'peninsula', entrega: 3, intento: 1 }] } });
    await admin.call(setGanancia, { params: { id: reseller.user.id }, body: { margen: { tipo: 'porcentaje', valor: 10 } } });
  });
  const earned = async () =>
    (
      await sql<{
        concepto: string;
        cents: number;
      }>`SELECT concepto, sum(cents)::int AS cents FROM ganancias GROUP BY 1 ORDER BY 1`.execute(world.db)
    ).rows;
  const sold = (fields: object = {}) => onRoad({ revendedor_id: reseller.user.id, precio_total_cents: 2500, ...fields });

  it('each earning has a counter-entry, and the fee of a failed attempt stays', async () => {
    const { id } = await sold();
    await step(id, 'asignado', { motivo: 'No estaba' });
    await step(id, 'en_ruta');
    await deliver(id);
    expect(await earned()).toEqual([
      { concepto: 'entrega', cents: 300 },
      { concepto: 'intento', cents: 100 },
      { concepto: 'margen', cents: 250 },
    ]);
    await undo(id, 'deshacer_entrega');
    expect(await earned()).toEqual([
      { concepto: 'entrega', cents: 0 },
      { concepto: 'intento', cents: 100 },
      { concepto: 'margen', cents: 0 },
    ]);
    expect((await see(id)).motivo).toBe('No estaba');
    await deliver(id);
    await undo(id, 'deshacer_entrega');
    expect((await earned()).map(({ cents }) => cents)).toEqual([0, 100, 0]);
    await balanced();
  });

  it('the counter-entry of a closed month falls into the open one; a paid statement must be unpaid first', async () => {
    const { id } = await sold();
    await deliver(id);
    const month = sql`dia - interval '1 month'`;
    await sql`ALTER TABLE ganancias DISABLE TRIGGER USER`.execute(world.db);
    await sql`UPDATE ganancias SET dia = date_trunc('month', ${month})::date`.execute(world.db);
    await sql`ALTER TABLE ganancias ENABLE TRIGGER USER`.execute(world.db);
    const { mes } = (await sql<{ mes: string }>`SELECT to_char(min(dia), 'YYYY-MM') AS mes FROM ganancias`.execute(world.db)).rows[0] ?? {
      mes: '',
    };
    expect((await admin.call(cerrarMes, { body: { mes } })).status).toBe(200);
    expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
    const { rows } = await sql<{
      open: boolean;
      cents: number;
    }>`SELECT liquidacion_id IS NULL AS open, cents FROM ganancias ORDER BY cents`.execute(world.db);
    expect(rows).toEqual([
      { open: true, cents: -300 },
      { open: true, cents: -250 },
      { open: false, cents: 250 },
      { open: false, cents: 300 },
    ]);
    await deliver(id);
    const { rows: statements } = await sql<{ id: string }>`SELECT id FROM liquidaciones`.execute(world.db);
    expect(
      (await admin.call(pagarLiquidaciones, { body: { liquidaciones: statements, referencia: 'Remesa', fecha: dayInMadrid() } })).status,
    ).toBe(200);
    // The delivery that counts now is in no paid statement.
    expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
  });

  it('a delivery in a paid statement is not taken back', async () => {
    const { id } = await sold();
    await deliver(id);
    await sql`WITH l AS (INSERT INTO liquidaciones (numero, user_id, persona_nombre, role, mes, total_cents, num_lineas, cerrada_por_nombre, pagada_el, pago_referencia)
      VALUES ('LIQ-1', ${carrier.user.id}, 'Luis', 'transportista', '2026-01-01', 300, 1, 'Ana', '2026-02-01', 'R') RETURNING id)
      UPDATE ganancias SET liquidacion_id = l.id FROM l WHERE user_id = ${carrier.user.id}`.execute(world.db);
    expect(await undo(id, 'deshacer_entrega')).toMatchObject({
      status: 409,
      body: { message: /^La liquidación LIQ-1 de .* ya está pagada: quita antes «Pagada»/ },
    });
    expect((await see(id)).estado).toBe('completado');
  });
});

describe('a part of a delivery that is taken back', () => {
  const MISSING = { no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] };

  it('the goods that were not delivered are part of the order again', async () => {
    await set({ partialDeliveries: true });
    const pack = await world.pack({ pack_price_cents: 1000 });
    const { id } = (
      await admin.call(createPedido, { body: { pack_id: pack.id, cantidad: 3, cliente_nombre: 'Ana', cliente_direccion: 'C 1' } as never })
    ).body.data;
    const before = await see(id);
    await deliver(id, MISSING, admin);
    expect(await see(id)).toMatchObject({ entrega_parcial: true, cantidad_devuelta: 1 });
    expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
    expect(await see(id)).toMatchObject({
      estado: 'pendiente',
      entrega_parcial: false,
      cantidad_devuelta: 0,
      unidades_retenidas: before.unidades_retenidas,
      pendiente: before.pendiente,
    });
    expect((await admin.call(listDevoluciones, { params: { id } })).body.data[0]).toMatchObject({ anulada_motivo: REASON });
    await balanced();
  });

  /** A paid order of 30 €, a third of it in an order of the rest, which its 10 € pay. */
  async function withRest() {
    await set({ partialDeliveries: true });
    const pack = await world.pack({ pack_price_cents: 1000 });
    const body = { pack_id: pack.id, cantidad: 3, cliente_nombre: 'Ana', cliente_direccion: 'C 1' };
    const { id } = (await admin.call(createPedido, { body: body as never })).body.data;
    await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 30, fecha: dayInMadrid() } });
    await deliver(id, MISSING, admin);
    const [left] = (await admin.call(listDevoluciones, { params: { id } })).body.data;
    const rest = (await admin.call(pedirResto, { params: { id: left?.id ?? '' } })).body.data;
    return { id, rest };
  }

  it('an order of the rest that nobody has touched is joined again, with its money', async () => {
    const { id, rest } = await withRest();
    expect((await preview(id)).consecuencias).toContain(`El pedido ${rest.numero_orden}, del resto, se cancela`);
    expect(await undo(id, 'deshacer_entrega')).toMatchObject({ status: 200 });
    expect(await see(id)).toMatchObject({ estado: 'pendiente', cantidad_devuelta: 0, pagado: 30, reembolsado: 0, por_reembolsar: 0 });
    expect(await see(rest.id)).toMatchObject({ estado: 'cancelado', pagado: 0, por_reembolsar: 0 });
    expect((await payments(rest.id)).map(({ estado }) => estado)).toEqual(['anulado']);
    await balanced();
  });

  it('an order of the rest that moved on is named, and nothing changes', async () => {
    const { id, rest } = await withRest();
    await admin.call(assignTransportista, { params: { id: rest.id }, body: { transportista_id: carrier.user.id } });
    const message = `El resto va en el pedido ${rest.numero_orden}, que ya ha cambiado: cancélalo antes`;
    expect(await undo(id, 'deshacer_entrega')).toMatchObject({ status: 409, body: { message } });
    expect([(await see(id)).estado, (await see(rest.id)).estado]).toEqual(['completado', 'asignado']);
  });
});

describe('who may take a delivery back', () => {
  it('the carrier who made it, within the minutes of the settings', async () => {
    const { id } = await onRoad();
    await deliver(id);
    await age(id, 14);
    expect((await undo(id, 'deshacer_entrega', { by: carrier })).status).toBe(200);
  });

  it('afterwards only the office, which the refusal names', async () => {
    const { id } = await onRoad();
    await deliver(id);
    await age(id, 16);
    expect(await undo(id, 'deshacer_entrega', { by: carrier })).toMatchObject({
      status: 409,
      body: { message: 'Han pasado más de 15 minutos: pide a la oficina que la deshaga' },
    });
    expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
  });

  it('with 0 minutes only the office', async () => {
    await set({ undoDeliveryMinutes: 0 });
    const { id } = await onRoad();
    await deliver(id);
    expect(await undo(id, 'deshacer_entrega', { by: carrier })).toMatchObject({ status: 409, body: { message: /Solo la oficina/ } });
  });

  it('a carrier who takes it back without coverage is measured by the telephone’s own time', async () => {
    const { id } = await onRoad();
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await age(id, 300);
    await deliver(id, { ocurrido: at(120) });
    expect((await undo(id, 'deshacer_entrega', { by: carrier, ocurrido: at(110) })).status).toBe(200);
    const [latest] = (await admin.call(getHistorial, { params: { id } })).body.data;
    expect(Date.parse(latest?.ocurrido_at ?? '') / 60_000).toBeCloseTo(Date.parse(at(110)) / 60_000, 0);
  });

  it('not the carrier of another delivery, a reseller, or the carrier of what the office completed', async () => {
    const { id } = await onRoad({ revendedor_id: reseller.user.id });
    await deliver(id);
    expect((await undo(id, 'deshacer_entrega', { by: other })).status).toBe(404);
    expect((await undo(id, 'deshacer_entrega', { by: reseller })).status).toBe(403);
    const { id: second } = await onRoad();
    await deliver(second, {}, admin);
    expect(await undo(second, 'deshacer_entrega', { by: carrier })).toMatchObject({ status: 409, body: { message: /no la has hecho tú/ } });
  });

  it('nobody, once the customer’s data is anonymised or the order is deleted', async () => {
    const { id } = await onRoad();
    await deliver(id);
    await sql`UPDATE pedidos SET anonimizado_at = now() WHERE id = ${id}`.execute(world.db);
    expect((await undo(id, 'deshacer_entrega')).status).toBe(409);
    await sql`UPDATE pedidos SET anonimizado_at = NULL, deleted_at = now() WHERE id = ${id}`.execute(world.db);
    expect((await undo(id, 'deshacer_entrega')).status).toBe(409);
  });

  it('an order that was made delivered has nothing to take back', async () => {
    const { id } = await world.pedido({ estado: 'completado' });
    expect(await undo(id, 'deshacer_entrega')).toMatchObject({ status: 409 });
  });
});

describe('an order that had left and comes back', () => {
  it('has the estado of before, without an attempt or a fee', async () => {
    for (const estado of ['asignado', 'en_proceso'] as const) {
      const { id } = await world.pedido({ estado, transportista_id: carrier.user.id });
      await step(id, 'en_ruta');
      expect((await undo(id, 'volver_de_ruta', { by: carrier, motivo: null })).status).toBe(200);
      expect((await see(id)).estado).toBe(estado);
      expect((await admin.call(listIntentos, { params: { id } })).body.data).toEqual([]);
    }
    await balanced();
  });

  it('a carrier gives a reason after an hour, the office never', async () => {
    const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    await step(id, 'en_ruta');
    await age(id, 61);
    expect((await preview(id, carrier)).con_motivo).toBe(true);
    expect((await undo(id, 'volver_de_ruta', { by: carrier, motivo: null })).status).toBe(422);
    expect((await undo(id, 'volver_de_ruta', { by: carrier, motivo: 'No me ha dado tiempo' })).status).toBe(200);
    await step(id, 'en_ruta');
    await age(id, 61);
    expect((await undo(id, 'volver_de_ruta', { motivo: null })).status).toBe(200);
  });

  it('after a failed attempt there is no departure to take back', async () => {
    const { id } = await onRoad();
    await step(id, 'asignado', { motivo: 'No estaba' });
    expect((await undo(id, 'volver_de_ruta', { by: carrier })).status).toBe(409);
  });

  it('no reseller reads of it, and nobody reads of a failed attempt', async () => {
    const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id, revendedor_id: reseller.user.id });
    await step(id, 'en_ruta');
    await undo(id, 'volver_de_ruta', { by: carrier });
    const notices = [...(await reseller.call(listNotifications)).body.data, ...(await admin.call(listNotifications)).body.data];
    expect(notices.map(({ tipo }) => tipo)).toEqual(['paso_deshecho']);
  });
});

describe('a cancelled order that is reopened', () => {
  const make = async (body: object = {}) => {
    const pack = await world.pack({ pack_price_cents: 1000 });
    const { id } = (
      await admin.call(createPedido, {
        body: { pack_id: pack.id, cantidad: 2, cliente_nombre: 'Ana', cliente_direccion: 'C 1', ...body } as never,
      })
    ).body.data;
    return { id, product: pack.product_id };
  };
  const cancel = (id: string) => step(id, 'cancelado', { motivo: 'Por error' }, admin);
  const stockOf = async (id: string) =>
    (await sql<{ stock: number }>`SELECT stock FROM products WHERE id = ${id}`.execute(world.db)).rows[0]?.stock ?? 0;

  it('takes its units again, or says how many are left', async () => {
    const { id, product } = await make();
    const taken = await stockOf(product);
    await cancel(id);
    expect(await undo(id, 'reabrir')).toMatchObject({ status: 200 });
    expect([await stockOf(product), (await see(id)).estado]).toEqual([taken, 'pendiente']);
    await cancel(id);
    await sql`UPDATE products SET stock = 2 WHERE id = ${product}`.execute(world.db);
    expect(await undo(id, 'reabrir')).toMatchObject({ status: 422, body: { message: /quedan/ } });
    expect((await see(id)).estado).toBe('cancelado');
  });

  it('payments that waited for their refund pay it again; refunds that were made stay made', async () => {
    const { id } = await make({ estado: 'pendiente_pago' });
    for (const importe of [5, 15])
      await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid() } });
    await cancel(id);
    const five = (await payments(id)).find(({ importe }) => importe === 5);
    await admin.call(devolverPago, { params: { id: five?.id ?? '' }, body: { nota: null } });
    expect((await preview(id)).consecuencias.join(' ')).toMatch(/15,00\s€.*vuelven a pagar.*Quedan por cobrar 5,00\s€/);
    expect((await undo(id, 'reabrir')).status).toBe(200);
    expect(await see(id)).toMatchObject({ estado: 'pendiente_pago', pagado: 15, pendiente: 5 });
    await balanced();
  });

  it('money owed for a delivery that was taken back stays owed', async () => {
    await set({ cashOnDelivery: true });
    const { id } = await atDoor();
    await deliver(id, CASH);
    await carrier.call(entregarCaja, { body: { dia: dayInMadrid(), contado: 25, motivo: null } });
    await undo(id, 'deshacer_entrega');
    await cancel(id);
    await undo(id, 'reabrir');
    expect(await see(id)).toMatchObject({ estado: 'pendiente', pagado: 0, por_cobrar: 25 });
    expect((await payments(id))[0]?.estado).toBe('devolucion_pendiente');
    await balanced();
  });

  it('is for the office alone', async () => {
    const { id } = await make();
    await cancel(id);
    for (const by of [reseller, carrier]) expect([403, 404]).toContain((await undo(id, 'reabrir', { by })).status);
  });
});

it('of two who take the same delivery back at once one does, and the other reads why not', async () => {
  const { id } = await onRoad();
  await deliver(id);
  const both = await Promise.all([undo(id, 'deshacer_entrega'), undo(id, 'deshacer_entrega', { by: carrier })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  await balanced();
});

describe('several orders at once', () => {
  const take = (pedidos: { id: string; paso: ReversalName }[], by = admin) =>
    by.call(deshacerVarios, { body: { pedidos, motivo: REASON } });

  it('each is taken back on its own, and a refused one stops no others', async () => {
    const [first, second, third] = [await onRoad(), await onRoad(), await onRoad()];
    await deliver(first.id);
    await deliver(second.id);
    await undo(second.id, 'deshacer_entrega');
    const ids = [first.id, second.id, third.id];
    const seen = (await admin.call(verDeshacerVarios, { body: { ids } })).body.data;
    expect(new Map(seen.map(({ id, paso }) => [id, paso]))).toEqual(
      new Map([
        [first.id, 'deshacer_entrega'],
        [second.id, 'volver_de_ruta'],
        [third.id, 'volver_de_ruta'],
      ]),
    );
    const { data, hechos } = (await take([first, second].map(({ id }) => ({ id, paso: 'deshacer_entrega' as const })))).body;
    expect([hechos, data.map(({ ok, numero_orden }) => [ok, numero_orden])]).toEqual([
      1,
      [
        [true, first.numero_orden],
        [false, second.numero_orden],
      ],
    ]);
    expect((await see(first.id)).estado).toBe('en_ruta');
    await balanced();
  });

  it('is for the office alone', async () => {
    const { id } = await onRoad();
    for (const by of [reseller, carrier]) expect((await take([{ id, paso: 'volver_de_ruta' }], by)).status).toBe(403);
    expect((await see(id)).estado).toBe('en_ruta');
  });
});
