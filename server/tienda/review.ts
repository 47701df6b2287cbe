import { sql } from 'kysely';
import { asPage, type QueryOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { TIENDA_DAYS } from '../../contract/tienda/fields.ts';
import type { listTienda as endpoint, PedidoTienda } from '../../contract/tienda/tienda.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { decrypt } from '../kit/secrets.ts';
import { packsByClave } from './create.ts';
import type { WebOrder } from './order.ts';

const WAITS = sql<boolean>`(t.estado IN ('recibido', 'por_revisar') OR t.aviso IS NOT NULL)`;

/** Lists the shop's orders that wait for a person, oldest first. */
export async function listWaiting(db: Db, secretKey: string, { page, per_page, ids }: QueryOut<typeof endpoint>) {
  const waiting = db
    .selectFrom('tienda_pedidos as t')
    .leftJoin('pedidos as p', 'p.id', 't.pedido_id')
    .where(WAITS)
    .$if(ids !== undefined, (query) => query.where('t.id', '=', sql<string>`ANY (${ids}::uuid[])`));
  const { total } = await waiting.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await waiting
    .select(['t.id', 't.numero', 't.estado', 't.motivo', 't.aviso', 't.pedido_id', 'p.numero_orden', 't.recibido_at', 't.contenido'])
    .orderBy('t.recibido_at')
    .orderBy('t.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
  const orders = rows.map(({ contenido }) => (contenido ? (JSON.parse(decrypt(secretKey, contenido)) as WebOrder) : undefined));
  const packs = await packsByClave(
    db,
    orders.flatMap((order) => order?.lineas ?? []),
  );
  const data = rows.map(({ contenido: _, ...row }, i): PedidoTienda => {
    const order = orders[i];
    return {
      ...row,
      cliente: order?.cliente.cliente_nombre ?? null,
      total: order ? toEuros(order.total_cents) : null,
      lineas: (order?.lineas ?? [])
        .filter(({ isFee }) => !isFee)
        .map(({ clave, nombre, cantidad }) => ({ clave, nombre, cantidad, pack_id: packs.get(clave) ?? null })),
    };
  });
  return asPage(data, Number(total), { page, per_page });
}

/** Assigns a pack to a product of the shop, and queues waiting orders again. Throws 422 for a pack that cannot be ordered. */
export async function match(db: Db, actor: Actor, { clave, pack_id }: { clave: string; pack_id: string }): Promise<void> {
  await transact(db, async (tx) => {
    const pack = await tx
      .selectFrom('product_packs')
      .select('name')
      .where('id', '=', pack_id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (!pack) throw invalid('pack_id', 'Selecciona un pack válido');
    await tx
      .insertInto('tienda_productos')
      .values({ clave, pack_id })
      .onConflict((on) => on.column('clave').doUpdateSet({ pack_id }))
      .execute();
    await tx.updateTable('tienda_pedidos').set({ estado: 'recibido' }).where('estado', '=', 'por_revisar').execute();
    emitJob(tx, 'tienda');
    const description = `Producto de la tienda «${clave}»: ${pack.name}`;
    await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'tienda', description });
  });
}

/** Queues a waiting order again. Throws 404, 409 if the order no longer waits. */
export async function retry(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx.selectFrom('tienda_pedidos').select(['numero', 'estado']).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw notFound();
    if (row.estado !== 'por_revisar') throw conflict('Ese pedido de la tienda ya no espera');
    await tx.updateTable('tienda_pedidos').set({ estado: 'recibido' }).where('id', '=', id).execute();
    emitJob(tx, 'tienda');
    const description = `Pedido ${row.numero} de la tienda: se lee otra vez`;
    await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'tienda', description });
  });
}

/** Discards a waiting order, or the notice of a change. Throws 404, 409 if nothing waits. */
export async function dismiss(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx
      .selectFrom('tienda_pedidos')
      .select(['numero', 'estado', 'aviso'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    if (row.estado !== 'por_revisar' && !row.aviso) throw conflict('Ese pedido de la tienda ya no espera');
    const isOrder = row.estado === 'por_revisar';
    await tx
      .updateTable('tienda_pedidos')
      .set({ aviso: null, ...(isOrder && { estado: 'ignorado', motivo: 'Descartado', contenido: null }) })
      .where('id', '=', id)
      .execute();
    const description = isOrder ? `Pedido ${row.numero} de la tienda descartado` : `Cambio del pedido ${row.numero} de la tienda visto`;
    await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'tienda', description });
  });
}

/** Discards orders that no one has reviewed in `TIENDA_DAYS`, because they hold customer data. */
export async function forgetUnseen(db: Db): Promise<void> {
  await db
    .updateTable('tienda_pedidos')
    .set({ estado: 'ignorado', contenido: null, motivo: `Nadie lo ha mirado en ${TIENDA_DAYS} días` })
    .where('estado', '=', 'por_revisar')
    .where('recibido_at', '<', sql<string>`now() - make_interval(days => ${TIENDA_DAYS})`)
    .execute();
}
