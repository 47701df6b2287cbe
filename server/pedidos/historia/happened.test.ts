import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entregarCaja } from '../../../contract/caja/caja.ts';
import { cargarPedido } from '../../../contract/etiquetas/etiquetas.ts';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { getAbierta, setGanancia } from '../../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { placeWords } from '../../../contract/pedidos/direccion.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import {
  assignTransportista,
  getHistorial,
  getPedido,
  listIntentos,
  type Pedido,
  patchPedido,
  setEstado,
} from '../../../contract/pedidos/pedidos.ts';
import { PERSON } from '../../../contract/session/fields.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { transportistaStats } from '../../../contract/stats/stats.ts';
import { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';
import { transact } from '../../db/open.ts';
import { makeStatements } from '../../ganancias/statements.ts';

let world: World;
let admin: Person;
let nuria: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [admin, nuria] = [await world.as('superadmin'), await world.as('transportista')];
});

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const carried = (estado: 'asignado' | 'en_ruta' = 'en_ruta') => world.pedido({ estado, transportista_id: nuria.user.id });
type Body = BodyIn<typeof setEstado>;
const move = (id: string, body: Body, key: string = crypto.randomUUID(), who = nuria) =>
  who.call(setEstado, { params: { id }, body, headers: { 'idempotency-key': key } });
const complete = (id: string, ocurrido: string, key?: string, who?: Person) =>
  move(id, { estado: 'completado', metodo_entrega: 'manual', ocurrido }, key, who);
const history = async (id: string) => (await admin.call(getHistorial, { params: { id } })).body.data;
const completedAt = async (id: string) => {
  const { data } = (await admin.call(getPedido, { params: { id } })).body;
  return 'fecha_completado' in data ? data.fecha_completado : undefined;
};
const daysEarned = async () => {
  const { rows } = await sql<{ dia: string }>`SELECT dia::text FROM ganancias ORDER BY created_at`.execute(world.db);
  return rows.map(({ dia }) => dia);
};
const fees = async () => {
  const tarifas = [{ zona: 'peninsula' as const, entrega: 3, intento: 1 }];
  await admin.call(setGanancia, { params: { id: nuria.user.id }, body: { tarifas } });
};

