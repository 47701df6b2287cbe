import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { QueryIn } from '../../../contract/kit/endpoint.ts';
import { EN_MANOS, ESTADO, ESTADOS } from '../../../contract/pedidos/estados.ts';
import { isWhole, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { anyEstado } from '../../../test/builders.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';

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

const names = async (query: QueryIn<typeof listPedidos>, who = admin) =>
  (await who.call(listPedidos, { query })).body.data.map((p) => p.cliente_nombre);

/** Creates orders of two weeks around the clock change, several per instant. */
// Inserts a hundred at a time: a large statement could time out on a busy machine.
const many = async (orders: number) => {
  for (let from = 1; from <= orders; from += 100) await hundred(from, Math.min(from + 99, orders));
  // Gives the planner the statistics that the autovacuum would write at some later time.
  await sql`ANALYZE pedidos, pedidos_busqueda`.execute(world.db);
};
const hundred = (from: number, to: number) =>
  sql`
    INSERT INTO pedidos (numero_orden, cliente_nombre, cliente_direccion, producto, cantidad, precio_unitario_cents, precio_total_cents, estado, fecha_pedido)
    SELECT 'N-' || g, 'Cliente', 'Calle 1', 'Queso', 1, 100, 100, 'pendiente', '2026-03-19'::timestamptz + (g / 7) * interval '2 hours'
    FROM generate_series(${from}::int, ${to}::int) g`.execute(world.db);

it('orders sorted by estado follow the order of its labels across pages', async () => {
  for (const estado of [...ESTADOS, ...ESTADOS]) await world.pedido({ estado });
  const words = async (dir: 'asc' | 'desc') => {
    const query = { sort: 'estado' as const, dir, per_page: 5 };
    const pages = await Promise.all(ESTADOS.map((_, i) => i + 1).map((page) => admin.call(listPedidos, { query: { ...query, page } })));
    return pages.flatMap(({ body }) => body.data.map(({ estado }) => ESTADO[estado].label));
  };
  const read = [...ESTADOS, ...ESTADOS].map((estado) => ESTADO[estado].label).toSorted(new Intl.Collator('es').compare);
  expect(await words('asc')).toEqual(read);
  expect(await words('desc')).toEqual(read.toReversed());
});

describe('pages', () => {
  it('pages of orders cover every order once, newest first', async () => {
    for (let i = 0; i < 45; i += 1)
      await world.pedido({
        cliente_nombre: `C${i}`,
        fecha_pedido: new Date(Date.UTC(2026, 0, 1 + Math.floor(i / 3))).toISOString(),
        transportista_id: null,
      });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => admin.call(listPedidos, { query: { page } })));
    expect(pages.map((p) => p.body.data.length)).toEqual([20, 20, 5, 0]);
    expect(pages[0]?.body).toMatchObject({ total: 45, current_page: 1, last_page: 3, per_page: 20 });
    expect(new Set(pages.flatMap((p) => p.body.data.map((o) => o.id))).size).toBe(45);
    expect(pages[0]?.body.data[0]?.cliente_nombre).toMatch(/^C4[2-4]$/);
  });

  it('pages of orders far from the start have the right rows, with and without a filter by day', async () => {
    await many(1150);
    for (const dir of ['asc', 'desc'] as const) {
      for (const range of [{}, { fecha_desde: '2026-03-20', estado: 'pendiente' }]) {
        const ask = async (page: number) => (await admin.call(listPedidos, { query: { page, per_page: 100, dir, ...range } })).body;
        const { rows } = await sql<{ id: string }>`
          SELECT id FROM pedidos WHERE fecha_pedido >= ${range.fecha_desde ?? '2000-01-01'}::timestamp AT TIME ZONE 'Europe/Madrid'
          ORDER BY fecha_pedido ${sql.raw(dir)}, id ${sql.raw(dir)}`.execute(world.db);
        const pages = await Promise.all(Array.from({ length: 13 }, (_, i) => ask(i + 1)));
        expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(rows.map(({ id }) => id));
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([rows.length]));
        expect(rows.length).toBeGreaterThan(1000);
      }
    }
  });

  it('pages of orders far from the start are found even without table statistics', async () => {
    await many(1001);
    await world.reset();
    admin = await world.as('superadmin');
    // The planner trusts an ANALYZE of empty tables, but would count the pages of tables never analysed.
    await sql`ANALYZE pedidos, pedidos_busqueda`.execute(world.db);
    await many(1001);
    const reply = await admin.call(listPedidos, { query: { search: 'cliente', page: 51, contar: 'todos' } });
    expect(reply.body).toMatchObject({ total: 1001, data: [{ cliente_nombre: 'Cliente' }] });
  });

  it.each([
    { page: 0 },
    { page: 'x' },
    { per_page: 101 },
    { page: 1e12 },
    { estado: 'raro' },
    { fecha_desde: 'ayer' },
    { orden: 'asc' },
    { revendedor_id: '7' },
    { search: 'a\u0000' },
  ])('the query %j is refused', async (query) => {
    const reply = await admin.request(
      'GET',
      `/api/pedidos?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
    );
    expect(reply.status).toBe(422);
  });
});

describe('search', () => {
  beforeEach(async () => {
    const reseller = await world.user({ role: 'revendedor', full_name: 'Begoña Ibáñez' });
    await world.pedido({
      cliente_nombre: 'José Peña',
      cliente_direccion: 'Paseo de Gràcia 9',
      cliente_direccion2: '8º Izq.',
      cliente_provincia: 'Barcelona',
      cliente_codigo_postal: '08007',
      cliente_telefono: '+34 612 34 56 78',
      numero_orden: 'ORD-2026000777',
      precio_total_cents: 4895,
      revendedor_id: reseller.id,
    });
    await world.pedido({
      cliente_nombre: 'Otra 100%',
      cliente_direccion: 'Calle_1',
      cliente_telefono: '911-22-33-44',
      numero_seguimiento: 'PQ7788',
      numero_orden: 'WEB_Ñ#42',
      precio_total_cents: 130050,
      estado: 'completado',
    });
  });

  it.each([
    ['jose pena', 'José Peña'],
    ['PEÑA', 'José Peña'],
    ['gracia', 'José Peña'],
    ['08007', 'José Peña'],
    ['612345678', 'José Peña'],
    ['0034 612-345-678', 'José Peña'],
    ['+34612345678', 'José Peña'],
    ['12 34 56', 'José Peña'],
    ['000777', 'José Peña'],
    ['begona', 'José Peña'],
    ['peña josé', 'José Peña'],
    ['pq7788', 'Otra 100%'],
    ['911223344', 'Otra 100%'],
    ['100%', 'Otra 100%'],
    ['calle_1', 'Otra 100%'],
    ['pe', 'José Peña'],
    ['begoña ib', 'José Peña'],
    ['8º izq.', 'José Peña'],
    ['barcelona', 'José Peña'],
    ['peña 612 34 56 78', 'José Peña'],
    ['612/345/678', 'José Peña'],
    ['#777', 'José Peña'],
    ['peña, josé', 'José Peña'],
    ['peña - josé', 'José Peña'],
    ['08', 'José Peña'],
    // As a bank shows them.
    ['ORD2026000777', 'José Peña'],
    ['ord 2026000777', 'José Peña'],
    ['ORD.2026000777', 'José Peña'],
    ['ORD 2026 000777', 'José Peña'],
    ['PENA JOSE ORD2026000777', 'José Peña'],
    ['48,95', 'José Peña'],
    ['48.95 EUR', 'José Peña'],
    ['PENA 48,95€', 'José Peña'],
    ['1.300,50 €', 'Otra 100%'],
    ['1300.50', 'Otra 100%'],
    ['WEB N 42', 'Otra 100%'],
    ['WEBN42', 'Otra 100%'],
    ['web-n-42', 'Otra 100%'],
  ])('the search «%s» finds %s', async (search, expected) => {
    expect(await names({ search })).toEqual([expected]);
  });

  it('the search counts up to a thousand, or completely on request', async () => {
    await many(1000);
    const ask = async (query: object) => (await admin.call(listPedidos, { query: { search: 'cliente', ...query } })).body;
    expect(await ask({})).toMatchObject({ total: 1000, last_page: 50 });
    expect(await ask({})).not.toHaveProperty('total_exacto');
    await world.pedido({ cliente_nombre: 'Cliente de más' });
    for (const page of [1, 50, 60]) expect(await ask({ page })).toMatchObject({ total: 1000, total_exacto: false, last_page: 50 });
    expect(await ask({ page: 51, contar: 'todos' })).toMatchObject({ total: 1001, last_page: 51, data: [{}] });
    expect(await ask({ contar: 'todos' })).not.toHaveProperty('total_exacto');
    // Counts of filters covered by the daily totals stay exact.
    expect(await ask({ search: undefined, fecha_desde: '2026-03-19', fecha_hasta: '2026-04-30' })).toMatchObject({
      total: 1000,
      last_page: 50,
    });
    expect((await ask({ search: undefined })).total).toBeGreaterThan(1000);
  });

  it('the search for a word of thousands of orders gives the right pages and totals', async () => {
    await many(5100);
    const own = await world.user({ role: 'revendedor' });
    for (let i = 0; i < 3; i += 1) await world.pedido({ cliente_nombre: 'Cliente suyo', revendedor_id: own.id, estado: 'pendiente_pago' });
    const ask = async (query: object, person = admin) => (await person.call(listPedidos, { query: { search: 'cliente', ...query } })).body;
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM pedidos WHERE cliente_nombre LIKE 'Cliente%' ORDER BY fecha_pedido DESC, id DESC LIMIT 60`.execute(world.db);
    const pages = await Promise.all([1, 2, 3].map((page) => ask({ page })));
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(rows.map(({ id }) => id));
    for (const page of pages) expect(page).toMatchObject({ total: 1000, total_exacto: false });
    expect(await ask({ contar: 'todos' })).toMatchObject({ total: 5103, last_page: 256 });
    for (const few of [await ask({ estado: 'pendiente_pago' }), await ask({}, await world.as(own))]) {
      expect(few).toMatchObject({ total: 3, data: [{}, {}, {}] });
      expect(few).not.toHaveProperty('total_exacto');
    }
    // The search reveals nothing hidden from a carrier.
    const carrier = await world.as('transportista');
    const delivered = { estado: 'completado' as const, metodo_entrega: 'manual' as const, transportista_id: carrier.user.id };
    await world.pedido({ ...delivered, cliente_nombre: 'Cliente de hoy' });
    await world.pedido({
      ...delivered,
      cliente_nombre: 'Ana',
      cliente_direccion2: 'Puerta del cliente',
      fecha_completado: '2026-01-05T10:00:00Z',
    });
    expect(await ask({ per_page: 1 }, carrier)).toMatchObject({ total: 1, data: [{ cliente_nombre: 'Cliente de hoy' }] });
  });

  it('the search follows changed words of an order, even of a cancelled order', async () => {
    const { id } = await world.pedido({ cliente_nombre: 'Ana Vieja' });
    const version = async () => (await sql`SELECT xmin, texto FROM pedidos_busqueda WHERE pedido_id = ${id}`.execute(world.db)).rows;
    const before = await version();
    await world.db
      .updateTable('pedidos')
      .set({ estado: anyEstado('cancelado'), unidades_retenidas: 0 })
      .where('id', '=', id)
      .execute();
    expect(await version()).toEqual(before);
    await world.db.updateTable('pedidos').set({ cliente_nombre: 'Ana Nueva' }).where('id', '=', id).execute();
    expect([await names({ search: 'nueva' }), await names({ search: 'vieja' })]).toEqual([['Ana Nueva'], []]);
  });

  it('the search finds one or two letters only at the beginning of words', async () => {
    expect(await names({ search: 'na' })).toEqual([]);
    expect(await names({ search: 'egoña' })).toEqual(['José Peña']);
    expect(await names({ search: 'peña j' })).toEqual(['José Peña']);
    expect(await names({ search: 'peña x' })).toEqual([]);
  });

  it('the search ignores a single letter', async () => {
    expect(await names({ search: 'x' })).toHaveLength(2);
    expect(await names({ search: 'ñ' })).toHaveLength(2);
    expect((await admin.call(listPedidos, { query: { search: '7', per_page: 1 } })).body).toMatchObject({ total: 2, last_page: 2 });
  });

  it('the search finds an order by a number given by hand', async () => {
    await world.pedido({ cliente_nombre: 'Tercera', numero_orden: 'A7' });
    await world.pedido({ cliente_nombre: 'Cuarta', numero_orden: 'ord-2026000888' });
    expect(await names({ search: 'a7' })).toEqual(['Tercera']);
    expect(await names({ search: 'ord-2026000888' })).toEqual(['Cuarta']);
    expect(await names({ search: 'or' })).toHaveLength(2);
  });

  it('the search finds the characters % and _ literally', async () => {
    expect(await names({ search: '%' })).toEqual(['Otra 100%']);
    expect(await names({ search: 'c_l' })).toEqual([]);
  });
});

