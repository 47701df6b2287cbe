import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { ESTADOS } from '../../contract/pedidos/estados.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { LISTA_NAMES, LISTAS, type Lista, MAX_VISTAS } from '../../contract/vistas/fields.ts';
import { createVista, deleteVista, listVistas, preferVista, updateVista } from '../../contract/vistas/vistas.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { cleanFeatures } from '../features.ts';

let world: World;
let ana: Person;
let berta: Person;
let rita: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ana = await world.as('superadmin');
  berta = await world.as(await world.user({ role: 'superadmin', full_name: 'Berta' }));
  rita = await world.as('revendedor');
});

const BODY = { lista: 'pedidos', nombre: 'Por cobrar', consulta: { pagado: 'no', sort: 'precio_total', dir: 'desc' } } as const;
const save = async (who: Person, more: Partial<BodyIn<typeof createVista>> = {}) => {
  const reply = await who.call(createVista, { body: { ...BODY, ...more } });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};
const seen = async (who: Person, lista: Lista = 'pedidos') => (await who.call(listVistas, { query: { lista } })).body.data;
const names = async (who: Person, lista?: Lista) => (await seen(who, lista)).map(({ nombre }) => nombre);
const prefer = (who: Person, vista_id: string | null, lista: Lista = 'pedidos') => who.call(preferVista, { body: { lista, vista_id } });
const opensWith = async (who: Person) => (await seen(who)).find(({ al_abrir }) => al_abrir)?.nombre;

