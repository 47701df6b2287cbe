import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApiKey } from '../contract/api-keys/api-keys.ts';
import { createEnvio } from '../contract/envios/envios.ts';
import type { EndpointDef } from '../contract/kit/endpoint.ts';
import { isAction, type Role, rolesOf } from '../contract/policy/policy.ts';
import { createVista } from '../contract/vistas/vistas.ts';
import { createWebhook } from '../contract/webhooks/webhooks.ts';
import { endpoints } from './endpoints.ts';
import { createWorld, type Person, type World } from './world.ts';

/*
 * Every list of the API returns exactly the rows that `ids` names. A list is a GET without a parameter in its path
 * that returns rows with an id. Feeds with a cursor are excluded, because they have a fixed order.
 */

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

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> => (schema instanceof z.ZodObject ? schema.shape : {});
function isList({ endpoint: { method, path, action }, schemas }: (typeof endpoints)[number]): boolean {
  const { data } = shapeOf(schemas.response[200]);
  if (method !== 'GET' || path.includes(':') || !isAction(action) || !(data instanceof z.ZodArray)) return false;
  if ('desde' in shapeOf(schemas.query) && 'limite' in shapeOf(schemas.query)) return false;
  const row = data.element as z.ZodType;
  const rows = row instanceof z.ZodUnion ? (row.options as z.ZodType[]) : [row];
  return rows.every((row) => 'id' in shapeOf(row));
}
const LISTS = endpoints.filter(isList).map(({ name, endpoint }) => [name, endpoint] as const);

type Sample = { make: () => Promise<unknown>; query?: string; role?: Role };
const twice = (make: (n: number) => Promise<unknown>) => async () => {
  for (const n of [1, 2]) await make(n);
};
const shopId = async () =>
  (await world.db.insertInto('tiendas').values({ conector: 'woo', nombre: 'Tienda' }).returning('id').executeTakeFirstOrThrow()).id;