describe('a step that happened without coverage', () => {
  it('a step without coverage counts for the time when it happened, in order, history, fee and figures', async () => {
    await fees();
    const [late, yesterday] = [await carried(), await carried()];
    expect((await complete(late.id, ago(3))).status).toBe(200);
    expect((await complete(yesterday.id, ago(26))).status).toBe(200);
    expect(Date.parse((await completedAt(yesterday.id)) ?? '')).toBeCloseTo(Date.now() - 26 * HOUR, -5);
    const [entry] = await history(yesterday.id);
    expect(Date.parse(entry?.ocurrido_at ?? '')).toBeCloseTo(Date.now() - 26 * HOUR, -5);
    expect(entry?.ocurrido_dicho).toBeNull();
    expect(await daysEarned()).toEqual([dayInMadrid(ago(3)), dayInMadrid(ago(26))]);
    const { completadasHoy } = (await nuria.call(transportistaStats, {})).body.data;
    expect(completadasHoy).toBe(dayInMadrid(ago(3)) === dayInMadrid() ? 1 : 0);
  });

  it('an impossible time of a step is corrected, and the history keeps the reported time', async () => {
    const { id } = await carried('asignado');
    expect((await move(id, { estado: 'en_ruta', ocurrido: ago(2) })).status).toBe(200);
    expect((await complete(id, ago(5))).status).toBe(200);
    const [second, first] = await history(id);
    expect(second?.ocurrido_at).toBe(first?.ocurrido_at);
    expect(Date.parse(second?.ocurrido_dicho ?? '')).toBeCloseTo(Date.now() - 5 * HOUR, -5);
    const ahead = await carried();
    await complete(ahead.id, ago(-1));
    expect((await history(ahead.id))[0]).toMatchObject({ ocurrido_at: null, ocurrido_dicho: expect.any(String) });
    expect(Date.parse((await completedAt(ahead.id)) ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it('attempts without coverage earn one fee per day, even if sent together', async () => {
    await fees();
    const { id } = await carried();
    for (const hours of [50, 49.9, 2]) {
      expect((await move(id, { estado: 'asignado', motivo: 'No había nadie', ocurrido: ago(hours) })).status).toBe(200);
      if (hours > 2) expect((await move(id, { estado: 'en_ruta', ocurrido: ago(hours) })).status).toBe(200);
    }
    expect(new Set(await daysEarned()).size).toBe((await daysEarned()).length);
    expect(await daysEarned()).toContain(dayInMadrid(ago(2)));
  });

  it('a step that happened without coverage dates attempts and payments by the time of the step', async () => {
    const failed = await carried();
    for (const hours of [50, 49, 26]) {
      await move(failed.id, { estado: 'asignado', motivo: 'Ausente', ocurrido: ago(hours) });
      await move(failed.id, { estado: 'en_ruta', ocurrido: ago(hours) });
    }
    const { data } = (await admin.call(listIntentos, { params: { id: failed.id } })).body;
    const hoursAgo = (at: string | null) => Math.round((Date.now() - Date.parse(at ?? '')) / HOUR);
    expect(data.map(({ created_at }) => hoursAgo(created_at))).toEqual([50, 49, 26]);
    const { incidencia_at } = await world.db
      .selectFrom('pedidos')
      .select('incidencia_at')
      .where('id', '=', failed.id)
      .executeTakeFirstOrThrow();
    expect(hoursAgo(incidencia_at)).toBe(26);

    const pay = async (hours: number) => {
      const { id } = await world.pedido({
        estado: 'en_ruta',
        contra_reembolso: true,
        precio_total_cents: 1000,
        transportista_id: nuria.user.id,
      });
      const cobro = { cobrado: 10, cobrado_metodo: 'efectivo' } as const;
      await move(id, { estado: 'completado', metodo_entrega: 'manual', ocurrido: ago(hours), ...cobro });
      const { rows } = await sql<{ fecha: string; caja: string }>`
        SELECT fecha::text, caja_dia::text AS caja FROM pagos WHERE pedido_id = ${id}`.execute(world.db);
      return rows[0];
    };
    const three = dayInMadrid(ago(72));
    expect(await pay(72)).toEqual({ fecha: three, caja: three });
    expect((await nuria.call(entregarCaja, { body: { dia: three, contado: 10, motivo: null } })).status).toBe(200);
    // The cash of day `three` is handed over, so the payment belongs to another round of its day.
    const late = dayInMadrid(ago(72.1));
    expect(await pay(72.1)).toEqual({ fecha: late, caja: late });
  });

  it('a step that happened without coverage leaves a closed statement unchanged and counts in the next one', async () => {
    await fees();
    await complete((await carried()).id, ago(2));
    const mes = dayInMadrid(ago(2)).slice(0, 7);
    await transact(world.db, (tx) => makeStatements(tx, mes, { id: admin.user.id, nombre: 'Ana' }));
    const statement = () => world.db.selectFrom('liquidaciones').selectAll().execute();
    const before = await statement();
    expect(before).toHaveLength(1);
    await complete((await carried()).id, ago(1.9));
    expect(await statement()).toEqual(before);
    const { personas } = (await admin.call(getAbierta, { query: { user_id: nuria.user.id } })).body;
    expect(personas[0]?.total).toBe(3);
  });

  it('only carriers can report the time of a step, and only a valid time', async () => {
    const { id } = await carried();
    const body: Body = { estado: 'completado', metodo_entrega: 'manual', ocurrido: ago(2) };
    const shop = await world.program(['pedido:read', 'pedido:transition']);
    for (const who of [admin, shop]) {
      const { status, body: answer } = await who.call(setEstado, { params: { id }, body });
      expect([status, answer.errors]).toEqual([422, { ocurrido: expect.anything() }]);
    }
    const accion = { tipo: 'completar', metodo_entrega: 'manual', ocurrido: ago(2) } as const;
    expect((await admin.call(lotePedidos, { body: { pedidos: { ids: [id] }, accion } })).status).toBe(422);
    for (const ocurrido of ['ayer', '2026-02-31T10:00:00Z', '2026-02-03', '0000-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z'])
      expect((await complete(id, ocurrido)).body.errors).toEqual({ ocurrido: ['Fecha no válida'] });
  });
});

describe('a step that could not be registered', () => {
  const tell = (pedido_id: string, who = nuria, key: string = crypto.randomUUID(), ocurrido = ago(2)) =>
    who.call(contarNoAceptado, {
      body: {
        pedido_id,
        paso: 'completar',
        ocurrido,
        rechazo: 'Ada ha cancelado este pedido',
        metodo_entrega: 'mrw',
        cobrado: 12.5,
        cobrado_metodo: 'efectivo',
      },
      headers: { 'idempotency-key': key },
    });
  const news = async () =>
    (await admin.call(listNotifications, {})).body.data.filter(({ tipo }) => tipo === 'acto_no_aceptado').map(({ texto }) => texto);

  it('an unregistered step is recorded and notified once, without changing the order', async () => {
    const pedido = await carried();
    await admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
    const [key, at] = [crypto.randomUUID(), ago(2)];
    const replies = await Promise.all([tell(pedido.id, nuria, key, at), tell(pedido.id, nuria, key, at)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await news()).toEqual([
      expect.stringMatching(
        new RegExp(`hizo «Completar» en ${pedido.numero_orden} sin cobertura \\(.*\\), pero no se ha registrado: Ada ha cancelado`),
      ),
    ]);
    const [entry, ...more] = await history(pedido.id);
    expect([more.length, entry]).toMatchObject([
      1,
      {
        accion: 'Sin registrar: Completar',
        nota: 'Ada ha cancelado este pedido · Método de entrega: MRW · Cobrado (€): 12,50\u00a0€ · Cómo te han pagado: Efectivo',
        ocurrido_at: expect.any(String),
        cambios: {},
      },
    ]);
    const { body } = await nuria.call(getPedido, { params: { id: pedido.id } });
    expect([body.data.estado, body.retirado]).toEqual(['cancelado', expect.stringContaining('ha cancelado este pedido')]);
  });

  it.each(['anonimizado_at', 'bloqueado_at'] as const)('an unregistered step stores no typed words for an order with %s', async (mark) => {
    const pedido = await carried();
    expect((await complete(pedido.id, ago(1))).status).toBe(200);
    await world.db
      .updateTable('pedidos')
      .set({ [mark]: new Date().toISOString() })
      .where('id', '=', pedido.id)
      .execute();
    expect((await tell(pedido.id)).status).toBe(200);
    expect((await history(pedido.id))[0]).toMatchObject({ accion: 'Sin registrar: Completar', nota: 'Ada ha cancelado este pedido' });
  });

  it('a step that could not be registered can be reported by a former carrier, but not by a carrier who never had the order', async () => {
    const pedido = await carried('asignado');
    const pepe = await world.as(await world.user({ role: 'transportista' }));
    expect((await tell(pedido.id, pepe)).status).toBe(404);
    expect((await tell(pedido.id, nuria, undefined, '+275760-09-13T00:00:00.000Z')).status).toBe(422);
    await admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: pepe.user.id } });
    expect((await tell(pedido.id)).status).toBe(200);
    expect(await news()).toHaveLength(1);
  });
});

describe('a telephone that repeats steps very often', () => {
  const tell = (pedido_id: string, minutes: number) =>
    nuria.call(contarNoAceptado, {
      body: { pedido_id, paso: 'completar', ocurrido: new Date(Date.now() - minutes * 60_000).toISOString(), rechazo: 'Cancelado' },
    });
  const rows = async () =>
    (await world.db.selectFrom('pedidos_historial').select('id').where('accion', 'like', 'Sin registrar%').execute()).length;
  const texts = async () =>
    (await admin.call(listNotifications, {})).body.data.filter(({ tipo }) => tipo === 'acto_no_aceptado').map(({ texto }) => texto);

  it('a telephone can report at most twenty unregistered steps a minute, which send three notices', async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => carried()));
    const statuses: number[] = [];
    for (let i = 0; i < 40; i += 1) statuses.push((await tell(orders[i % 8]?.id ?? '', 5 + i)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(await rows()).toBe(20);
    expect(await texts()).toEqual([
      expect.stringMatching(/: 18 pasos más no se han registrado, el último en TEST-/),
      expect.stringMatching(/pero no se ha registrado: Cancelado/),
      expect.stringMatching(/pero no se ha registrado: Cancelado/),
    ]);
    // A minute later, the telephone can report again.
    await world.db
      .updateTable('topes')
      .set({ desde: new Date(Date.now() - 61_000).toISOString() })
      .where('clase', '=', 'no_aceptados')
      .execute();
    expect((await tell(orders[0]?.id ?? '', 300)).status).toBe(200);
  });

  it('an unregistered step is stored once, whatever its idempotency key', async () => {
    const pedido = await carried();
    const ocurrido = ago(2);
    const again = () => nuria.call(contarNoAceptado, { body: { pedido_id: pedido.id, paso: 'completar', ocurrido, rechazo: 'Cancelado' } });
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
    expect([await rows(), (await texts()).length]).toEqual([1, 1]);
  });

  it('a carrier can load and unload an order twenty times a day, not counting calls that change nothing', async () => {
    await admin.call(updateSettings, { body: { labelsAndLoading: true } });
    const pedido = await carried();
    const load = (cargado: boolean) => nuria.call(cargarPedido, { params: { id: pedido.id }, body: { cargado } });
    const statuses: number[] = [];
    for (let i = 0; i < 20; i += 1) statuses.push((await load(i % 2 === 0)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await load(true)).status).toBe(429);
    const loads = (await history(pedido.id)).filter(({ accion }) => /vehículo/.test(accion));
    expect(loads).toHaveLength(20);
    // The twentieth call unloaded the order, so another unloading changes nothing.
    expect((await load(false)).status).toBe(200);
    expect((await history(pedido.id)).filter(({ accion }) => /vehículo/.test(accion))).toHaveLength(20);
  });
});

describe('a step sent again with the same idempotency key', () => {
  it('a step repeated with its idempotency key is done once, even from a new session', async () => {
    await fees();
    const { id } = await carried();
    const [key, when] = [crypto.randomUUID(), ago(2)];
    const replies = await Promise.all(Array.from({ length: 6 }, () => complete(id, when, key)));
    const again = await complete(id, when, key, await world.as(nuria.user));
    expect(new Set([...replies, again].map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(again.status).toBe(200);
    expect(await history(id)).toHaveLength(1);
    expect(await daysEarned()).toHaveLength(1);
  });

  it('a step prepared by one person gets 401 in the session of a second person', async () => {
    const { id } = await carried();
    const send = (person: string) =>
      nuria.call(setEstado, { params: { id }, body: { estado: 'asignado', motivo: 'Ausente' }, headers: { [PERSON]: person } });
    expect((await send(admin.user.id)).status).toBe(401);
    expect(await history(id)).toEqual([]);
    expect((await send(nuria.user.id)).status).toBe(200);
  });
});

describe('a carrier whose telephone shows the former address', () => {
  const SEEN = { cliente_direccion: 'Calle Vieja 1', cliente_ciudad: 'Madrid', cliente_codigo_postal: '28013' };
  /** Creates an order on its way and changes the address after the telephone has loaded it; returns the id and the old address. */
  async function moved(): Promise<{ id: string; seen: string }> {
    const { id } = await world.pedido({ estado: 'en_ruta', transportista_id: nuria.user.id, ...SEEN });
    const { data } = (await nuria.call(getPedido, { params: { id } })).body;
    const seen = placeWords(data as Pedido);
    expect((await admin.call(patchPedido, { params: { id }, body: { cliente_direccion: 'Calle Nueva 2' } as never })).status).toBe(200);
    return { id, seen };
  }
  const notices = async (who: Person) =>
    (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'entrega_sin_comprobar').map(({ texto }) => texto);

  it('a delivery to the former address notifies carrier and office, and the history records the address', async () => {
    const { id, seen } = await moved();
    const body: Body = { estado: 'completado', metodo_entrega: 'manual', ocurrido: ago(1), direccion_vista: seen };
    expect((await move(id, body, 'una-entrega')).status).toBe(200);
    expect((await move(id, body, 'una-entrega')).status).toBe(200);
    expect(await notices(admin)).toEqual([expect.stringMatching(/ha entregado .* en la dirección anterior/)]);
    expect(await notices(nuria)).toEqual([expect.stringMatching(/^La dirección de .* cambió mientras estabas sin cobertura/)]);
    const entry = (await history(id)).find(({ accion }) => accion === 'El teléfono tenía la dirección anterior');
    expect(entry?.nota).toBe(seen);
    for (const texto of [...(await notices(admin)), ...(await notices(nuria))]) expect(texto).not.toContain('Calle');
  });

  it('a failed attempt at the former address notifies carrier and office', async () => {
    const { id, seen } = await moved();
    expect((await move(id, { estado: 'asignado', motivo: 'No había nadie', direccion_vista: seen })).status).toBe(200);
    expect([await notices(admin), await notices(nuria)]).toEqual([
      [expect.stringMatching(/ha intentado/)],
      [expect.stringMatching(/lo has intentado/)],
    ]);
  });

  it('only a delivery or failed attempt at a different address sends notices', async () => {
    const { id } = await moved();
    const now = placeWords((await nuria.call(getPedido, { params: { id } })).body.data as Pedido);
    expect((await move(id, { estado: 'asignado', motivo: 'No había nadie', direccion_vista: now })).status).toBe(200);
    expect((await move(id, { estado: 'en_ruta', direccion_vista: 'Otra' })).status).toBe(200);
    expect((await complete(id, ago(0))).status).toBe(200);
    expect([await notices(admin), await notices(nuria)]).toEqual([[], []]);
  });
});