describe('a private view', () => {
  test('a private view can be seen, changed and deleted by its owner only', async () => {
    const made = await save(ana, { columnas: ['numero_orden', 'pagado', 'acciones'] });
    expect(made).toMatchObject({
      ...BODY,
      columnas: ['numero_orden', 'pagado', 'acciones'],
      compartida: false,
      mia: true,
      al_abrir: false,
    });
    expect(await names(ana)).toEqual(['Por cobrar']);
    expect(await names(ana, 'entregas')).toEqual([]);
    expect(await names(berta)).toEqual([]);
    const params = { id: made.id };
    const missing = { id: '00000000-0000-4000-8000-000000000000' };
    for (const who of [berta, rita]) {
      expect((await who.call(updateVista, { params, body: { nombre: 'X' } })).status).toBe(404);
      const [foreign, none] = [await who.call(deleteVista, { params }), await who.call(deleteVista, { params: missing })];
      expect([foreign.status, foreign.text]).toEqual([404, none.text]);
    }
    expect((await prefer(berta, made.id)).status).toBe(404);

    const changed = await ana.call(updateVista, { params, body: { consulta: { estado: 'pendiente' }, version: made.version } });
    expect(changed.body.data).toMatchObject({ nombre: 'Por cobrar', consulta: { estado: 'pendiente' }, version: made.version + 1 });
    const stale = await ana.call(updateVista, { params, body: { nombre: 'Tarde', version: made.version } });
    expect([stale.status, stale.body]).toMatchObject([409, { code: 'version' }]);
    expect((await ana.call(deleteVista, { params })).status).toBe(200);
    expect(await names(ana)).toEqual([]);
    // Private views are not logged.
    expect((await ana.call(listLogs, { query: { entity_type: 'vista' } })).body.total).toBe(0);
  });

  test('a person cannot give two views of a list the same name, ignoring case', async () => {
    const first = await save(ana);
    const again = await ana.call(createVista, { body: { ...BODY, nombre: 'POR COBRAR' } });
    expect([again.status, again.body]).toMatchObject([422, { errors: { nombre: ['Ya hay una vista con ese nombre'] } }]);
    await save(ana, { lista: 'entregas' });
    await save(berta);
    const other = await save(ana, { nombre: 'Otra' });
    expect((await ana.call(updateVista, { params: { id: other.id }, body: { nombre: 'por cobrar' } })).status).toBe(422);
    expect((await ana.call(updateVista, { params: { id: first.id }, body: { nombre: 'Por Cobrar' } })).status).toBe(200);
    for (const nombre of ['', ' ', 'x'.repeat(61)]) expect((await ana.call(createVista, { body: { ...BODY, nombre } })).status).toBe(422);
  });

  test(`a person cannot save more than ${MAX_VISTAS} views, even concurrently`, async () => {
    for (let i = 1; i < MAX_VISTAS; i += 1) await save(ana, { nombre: `Vista ${i}` });
    const body = { ...BODY, lista: 'entregas' } as const;
    const replies = await Promise.all(['A', 'B'].map((nombre) => ana.call(createVista, { body: { ...body, nombre } })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    await save(berta);
  });
});

describe('a shared view', () => {
  test('a shared view is visible only to people who have the list, and can be changed by any superadmin', async () => {
    const made = await save(ana, { compartida: true });
    expect(await seen(berta)).toMatchObject([{ nombre: 'Por cobrar', de: ana.user.full_name, mia: false, compartida: true }]);
    expect((await rita.call(listVistas, { query: { lista: 'pedidos' } })).status).toBe(403);
    expect(await names(rita, 'mis-pedidos')).toEqual([]);
    expect((await rita.call(updateVista, { params: { id: made.id }, body: { nombre: 'X' } })).status).toBe(404);

    const renamed = await berta.call(updateVista, { params: { id: made.id }, body: { nombre: 'Cobros' } });
    expect(renamed.body.data).toMatchObject({ nombre: 'Cobros', de: ana.user.full_name, mia: false });
    const taken = await berta.call(updateVista, { params: { id: made.id }, body: { compartida: false } });
    expect([taken.status, taken.body.message]).toEqual([422, 'Solo quien la guardó puede dejar de compartirla']);
    expect((await berta.call(deleteVista, { params: { id: made.id } })).status).toBe(200);
    const { data } = (await ana.call(listLogs, { query: { entity_type: 'vista' } })).body;
    expect(data.map(({ description, actor_nombre }) => [description, actor_nombre])).toEqual([
      ['Vista compartida eliminada: Cobros', 'Berta'],
      ['Vista compartida actualizada: Cobros', 'Berta'],
      ['Vista compartida creada: Por cobrar', ana.user.full_name],
    ]);
  });

  test('a shared view is created by superadmins only', async () => {
    const body = { ...BODY, lista: 'mis-pedidos', consulta: { estado: 'pendiente' } } as const;
    expect((await rita.call(createVista, { body: { ...body, compartida: true } })).status).toBe(403);
    const own = await rita.call(createVista, { body });
    expect(own.status).toBe(201);
    expect((await rita.call(updateVista, { params: { id: own.body.data.id }, body: { compartida: true } })).status).toBe(403);
    expect(await seen(rita, 'mis-pedidos')).toMatchObject([{ compartida: false }]);
  });

  test('a shared view is hidden from a former superadmin', async () => {
    const { id } = await save(ana, { compartida: true });
    await prefer(berta, id);
    await world.db.updateTable('users').set({ role: 'revendedor' }).where('id', '=', berta.user.id).execute();
    berta = await world.as(berta.user);
    expect((await berta.call(listVistas, { query: { lista: 'pedidos' } })).status).toBe(403);
    expect((await berta.call(deleteVista, { params: { id } })).status).toBe(404);
    expect(await names(berta, 'mis-pedidos')).toEqual([]);
  });
});

describe('the default view of a list', () => {
  test('the default view of a list is chosen by each person', async () => {
    const [first, second] = [await save(ana, { compartida: true }), await save(ana, { nombre: 'Otra' })];
    for (const { id } of [first, second]) expect((await prefer(ana, id)).status).toBe(200);
    await prefer(berta, first.id);
    expect([await opensWith(ana), await opensWith(berta)]).toEqual(['Otra', 'Por cobrar']);
    expect((await prefer(ana, second.id, 'entregas')).status).toBe(404);
    await prefer(ana, null);
    expect([await opensWith(ana), await opensWith(berta)]).toEqual([undefined, 'Por cobrar']);
  });

  test('the default view of a list is unset once the view is deleted or no longer shared', async () => {
    const { id } = await save(ana, { compartida: true });
    for (const who of [ana, berta]) await prefer(who, id);
    await ana.call(updateVista, { params: { id }, body: { compartida: false } });
    expect([await opensWith(ana), await names(berta)]).toEqual(['Por cobrar', []]);
    await ana.call(updateVista, { params: { id }, body: { compartida: true } });
    expect(await opensWith(berta)).toBeUndefined();
    await prefer(berta, id);
    await berta.call(deleteVista, { params: { id } });
    expect(await world.db.selectFrom('vistas_preferidas').selectAll().execute()).toEqual([]);
  });
});

describe('the content of a view', () => {
  test('a view consists of valid filters of its list', async () => {
    for (const consulta of [
      { color: 'azul' },
      { page: '2' },
      { ids: '00000000-0000-4000-8000-000000000000' },
      { estado: 'volando' },
      { revendedor_id: 'pepe' },
      { periodo: 'siempre' },
      { periodo: 'mes-actual', fecha_desde: '2026-01-01' },
      { search: '' },
    ])
      expect((await ana.call(createVista, { body: { ...BODY, consulta: consulta as never } })).status, JSON.stringify(consulta)).toBe(422);
    const { id } = await save(ana, { consulta: { estado: ESTADOS.join(','), periodo: 'mes-actual', transportista_id: 'sin' } });
    const body = { consulta: { estado: 'volando' } };
    expect((await ana.call(updateVista, { params: { id }, body })).status).toBe(422);
  });

  test('a view accepts exactly the filters that the role may use in its list', async () => {
    const day = '2026-01-05';
    const VALUES: Record<string, string> = {
      search: 'ana',
      estado: 'pendiente',
      fecha_desde: day,
      fecha_hasta: day,
      completado_desde: day,
      completado_hasta: day,
      sort: 'precio_total',
      dir: 'asc',
      revendedor_id: rita.user.id,
      transportista_id: 'sin',
      empresa_transporte: 'mrw',
      tienda: 'Outlet',
      ciudad: 'Cáceres',
      situacion: 'aplazado',
      atrasado: 'si',
      hoy: 'toca',
      incidencia: 'si',
      pagado: 'no',
      transferencia: 'si',
      devolucion: 'pendiente',
      eliminados: 'si',
      en_empresa: 'si',
      envio_id: rita.user.id,
    };
    const people = { superadmin: ana, revendedor: rita } as Record<string, Person>;
    for (const lista of LISTA_NAMES) {
      const { role, claves } = LISTAS[lista];
      const consulta = Object.fromEntries(claves.filter((name) => name !== 'periodo').map((name) => [name, VALUES[name] ?? '']));
      const who = people[role] as Person;
      await save(who, { lista, consulta });
      expect((await who.call(listPedidos, { query: consulta as never })).status, lista).toBe(200);
    }
    for (const refused of ['devolucion', 'revendedor_id', 'eliminados']) {
      const body = { ...BODY, lista: 'mis-pedidos', nombre: 'Ajena', consulta: { [refused]: VALUES[refused] ?? '' } } as const;
      expect((await rita.call(createVista, { body })).status, refused).toBe(422);
    }
  });
});

test('shared views outlive their deleted author', async () => {
  await save(ana);
  const { id } = await save(berta, { compartida: true });
  await save(berta, { nombre: 'Mía' });
  await prefer(berta, id);
  await world.db.updateTable('users').set({ deleted_at: new Date().toISOString() }).where('id', '=', berta.user.id).execute();
  await cleanFeatures(world.db);
  expect((await world.db.selectFrom('vistas').select('nombre').orderBy('nombre').execute()).length).toBe(2);
  expect(await names(ana)).toEqual(['Por cobrar', 'Por cobrar']);
  expect(await world.db.selectFrom('vistas_preferidas').selectAll().execute()).toEqual([]);
});