describe('the sum of the orders', () => {
  it('the sum of orders filtered by estado is returned to people who see prices', async () => {
    const everybody = await everyRole(world);
    const { revendedor, transportista } = everybody;
    const mine = { revendedor_id: revendedor.user.id, transportista_id: transportista.user.id };
    await world.pedido({ estado: 'en_ruta', precio_total_cents: 1050, ...mine });
    await world.pedido({ estado: 'completado', precio_total_cents: 2000, ...mine });
    await world.pedido({ estado: 'completado', precio_total_cents: 40_000 });
    const importe = async (who: Person, query = {}) => (await who.call(listPedidos, { query })).body.importe;
    const estado = 'completado,en_ruta';
    expect(await importe(everybody.superadmin, { estado })).toBe(430.5);
    expect(await importe(everybody.superadmin, { estado, revendedor_id: revendedor.user.id })).toBe(30.5);
    expect(await importe(revendedor, { estado: 'completado' })).toBe(20);
    expect(await importe(transportista, { estado })).toBeUndefined();
    // A sum with cancelled and unpaid orders would be meaningless.
    expect(await importe(everybody.superadmin)).toBeUndefined();
    expect(await importe(everybody.superadmin, { estado, search: 'cliente' })).toBeUndefined();
  });
});

it('orders by id are returned if visible', async () => {
  const { revendedor } = await everyRole(world);
  const [own, other] = [await world.pedido({ revendedor_id: revendedor.user.id }), await world.pedido()];
  await world.pedido();
  const ids = `${own.id},${other.id}`;
  const seen = async (who: Person) => (await who.call(listPedidos, { query: { ids } })).body;
  expect((await seen(admin)).total).toBe(2);
  expect((await seen(revendedor)).data.map(({ id }) => id)).toEqual([own.id]);
  const reply = await admin.request('GET', '/api/pedidos?ids=7');
  expect([reply.status, (reply.body as { message: string }).message]).toEqual([422, 'Identificador no válido']);
});

