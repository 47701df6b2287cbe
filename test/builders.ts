import { randomUUID } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import { EN_MANOS, type Estado } from '../contract/pedidos/estados.ts';
import type { Role } from '../contract/policy/policy.ts';
import type { Db } from '../server/db/open.ts';
import type { MovedEstado, NewEstado, PedidosTable, Tables, UsersTable } from '../server/db/schema.ts';
import { hashPassword } from '../server/session/passwords.ts';

export type UserRow = Selectable<UsersTable>;
export type ProductRow = Selectable<Tables['products']>;
export type PackRow = Selectable<Tables['product_packs']>;
export type PedidoRow = Selectable<PedidosTable>;

/** Password of every person created by `user()`. */
export const PASSWORD = 'clave de pruebas';
// Hashes only once, because hashing is slow on purpose.
let hash: Promise<string> | undefined;

let serial = 0;

type PedidoGiven = Partial<Omit<Insertable<PedidosTable>, 'estado'>> & { estado?: Estado; pack?: PackRow };

/** Sets an order's estado bypassing transitions, which only tests may do. */
export const anyEstado = (estado: Estado) => estado as NewEstado & MovedEstado;

/** Inserts plausible rows directly into the database, with defaults for absent columns. */
export function builders(db: Db) {
  const user = async (fields: Partial<Insertable<UsersTable>> & { role: Role }): Promise<UserRow> => {
    const n = ++serial;
    const password_hash = fields.password_hash ?? (await (hash ??= hashPassword(PASSWORD)));
    return db
      .insertInto('users')
      .values({
        full_name: `${fields.role} ${n}`,
        email: `${fields.role}${n}@enruta.test`,
        username: null,
        is_active: true,
        deleted_at: null,
        ...fields,
        password_hash,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  };

  /** An active product, with its first stock in the ledger. */
  const product = async (fields: Partial<Insertable<Tables['products']>> = {}): Promise<ProductRow> => {
    const row = await db
      .insertInto('products')
      .values({ name: `Producto ${++serial}`, description: null, stock: 1000, min_stock: 10, is_active: true, ...fields })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (row.stock) await move(row.id, row.stock, 'inicial', null);
    return row;
  };

  /** An active pack of 2 units at 12,50 €, of `product_id` or of a new product. */
  const pack = async (fields: Partial<Insertable<Tables['product_packs']>> = {}): Promise<PackRow> =>
    db
      .insertInto('product_packs')
      .values({
        name: `Pack ${++serial}`,
        alias: `P${serial}`,
        pack_quantity: 2,
        pack_price_cents: 1250,
        is_active: true,
        ...fields,
        product_id: fields.product_id ?? (await product()).id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();

  /**
   * Inserts an order in any estado (`pendiente` by default), with the data that earlier transitions would have left: carrier, dates,
   * delivery method, and units taken from the stock or returned.
   */
  const pedido = async ({ pack: givenPack, ...fields }: PedidoGiven = {}): Promise<PedidoRow> => {
    const n = ++serial;
    const estado = fields.estado ?? 'pendiente';
    const of = givenPack ?? (await pack());
    const { name, iva } = await db.selectFrom('products').select(['name', 'iva']).where('id', '=', of.product_id).executeTakeFirstOrThrow();
    const cantidad = fields.cantidad ?? 1;
    const unidades = cantidad * of.pack_quantity;
    const carried = EN_MANOS.includes(estado) || estado === 'completado';
    const reseller = await nameOf(fields.revendedor_id, 'revendedor', fields.revendedor_id === undefined);
    const carrier = await nameOf(fields.transportista_id, 'transportista', fields.transportista_id === undefined && carried);
    const row = await db
      .insertInto('pedidos')
      .values({
        numero_orden: `TEST-${String(n).padStart(6, '0')}`,
        cliente_nombre: `Cliente ${n}`,
        cliente_direccion: `Calle Mayor ${n}`,
        cliente_direccion2: '2º B',
        cliente_ciudad: 'Madrid',
        cliente_provincia: 'Madrid',
        cliente_codigo_postal: '28001',
        cliente_pais: 'España',
        cliente_telefono: '600 11 22 33',
        instrucciones: 'Llamar antes',
        producto: `${name} - ${of.name}`,
        pack_id: of.id,
        precio_unitario_cents: of.pack_price_cents,
        precio_total_cents: of.pack_price_cents * cantidad,
        unidades_retenidas: estado === 'cancelado' ? 0 : unidades,
        fecha_estimada: null,
        fecha_completado: estado === 'completado' ? new Date().toISOString() : null,
        fecha_pago: estado === 'pendiente_pago' || estado === 'cancelado' ? null : new Date().toISOString(),
        metodo_entrega: estado === 'completado' ? 'manual' : null,
        numero_seguimiento: null,
        motivo: null,
        pago_token: randomUUID(),
        deleted_at: null,
        ...fields,
        cantidad,
        estado: anyEstado(estado),
        revendedor_id: reseller.id,
        revendedor_nombre: reseller.name,
        transportista_id: carrier.id,
        transportista_nombre: carrier.name,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { producto, pack_id, precio_unitario_cents, precio_total_cents } = row;
    const line = {
      numero: 1,
      product_id: of.product_id,
      pack_id,
      producto,
      cantidad,
      precio_unitario_cents,
      precio_total_cents,
      unidades,
      iva,
    };
    await db
      .insertInto('pedidos_lineas')
      .values({ pedido_id: row.id, ...line })
      .execute();
    await db
      .updateTable('products')
      .set((eb) => ({ stock: eb('stock', '-', row.unidades_retenidas) }))
      .where('id', '=', of.product_id)
      .execute();
    await move(of.product_id, -unidades, 'pedido', row.id);
    if (row.unidades_retenidas !== unidades) await move(of.product_id, unidades - row.unidades_retenidas, 'devolucion', row.id);
    return row;
  };

  async function nameOf(id: string | null | undefined, role: Role, make: boolean): Promise<{ id: string | null; name: string | null }> {
    if (!id && !make) return { id: null, name: null };
    const found = id ? await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow() : await user({ role });
    return { id: found.id, name: found.full_name };
  }

  async function move(product_id: string, unidades: number, motivo: string, pedido_id: string | null): Promise<void> {
    await db
      .insertInto('stock_movements')
      .values({ product_id, unidades, motivo, pedido_id, nota: null, actor_user_id: null, actor_nombre: 'Sistema' })
      .execute();
  }

  return { user, product, pack, pedido };
}
