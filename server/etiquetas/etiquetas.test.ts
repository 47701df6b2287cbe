import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cargarPedido, escanearPedido } from '../../contract/etiquetas/etiquetas.ts';
import { MAX_ETIQUETAS, MAX_IDS_ETIQUETAS } from '../../contract/etiquetas/fields.ts';
import { assignTransportista, getHistorial, getPedido, listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { getUser } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { pdfPages, pdfRects } from '../../test/pdf.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let carrier: Person;
let rival: Person;
let reseller: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, transportista: carrier, revendedor: reseller } = await everyRole(world));
  rival = await world.as(await world.user({ role: 'transportista' }));
  await admin.call(updateSettings, { body: { labelsAndLoading: true, companyName: 'Bodega Ñ' } });
});

async function print(who: Person, query: string) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const reply = await world.app.inject({ method: 'GET', url: `/api/pedidos/etiquetas?${query}`, headers: { cookie } });
  const isPdf = reply.headers['content-type'] === 'application/pdf';
  return {
    status: reply.statusCode,
    bytes: reply.rawPayload,
    pages: isPdf ? pdfPages(reply.rawPayload) : [],
    message: isPdf ? '' : reply.json().message,
  };
}
const mine = (fields: object = {}, who = carrier) =>
  world.pedido({ estado: 'asignado', transportista_id: who.user.id, ...fields } as Parameters<World['pedido']>[0]);

describe('a label', () => {
  it('a label names shop, order, customer, lines and the amount to collect', async () => {
    const { id, numero_orden } = await mine({
      cliente_nombre: 'Łukasz Țepeș Ñandú',
      cliente_telefono: '600 10 20 30',
      cliente_direccion: 'Calle Mayor 3',
      cliente_direccion2: '2.º B',
      cliente_codigo_postal: '28013',
      cliente_ciudad: 'Madrid',
      instrucciones: 'Timbre roto',
      contra_reembolso: true,
      precio_total_cents: 3750,
    });
    for (const who of [admin, carrier]) {
      const { status, pages } = await print(who, `ids=${id}`);
      expect([status, pages.length]).toEqual([200, 1]);
      for (const words of [
        'Bodega Ñ',
        numero_orden,
        'Lukasz Tepes Ñandú',
        'Calle Mayor 3, 2.º B',
        '28013 Madrid',
        '600 102 030',
        'Timbre roto',
        'COBRAR 37,50 €',
        '×',
      ])
        expect(pages[0]).toContain(words);
    }
  });

  it('a label names the web shop of its order where there are two, and so does the session of whom it serves', async () => {
    const shops = ['Miel', 'Outlet'].map((nombre) => ({ conector: 'plano', nombre }));
    const { id } = await mine();
    await world.db.updateTable('pedidos').set({ tienda: 'Outlet' }).where('id', '=', id).execute();
    for (const [n, names] of [undefined, ['Miel', 'Outlet'], undefined].entries()) {
      if (n < 2)
        await world.db
          .insertInto('tiendas')
          .values(shops[n] ?? [])
          .execute();
      else await world.db.updateTable('tiendas').set({ estado: 'ignorada' }).where('nombre', '=', 'Miel').execute();
      for (const who of [admin, carrier]) {
        expect((await print(who, `ids=${id}`)).pages[0]?.includes('Bodega Ñ · Outlet')).toBe(!!names);
        expect((await who.call(getUser, {})).body.user.tiendas).toEqual(names);
        expect((await who.call(getPedido, { params: { id } })).body.data).toMatchObject({ tienda: 'Outlet' });
      }
      expect((await reseller.call(getUser, {})).body.user).not.toHaveProperty('tiendas');
    }
  });

  it('a label of a paid order has no amount, neither for the carrier nor for the office', async () => {
    const { id } = await mine({ precio_total_cents: 3750, pagado_cents: 3750 });
    for (const who of [admin, carrier]) expect((await print(who, `ids=${id}`)).pages[0]).not.toMatch(/COBRAR|€/);
  });

  it('a label fills a page of 100 × 150 mm, or a quarter of an A4', async () => {
    const ids = [];
    for (let i = 0; i < 5; i += 1) ids.push((await mine()).id);
    const roll = await print(admin, `ids=${ids}`);
    expect(roll.pages).toHaveLength(5);
    expect(roll.bytes.toString('latin1')).toMatch(/MediaBox \[0 0 283\.46\d* 425\.19\d*\]/);
    expect((await print(admin, `ids=${ids}&formato=a4`)).pages).toHaveLength(2);
  });

  it('a label keeps its codes inside the page, however long the texts are', async () => {
    const long = (n: number) => 'Palabra larguísima '.repeat(n);
    const { id } = await mine({
      cliente_nombre: long(6),
      cliente_direccion: long(10),
      cliente_direccion2: long(5),
      cliente_ciudad: 'San Sebastián de los Reyes de la Frontera del Campo',
      instrucciones: long(50),
      contra_reembolso: true,
      precio_total_cents: 99_999,
    });
    const { status, bytes } = await print(admin, `ids=${id}`);
    expect(status).toBe(200);
    expect(pdfPages(bytes)).toHaveLength(1);
    const [qr = [], bars = []] = pdfRects(bytes);
    expect(qr.length).toBeGreaterThan(100);
    for (const { x, y, width, height } of [...qr, ...bars]) {
      expect(Math.min(x, y)).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(283);
      expect(y + height).toBeLessThan(425);
    }
  });

  it('carriers print labels of their own orders only, and resellers none', async () => {
    const [own, foreign] = [await mine(), await mine({}, rival)];
    expect((await print(carrier, `ids=${own.id},${foreign.id}`)).status).toBe(404);
    expect((await print(carrier, `ids=${foreign.id}`)).status).toBe(404);
    expect((await print(carrier, 'todos=si')).pages).toHaveLength(1);
    expect((await print(admin, 'todos=si')).pages).toHaveLength(2);
    expect((await print(reseller, `ids=${own.id}`)).status).toBe(403);
  });

  it('a print of labels needs at least one order, and at most the maximum number of ids', async () => {
    expect((await print(admin, '')).status).toBe(422);
    expect((await print(admin, 'todos=si&search=nada')).status).toBe(422);
    const ids = Array.from({ length: MAX_IDS_ETIQUETAS + 1 }, () => crypto.randomUUID());
    expect((await print(admin, `ids=${ids}`)).status).toBe(422);
  });
});