it('names are sorted alphabetically in Spanish, ignoring accents and capitals', async () => {
  for (const cliente_nombre of ['Zoe', 'Óscar', 'ana', 'Íñigo', 'Álvaro', 'Oscar']) await world.pedido({ cliente_nombre });
  const sorted = (await admin.call(listPedidos, { query: { sort: 'cliente_nombre', dir: 'asc' } })).body.data;
  expect(sorted.map((pedido) => pedido.cliente_nombre)).toEqual(['Álvaro', 'ana', 'Íñigo', 'Oscar', 'Óscar', 'Zoe']);
});

it('a forbidden filter is refused whether or not the search finds an order, to reveal nothing', async () => {
  await world.pedido({ cliente_telefono: '600111222' });
  const { revendedor, transportista } = await everyRole(world);
  for (const search of ['600111222', '600999888']) {
    expect((await transportista.call(listPedidos, { query: { search, pagado: 'si' } })).status).toBe(403);
    expect((await revendedor.call(listPedidos, { query: { search, devolucion: 'pendiente' } })).status).toBe(403);
  }
});

describe('filters', () => {
  it('filters, alone and combined, find as many orders as their total says', async () => {
    const resellers = [await world.user({ role: 'revendedor' }), await world.user({ role: 'revendedor' })];
    const carriers = [await world.user({ role: 'transportista' }), await world.user({ role: 'transportista' })];
    let i = 0;
    for (const estado of ESTADOS) {
      for (const revendedor of resellers) {
        for (const carrier of carriers) {
          const held = EN_MANOS.includes(estado) || estado === 'completado';
          await world.pedido({
            estado,
            revendedor_id: revendedor.id,
            transportista_id: held ? carrier.id : null,
            empresa_transporte: i % 2 ? 'mrw' : 'manual',
            fecha_pedido: new Date(Date.UTC(2026, 4, 1 + (i++ % 9), 22, 30)).toISOString(),
          });
        }
      }
    }
    const people = [admin, await world.as(resellers[0] as never), await world.as(carriers[0] as never)];
    const queries = [
      {},
      { estado: 'pendiente' },
      { estado: 'asignado,en_ruta' },
      { fecha_desde: '2026-05-03', fecha_hasta: '2026-05-04' },
      { fecha_hasta: '2026-05-02' },
      { transportista_id: 'sin' },
      { transportista_id: carriers[1]?.id },
      { revendedor_id: resellers[1]?.id },
      { revendedor_id: resellers[0]?.id, transportista_id: carriers[0]?.id, estado: 'completado' },
      { empresa_transporte: 'mrw' as const, estado: 'pendiente' },
    ];
    const totals: number[] = [];
    for (const who of people) {
      for (const query of queries) {
        const { status, body } = await who.call(listPedidos, { query: { ...query, per_page: 100 } as never });
        // Carriers may not know an order's reseller.
        const isRefused = who.user.role === 'transportista' && 'revendedor_id' in query;
        expect(status).toBe(isRefused ? 403 : 200);
        if (isRefused) continue;
        expect([query, body.total]).toEqual([query, body.data.length]);
        totals.push(body.total);
      }
    }
    expect(totals.slice(0, 3)).toEqual([ESTADOS.length * 4, 4, 8]);
  });

  it('filters by date use days in Madrid, including the last day', async () => {
    // In Madrid, 29 March 2026 has 23 hours and 25 October 2026 has 25 hours.
    for (const at of [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
      '2026-10-24T21:59:59Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:59Z',
      '2026-10-25T23:00:00Z',
    ]) {
      await world.pedido({ cliente_nombre: at, fecha_pedido: at });
    }
    expect(await names({ fecha_desde: '2026-03-29', fecha_hasta: '2026-03-29', dir: 'asc' })).toEqual([
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
    ]);
    expect(await names({ fecha_desde: '2026-10-25', fecha_hasta: '2026-10-25', dir: 'asc' })).toEqual([
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:59Z',
    ]);
    const { body } = await admin.call(listPedidos, { query: { fecha_desde: '2026-10-25', fecha_hasta: '2026-10-25' } });
    expect(body.total).toBe(2);
  });

  it('the list can be sorted by customer name and by total price', async () => {
    for (const [cliente_nombre, precio_total_cents] of [
      ['B', 300],
      ['A', 100],
      ['C', 200],
    ] as const)
      await world.pedido({ cliente_nombre, precio_total_cents });
    expect(await names({ sort: 'cliente_nombre', dir: 'asc' })).toEqual(['A', 'B', 'C']);
    expect(await names({ sort: 'precio_total', dir: 'desc' })).toEqual(['B', 'C', 'A']);
  });
});

