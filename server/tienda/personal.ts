import { sql } from 'kysely';
import { fold } from '../../contract/text/normalize.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { decrypt } from '../kit/secrets.ts';
import { messageOf } from './describe.ts';
import type { WebOrder } from './order.ts';

/* Personal data of waiting web orders and changes. The data is encrypted, so a search has to decrypt each row. */

export type Held = {
  id: string;
  cliente: string | null;
  telefono: string | null;
  lugar: string;
  numero: string;
  recibido_at: string;
  pedido_id: string | null;
  ilegible: boolean;
  texto: string;
  datos: object;
};

/** Returns the waiting orders and unreadable messages that contain all words of the search, or its digits. */
export async function heldOf(db: Db | Tx, secretKey: string, search: string): Promise<Held[]> {
  const words = fold(search).split(/\s+/).filter(Boolean);
  const digits = search.replace(/\D/g, '');
  if (words.length === 0) return [];
  return (await allHeld(db, secretKey)).filter(({ texto }) => {
    const folded = fold(texto);
    return words.every((word) => folded.includes(word)) || (digits.length >= 5 && texto.replace(/\D/g, '').includes(digits));
  });
}

async function allHeld(db: Db | Tx, secretKey: string): Promise<Held[]> {
  const orders = await db
    .selectFrom('tienda_pedidos')
    .select(['id', 'numero', 'recibido_at', 'pedido_id', 'contenido', 'correcciones'])
    .where(({ or, eb }) => or([eb('contenido', 'is not', null), eb('correcciones', 'is not', null)]))
    .execute();
  const messages = await db
    .selectFrom('tienda_mensajes')
    .select(['id', 'recibido_at', 'contenido'])
    .where('contenido', 'is not', null)
    .execute();
  const opened = (text: string | null) => (text ? decrypt(secretKey, text) : '');
  return [
    ...orders.map(({ contenido, correcciones, ...row }): Held => {
      const order = contenido ? (JSON.parse(opened(contenido)) as WebOrder) : undefined;
      const datos = order ? Object.fromEntries(messageOf(order).map(({ que, texto }) => [que, texto])) : {};
      const { cliente_nombre = null, cliente_telefono = null, cliente_ciudad, cliente_provincia } = order?.cliente ?? {};
      const lugar = [cliente_ciudad, cliente_provincia].filter(Boolean).join(', ');
      return {
        ...row,
        cliente: cliente_nombre,
        telefono: cliente_telefono,
        lugar,
        ilegible: false,
        texto: `${opened(contenido)} ${opened(correcciones)}`,
        datos,
      };
    }),
    ...messages.map(({ contenido, ...row }): Held => {
      const texto = opened(contenido);
      return {
        ...row,
        cliente: null,
        telefono: null,
        lugar: '',
        numero: '',
        pedido_id: null,
        ilegible: true,
        texto,
        datos: { Mensaje: texto },
      };
    }),
  ];
}

/** Returns a waiting order or unreadable message by its id. */
export const heldById = async (db: Db | Tx, secretKey: string, id: string): Promise<Held | undefined> =>
  (await allHeld(db, secretKey)).find((held) => held.id === id);

/** Returns waiting orders and messages that belong to these orders, or contain a telephone of their customers. */
export async function heldAboutOrders(
  db: Db | Tx,
  secretKey: string,
  orders: readonly { id: string; cliente_telefono: string | null }[],
): Promise<Held[]> {
  const phones = orders
    .map(({ cliente_telefono }) => (cliente_telefono ?? '').replace(/\D/g, '').slice(-9))
    .filter(({ length }) => length >= 6);
  return (await allHeld(db, secretKey)).filter(({ pedido_id, texto }) => {
    const digits = texto.replace(/\D/g, '');
    return orders.some(({ id }) => id === pedido_id) || phones.some((phone) => digits.includes(phone));
  });
}

/** Deletes the content of these waiting orders and messages; their numbers stay, so that a later message of the shop creates no order. */
export async function deleteHeld(db: Db | Tx, held: readonly Pick<Held, 'id'>[]): Promise<void> {
  const ids = held.map(({ id }) => id);
  await transact(db, async (tx) => {
    await sql`UPDATE tienda_pedidos SET contenido = NULL, correcciones = NULL, cambios = '{}', aviso = NULL,
        motivo = CASE WHEN estado = 'por_revisar' THEN 'Datos borrados' ELSE motivo END,
        estado = CASE WHEN estado <> 'por_revisar' THEN estado WHEN pedido_id IS NULL THEN 'ignorado' ELSE 'creado' END
      WHERE id = ANY (${ids}::uuid[])`.execute(tx);
    await tx.updateTable('tienda_mensajes').set({ contenido: null }).where('id', '=', sql<string>`ANY (${ids}::uuid[])`).execute();
  });
}

/** Deletes the waiting content of these orders, when they are blocked or anonymised. */
export async function deleteHeldOf(tx: Tx, pedidos: readonly string[]): Promise<void> {
  const rows = await tx.selectFrom('tienda_pedidos').select('id').where('pedido_id', '=', sql<string>`ANY (${pedidos}::uuid[])`).execute();
  await deleteHeld(tx, rows);
}