it('the address with the maximum number of ids fits the request line limit of a proxy', async () => {
  const url = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const ids = Array.from({ length: MAX_IDS_ETIQUETAS }, () => crypto.randomUUID());
  const path = `/api/pedidos/etiquetas?${new URLSearchParams({ formato: 'rollo', ids: ids.join(',') })}`;
  expect(`GET ${path} HTTP/1.1\r\n`.length).toBeLessThan(8192);
  expect((await fetch(url + path, { headers: { cookie } })).status, 'no such orders, not 431').toBe(404);
});

it('a carrier prints labels filtered by several estados', async () => {
  const mine = { transportista_id: carrier.user.id, transportista_nombre: carrier.user.full_name };
  await world.pedido({ ...mine, estado: 'asignado' });
  await world.pedido({ ...mine, estado: 'en_proceso' });
  await world.pedido({ ...mine, estado: 'en_ruta' });
  await world.pedido({ estado: 'asignado', transportista_id: rival.user.id, transportista_nombre: rival.user.full_name });
  expect((await print(carrier, 'todos=si&estado=asignado,en_proceso')).pages).toHaveLength(2);
});

it('the cost of five hundred labels grows with their number, not with its square', async () => {
  const pack = await world.pack();
  const cost = async (pages: number) => {
    const before = process.cpuUsage();
    expect(await print(admin, 'todos=si')).toMatchObject({ status: 200, pages: { length: pages } });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const orders = async (n: number) => {
    for (let i = 0; i < n; i += 1) await world.pedido({ pack });
  };
  await orders(50);
  await cost(50);
  const few = await cost(50);
  await orders(MAX_ETIQUETAS - 50);
  expect((await cost(MAX_ETIQUETAS)) / few).toBeLessThan(50);
});

describe('the loading of orders', () => {
  const load = (who: Person, id: string, cargado = true, more: object = {}) =>
    who.call(cargarPedido, { params: { id }, body: { cargado, ...more } });
  const loadedAt = async (id: string) =>
    ((await admin.call(getPedido, { params: { id } })).body.data as { cargado_at: string | null }).cargado_at;

  it('only the carrier of an order notes the loading, once, and can undo it', async () => {
    const { id } = await mine();
    expect((await load(rival, id)).status).toBe(404);
    expect((await load(admin, id)).status).toBe(403);
    expect((await load(carrier, id)).body.data.cargado_at).toBe(await loadedAt(id));
    const at = await loadedAt(id);
    expect(at).not.toBeNull();
    await load(carrier, id);
    expect(await loadedAt(id)).toBe(at);
    const { body } = await admin.call(getHistorial, { params: { id } });
    expect(body.data.filter(({ accion }) => accion === 'Cargado en el vehículo')).toHaveLength(1);
    await load(carrier, id, false);
    expect(await loadedAt(id)).toBeNull();
  });

  it('the loading of an order has the time when it happened, even if the phone was offline', async () => {
    const { id } = await mine();
    const ago = new Date(Date.now() - 7_200_000).toISOString();
    await world.db
      .updateTable('pedidos_historial')
      .set({ created_at: new Date(Date.now() - 9_000_000).toISOString() })
      .execute();
    await load(carrier, id, true, { ocurrido: ago });
    expect(await loadedAt(id)).toBe(ago);
  });

  it('loading is refused before the order is taken and after the order is delivered', async () => {
    const free = await world.pedido();
    expect((await load(carrier, free.id)).body.message).toBe('Toma el pedido antes de cargarlo');
    const done = await mine({ estado: 'completado', metodo_entrega: 'manual' });
    expect((await load(carrier, done.id)).status).toBe(409);
  });

  it.each([
    [
      'a failed attempt',
      'en_ruta',
      (id: string) => carrier.call(setEstado, { params: { id }, body: { estado: 'asignado', paso: 'fallar', motivo: 'Nadie' } }),
    ],
    [
      'a return to assigned',
      'en_proceso',
      (id: string) => carrier.call(setEstado, { params: { id }, body: { estado: 'asignado', paso: 'volver' } }),
    ],
    [
      'giving up the order',
      'asignado',
      (id: string) => carrier.call(setEstado, { params: { id }, body: { estado: 'pendiente', paso: 'devolver' } }),
    ],
    [
      'a change of carrier',
      'en_ruta',
      (id: string) => admin.call(assignTransportista, { params: { id }, body: { transportista_id: rival.user.id } }),
    ],
  ] as const)('an order is no longer loaded after %s', async (_, estado, end) => {
    const { id } = await mine({ estado });
    await load(carrier, id);
    expect(await loadedAt(id)).not.toBeNull();
    expect((await end(id)).status).toBe(200);
    expect(await loadedAt(id)).toBeNull();
  });

  it('an order stays loaded after the departure', async () => {
    const { id } = await mine();
    await load(carrier, id);
    await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
    expect(await loadedAt(id)).not.toBeNull();
  });
});

describe('a scanned number', () => {
  const scan = (codigo: string, who = carrier) => who.call(escanearPedido, { query: { codigo } });
  const found = async (codigo: string) => (await scan(codigo)).body.pedidos.map(({ numero_orden }) => numero_orden);

  it('a scanned number finds own and available orders, whole or by its last four digits', async () => {
    await world.pedido({ numero_orden: 'ORD-2026001234' });
    await mine({ numero_orden: 'ORD-2026021234' });
    await mine({ numero_orden: 'ORD-2025031234', estado: 'completado', metodo_entrega: 'manual' });
    await mine({ numero_orden: 'ORD-2026041234' }, rival);
    expect(await found('1234')).toEqual(['ORD-2026021234', 'ORD-2026001234']);
    expect(await found('ord-2026001234')).toEqual(['ORD-2026001234']);
    expect(await found("]Q1ORD'2026001234")).toEqual(['ORD-2026001234']);
    const { body } = await (await world.as('superadmin')).call(listPedidos, { query: { search: "ORD'2026001234" } });
    expect(body.data.map(({ numero_orden }) => numero_orden)).toEqual(['ORD-2026001234']);
    expect(await found('ORD-2025031234')).toEqual(['ORD-2025031234']);
    expect((await scan('234')).status).toBe(404);
    expect((await scan('%1234')).status).toBe(404);
  });

  it('the number of another carrier’s order gets the same answer as an unknown number', async () => {
    await mine({ numero_orden: 'ORD-2026041234' }, rival);
    for (const codigo of ['ORD-2026041234', '1234', 'ORD-2026999999'])
      expect((await scan(codigo)).body).toEqual({ message: 'Este pedido no es tuyo', code: 'not_found' });
    expect((await scan('1234', admin)).status).toBe(403);
  });

  it('scanning a reassigned order tells the former carrier who has the order now', async () => {
    const { id, numero_orden } = await mine();
    await admin.call(assignTransportista, { params: { id }, body: { transportista_id: rival.user.id } });
    expect((await scan(numero_orden)).body.message).toMatch(/ha pasado este pedido a/);
  });

  it('scanning shows an available order without telephone or second address line', async () => {
    await world.pedido({ numero_orden: 'ORD-2026001234', cliente_telefono: '600 10 20 30' });
    expect((await scan('1234')).text).not.toMatch(/600 10 20 30|cliente_direccion2/);
  });
});

it('labels, scanning and loading are refused while the setting is off', async () => {
  const { id } = await mine();
  expect((await carrier.call(getUser)).body.user.etiquetas).toBe(true);
  expect((await reseller.call(getUser)).body.user).not.toHaveProperty('etiquetas');
  await admin.call(updateSettings, { body: { labelsAndLoading: false } });
  expect((await carrier.call(getUser)).body.user).not.toHaveProperty('etiquetas');
  expect((await print(admin, `ids=${id}`)).status).toBe(409);
  expect((await carrier.call(escanearPedido, { query: { codigo: '1234' } })).status).toBe(409);
  expect((await carrier.call(cargarPedido, { params: { id }, body: { cargado: true } })).status).toBe(409);
});