describe('what changed since', () => {
  const AT = '2026-03-10T09:12:00.123456Z';
  const stamp = (ids: string[], at: string) => sql`UPDATE pedidos SET updated_at = ${at} WHERE id = ANY (${ids}::uuid[])`.execute(world.db);
  const since = async (modificado_desde: string, page = 1) =>
    (await admin.call(listPedidos, { query: { modificado_desde, sort: 'updated_at', dir: 'asc', per_page: 5, page } })).body;
  /** Reads as a program does: pages until one is not full. */
  async function all(from: string): Promise<{ id: string; updated_at: string }[]> {
    const rows: { id: string; updated_at: string }[] = [];
    for (let page = 1; page < 10; page += 1) {
      const { data } = await since(from, page);
      rows.push(...data.filter(isWhole).map(({ id, updated_at }) => ({ id, updated_at })));
      if (data.length < 5) return rows;
    }
    throw new Error('The pages do not end');
  }

  it('orders changed at the same instant come once each, over pages that end', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 13; i += 1) ids.push((await world.pedido()).id);
    await stamp(ids.slice(0, 12), AT);
    await stamp(ids.slice(12), '2026-03-10T09:11:59Z');
    const read = await all('2026-03-10T09:12:00Z');
    expect(read.map(({ id }) => id)).toEqual(ids.slice(0, 12).toSorted());
    // The next reading begins with the last instant as it was told, and loses none of it.
    expect((await all(read.at(-1)?.updated_at ?? '')).map(({ id }) => id)).toEqual(ids.slice(0, 12).toSorted());
    await stamp(ids.slice(3, 4), '2026-03-10T10:00:00Z');
    expect((await all(AT)).at(-1)?.id).toBe(ids[3]);
  });

  it('an instant says its time zone, and a day is none', async () => {
    const { id } = await world.pedido();
    await stamp([id], AT);
    expect((await since('2026-03-10T10:12:00+01:00')).total).toBe(1);
    expect((await since('2026-03-10T10:13:00+01:00')).total).toBe(0);
    expect((await admin.request('GET', '/api/pedidos?modificado_desde=2026-03-10')).status).toBe(422);
  });
});