async function bankStatement(): Promise<string> {
  const id = crypto.randomUUID();
  await world.db.insertInto('extractos').values({ id, fichero: 'a.n43', leido_por_nombre: 'Ana' }).execute();
  return id;
}
const AUDITED = {
  make: twice(() => world.as('superadmin').then((who) => who.call(createApiKey, { body: { nombre: 'ERP', acciones: ['pedido:list'] } }))),
};
const PACKS = { make: twice(() => world.pack()) };
/** Creates at least two rows for each list. */
const SAMPLES: Record<string, Sample> = {
  listApiKeys: AUDITED,
  listAudit: AUDITED,
  listLogs: AUDITED,
  listBackups: {
    make: twice((n) =>
      world.db
        .insertInto('backups')
        .values({ nombre: `${n}.enc`, origen: 'manual', estado: 'verificada' })
        .execute(),
    ),
  },
  listImports: {
    make: twice(async () => {
      const { id } = await world.pedido();
      await sql`INSERT INTO importaciones (pedidos, versiones) VALUES (ARRAY[${id}::uuid], '{1}')`.execute(world.db);
    }),
  },
  listExtractos: { make: twice(() => bankStatement()) },
  listAbonos: {
    make: twice(async (n) => {
      const movement = {
        cuenta: '1',
        fecha: '2026-01-05',
        importe_cents: n,
        resto_cents: n,
        texto: 'A',
        formato: 'n43',
        huella: 'a',
        orden: 1,
      };
      await world.db
        .insertInto('movimientos')
        .values({ ...movement, extracto_id: await bankStatement() })
        .execute();
    }),
  },
  listCobros: {
    make: twice(async () => {
      const { id } = await world.pedido();
      const transportista_id = (await world.user({ role: 'transportista' })).id;
      const pago = { pedido_id: id, proveedor: 'bizum', referencia: '', importe_cents: 100, estado: 'pagado' as const, transportista_id };
      await world.db.insertInto('pagos').values(pago).execute();
    }),
  },
  listDeEmpresas: {
    make: twice(async () => {
      const { id } = await world.pedido();
      const pago = { pedido_id: id, proveedor: 'empresa', empresa: 'MRW', referencia: '', importe_cents: 100, estado: 'pagado' as const };
      await world.db.insertInto('pagos').values(pago).execute();
    }),
  },
  listSinRegistrar: {
    make: twice(async () => {
      const { id: pedido_id } = await world.pedido();
      const entry = { pedido_id, actor_role: 'transportista', actor_nombre: 'Tomás', accion: 'Sin registrar: Completar', cambios: '{}' };
      await world.db
        .insertInto('pedidos_historial')
        .values({ ...entry, cobrado_cents: 100, cobrado_metodo: 'efectivo' })
        .execute();
    }),
  },
  listPorRecibir: {
    make: twice(async () => {
      const { id: pedido_id } = await world.pedido();
      const { id } = await world.db
        .insertInto('devoluciones')
        .values({ pedido_id, motivo: 'entrega_parcial', actor_nombre: 'Tomás' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const line = {
        devolucion_id: id,
        numero: 1,
        destino: 'camino' as const,
        producto: 'Aceite',
        cantidad: 1,
        motivo: 'rechazado' as const,
      };
      await world.db.insertInto('devoluciones_lineas').values(line).execute();
    }),
  },
  listClientes: { make: twice((n) => world.pedido({ cliente_telefono: `60011122${n}` })) },
  listDisponibles: { make: twice(() => world.pedido({ estado: 'pendiente' })), role: 'transportista' },
  listExports: {
    make: twice((n) =>
      world.db
        .insertInto('exports')
        .values({ user_id: admin.user.id, name: `${n}.csv`, formato: 'csv', estado: 'listo', peticion: '{}' })
        .execute(),
    ),
  },
  listLiquidaciones: {
    make: twice(async (n) =>
      world.db
        .insertInto('liquidaciones')
        .values({
          numero: `LIQ-${n}`,
          user_id: (await world.user({ role: 'revendedor' })).id,
          persona_nombre: 'Rosa',
          role: 'revendedor',
          mes: '2026-01-01',
          num_lineas: 1,
          total_cents: 100,
          cerrada_por_nombre: 'Ana',
        })
        .execute(),
    ),
  },
  listPacks: PACKS,
  listPacksAlias: PACKS,
  listPagosPorRevisar: {
    make: twice((n) =>
      world.db
        .insertInto('payment_events')
        .values({
          proveedor: 'stripe',
          evento_id: `e${n}`,
          externo_id: `x${n}`,
          resultado: 'desconocido',
          importe_cents: 100,
          moneda: 'eur',
        })
        .execute(),
    ),
  },
  listEnvios: {
    make: twice(async () => {
      const { id } = await world.pedido();
      await world.db
        .updateTable('settings')
        .set({ data: JSON.stringify({ shipmentFiles: true }) as never })
        .execute();
      await admin.call(createEnvio, { body: { plantilla: 'correos', ids: [id] } });
    }),
  },
  listPedidos: { make: twice(() => world.pedido()) },
  listProducts: { make: twice(() => world.product()) },
  listTienda: {
    make: twice(async (n) =>
      world.db
        .insertInto('tienda_pedidos')
        .values({
          tienda_id: await shopId(),
          externo_id: `${n}`,
          numero: `${n}`,
          modificado_at: '2026-11-20T09:00:00Z',
          estado: 'por_revisar',
          motivo: 'Falta la dirección',
        })
        .execute(),
    ),
  },
  listParejas: {
    make: twice((n) =>
      world.db
        .insertInto('tienda_productos')
        .values({ clave: `SKU-${n}` })
        .execute(),
    ),
  },
  listIlegibles: {
    make: twice(async () =>
      world.db
        .insertInto('tienda_mensajes')
        .values({ tienda_id: await shopId(), resultado: 'ilegible' })
        .execute(),
    ),
  },
  listFuentes: { make: twice(shopId) },
  listFormas: {
    make: twice(async (n) =>
      world.db
        .insertInto('tienda_formas')
        .values({ tienda_id: await shopId(), clave: `forma-${n}`, titulo: 'Al recibirlo', trato: 'reembolso' })
        .execute(),
    ),
  },
  listUsers: { make: twice(() => world.user({ role: 'revendedor' })) },
  listVistas: {
    make: twice((n) => admin.call(createVista, { body: { lista: 'pedidos', nombre: `Vista ${n}`, consulta: {}, compartida: false } })),
    query: 'lista=pedidos&',
  },
  listWebhooks: {
    make: twice((n) => admin.call(createWebhook, { body: { url: `https://tienda.es/${n}`, eventos: ['pedido.creado'] } })),
  },
};

type Listed = { data: { id: string }[]; total?: number };

describe('the parameter `ids`', () => {
  test.each(LISTS)('the parameter `ids` selects the rows of %s', async (name, { path, action }: EndpointDef) => {
    const sample = SAMPLES[name];
    if (!sample) throw new Error(`${name} has no sample here`);
    await sample.make();
    const who = await world.as(sample.role ?? (isAction(action) ? rolesOf(action)[0] : undefined) ?? 'superadmin');
    const ask = async (query: string) => {
      const { status, text, body } = await who.request('GET', `${path}?${sample.query ?? ''}${query}`);
      expect(status, text).toBe(200);
      const { data, total } = body as Listed;
      return { ids: data.map(({ id }) => id), total };
    };
    const all = await ask('');
    const [first = '', second = ''] = all.ids;
    expect(second).not.toBe('');
    const unknown = crypto.randomUUID();
    for (const query of [`ids=${first},${unknown}`, `ids=${first}&ids=${unknown}`]) {
      const { ids, total } = await ask(query);
      expect([ids, total ?? 1]).toEqual([[first], 1]);
    }
    expect((await ask(`ids=${second},${first}`)).ids).toEqual([first, second]);
    expect((await ask(`ids=${unknown}`)).ids).toEqual([]);
    for (const query of ['ids=', 'ids=no-es-un-id', `ids=${Array.from({ length: 101 }, () => unknown).join()}`])
      expect((await who.request('GET', `${path}?${sample.query ?? ''}${query}`)).status, query.slice(0, 20)).toBe(422);
  });

  test('every list has a sample here, and every sample belongs to a list', () => {
    expect(LISTS.length).toBeGreaterThan(12);
    expect(Object.keys(SAMPLES).sort()).toEqual(LISTS.map(([name]) => name).sort());
  });
});
