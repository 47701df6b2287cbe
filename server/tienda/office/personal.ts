import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isMadeUp } from '../../../contract/text/telephone.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { matchesWords } from '../../pedidos/lectura/filter.ts';
import type { WebOrder } from '../reading/order.ts';
import { webOrderInWords } from './describe.ts';

/* Personal data of waiting web orders, of changes, and of unreadable messages. */

export type Held = {
  id: string;
  cliente: string | null;
  telefono: string | null;
  lugar: string;
  numero: string;
  recibido_at: string;
  pedido_id: string | null;
  ilegible: boolean;
  datos: object;
};

const TEXT = sql<string>`(coalesce(contenido::text, '') || ' ' || coalesce(correcciones::text, ''))`;
const digitsIn = (text: RawBuilder<string>) => sql<string>`regexp_replace(${text}, '[^0-9]', '', 'g')`;

/** Returns the waiting orders and unreadable messages with a condition about their text. */
async function heldWhere(
  db: Db | Tx,
  isHeld: (text: RawBuilder<string>, pedido: RawBuilder<string>) => RawBuilder<SqlBool>,
): Promise<Held[]> {
  const orders = await db
    .selectFrom('tienda_pedidos')
    .select(['id', 'numero', 'recibido_at', 'pedido_id', 'contenido'])
    .where(sql<SqlBool>`(contenido IS NOT NULL OR correcciones IS NOT NULL) AND ${isHeld(TEXT, sql`pedido_id`)}`)
    .execute();
  const messages = await db
    .selectFrom('tienda_mensajes')
    .select(['id', 'recibido_at', 'contenido'])
    .where(sql<SqlBool>`contenido IS NOT NULL AND ${isHeld(sql`contenido`, sql`NULL::uuid`)}`)
    .execute();
  const unreadable = { cliente: null, telefono: null, lugar: '', numero: '', pedido_id: null, ilegible: true };
  return [
    ...orders.map(({ contenido, ...row }): Held => {
      const order = contenido as WebOrder | null;
      const { cliente_nombre = null, cliente_telefono = null, cliente_ciudad, cliente_provincia } = order?.cliente ?? {};
      const lugar = [cliente_ciudad, cliente_provincia].filter(Boolean).join(', ');
      const datos = order ? Object.fromEntries(webOrderInWords(order).map(({ que, texto }) => [que, texto])) : {};
      return { ...row, cliente: cliente_nombre, telefono: cliente_telefono, lugar, ilegible: false, datos };
    }),
    ...messages.map(({ contenido, ...row }): Held => ({ ...row, ...unreadable, datos: { Mensaje: contenido } })),
  ];
}

/** Returns the waiting orders and unreadable messages that contain all words of the search, or its digits. */
export async function searchHeldOrders(db: Db | Tx, search: string): Promise<Held[]> {
  const digits = search.replace(/\D/g, '');
  if (!search.trim()) return [];
  return heldWhere(db, (text) => {
    const words = matchesWords(sql`normaliza(' ' || ${text})`, search);
    return sql<SqlBool>`(${words} ${digits.length >= 5 ? sql`OR position(${digits} IN ${digitsIn(text)}) > 0` : sql``})`;
  });
}

/** Returns a waiting order or unreadable message by its id. */
export const heldById = async (db: Db | Tx, id: string): Promise<Held | undefined> =>
  (await heldWhere(db, () => sql<SqlBool>`id = ${id}::uuid`))[0];

/** Returns waiting orders and messages that belong to these orders, or contain a telephone of their customers. */
export function heldAboutOrders(db: Db | Tx, orders: readonly { id: string; cliente_telefono: string | null }[]): Promise<Held[]> {
  const ids = orders.map(({ id }) => id);
  const phones = orders
    .map(({ cliente_telefono }) => (cliente_telefono ?? '').replace(/\D/g, '').slice(-9))
    .filter((digits) => !isMadeUp(digits));
  return heldWhere(
    db,
    (text, pedido) =>
      sql<SqlBool>`(${pedido} = ANY (${ids}::uuid[]) OR EXISTS (SELECT FROM unnest(${phones}::text[]) n WHERE position(n IN ${digitsIn(text)}) > 0))`,
  );
}

/** Erases the content of these waiting orders and messages; later messages of the shop about them bring nothing of the person back. */
export async function deleteHeld(db: Db | Tx, held: readonly Pick<Held, 'id'>[]): Promise<void> {
  const ids = held.map(({ id }) => id);
  await transact(db, async (tx) => {
    await sql`UPDATE tienda_pedidos SET contenido = NULL, correcciones = NULL, acordado = NULL, cambios = '{}', aviso = NULL,
        olvidado_at = CASE WHEN pedido_id IS NULL THEN now() END,
        motivo = CASE WHEN estado IN ('por_revisar', 'recibido') THEN 'Datos borrados' ELSE motivo END,
        estado = CASE WHEN pedido_id IS NOT NULL THEN 'creado' WHEN estado IN ('por_revisar', 'recibido') THEN 'ignorado' ELSE estado END
      WHERE id = ANY (${ids}::uuid[])`.execute(tx);
    await tx.updateTable('tienda_mensajes').set({ contenido: null }).where('id', '=', sql<string>`ANY (${ids}::uuid[])`).execute();
  });
}

/** Erases the waiting content of these orders, when they are blocked or anonymised. */
export async function deleteHeldOf(tx: Tx, pedidos: readonly string[]): Promise<void> {
  const rows = await tx.selectFrom('tienda_pedidos').select('id').where('pedido_id', '=', sql<string>`ANY (${pedidos}::uuid[])`).execute();
  await deleteHeld(tx, rows);
}
