import { sql } from 'kysely';
import type { Comentario } from '../../contract/comentarios/comentarios.ts';
import { seesField } from '../../contract/pedidos/access.ts';
import { PEDIDO_AT, placePath } from '../../contract/pedidos/place.ts';
import { type Actor, can, personIdOf, type Role, rolesOf } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { findPedido, type PedidoRow } from '../pedidos/lectura/row.ts';

const SHOWN = 200;

/** Returns the latest comments, oldest first, and the names to mention. Carriers read only their own comments (design, section 4.13). Throws 404. */
export async function readComments(db: Db, actor: Actor, id: string): Promise<{ data: Comentario[]; personas: string[] }> {
  const pedido = await commentable(db, actor, id);
  const latest = db
    .selectFrom('comentarios')
    .select(['id', 'autor_nombre', 'autor_role', 'texto', 'created_at'])
    .where('pedido_id', '=', id)
    .$if(!can(actor, 'pedido:prices'), (query) => query.where('autor_id', '=', personIdOf(actor)))
    .orderBy('created_at', 'desc')
    .limit(SHOWN);
  const data = (await latest.execute()).toReversed();
  const readers = await readersOf(db, actor, pedido);
  return { data, personas: readers.filter(({ id: reader }) => reader !== actor.id).map(({ full_name }) => full_name) };
}

/** Adds a comment and notifies the people mentioned by @ and full name. Throws 404; 409 for blocked or anonymised data. */
export const addComment = (db: Db, actor: Actor, id: string, texto: string): Promise<Comentario> =>
  transact(db, (tx) => commentOn(tx, actor, id, texto));

/** Like `addComment`, in the caller's transaction. */
export async function commentOn(tx: Tx, actor: Actor, id: string, texto: string): Promise<Comentario> {
  const pedido = await commentable(tx, actor, id);
  refuseBlockedData(pedido, 'comentar');
  const comentario = await tx
    .insertInto('comentarios')
    .values({ pedido_id: id, autor_id: personIdOf(actor), autor_nombre: actor.full_name, autor_role: actor.role, texto })
    .returning(['id', 'autor_nombre', 'autor_role', 'texto', 'created_at'])
    .executeTakeFirstOrThrow();
  await notifyReaders(tx, actor, pedido, texto);
  const users = [pedido.revendedor_id, pedido.transportista_id].filter((user) => user !== null);
  emit(tx, { topic: 'pedidos', roles: ['superadmin'], users });
  return comentario;
}

/** Deletes a comment that the program wrote by mistake, in the caller's transaction. */
export const deleteComment = (tx: Tx, id: string) => tx.deleteFrom('comentarios').where('id', '=', id).execute();

async function commentable(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  const pedido = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:comment', pedido)) throw notFound();
  return pedido;
}

type Reader = { id: string; full_name: string; role: Role };

const readersOf = (db: Db | Tx, actor: Actor, pedido: PedidoRow): Promise<Reader[]> => {
  const revendedor_id = seesField(actor, 'revendedor_nombre', pedido) ? pedido.revendedor_id : null;
  return db
    .selectFrom('users')
    .select(['id', 'full_name', 'role'])
    .where('deleted_at', 'is', null)
    .where('is_active', '=', true)
    .where((eb) => eb.or([eb('role', 'in', rolesOf('comment:any')), ...(revendedor_id ? [eb('id', '=', revendedor_id)] : [])]))
    .orderBy(sql`normaliza(full_name)`)
    .limit(SHOWN)
    .execute();
};

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the names mentioned in a text. Matches longer names first, so that «@Ana López» does not also mention «Ana». */
function calledIn(texto: string, names: readonly string[]): Set<string> {
  let text = plain(texto);
  const called = new Set<string>();
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const rest = text.replaceAll(`@${name}`, '');
    if (rest !== text) called.add(name);
    text = rest;
  }
  return called;
}

async function notifyReaders(tx: Tx, actor: Actor, pedido: PedidoRow, texto: string): Promise<void> {
  if (!texto.includes('@')) return;
  const readers = await readersOf(tx, actor, pedido);
  const called = calledIn(
    texto,
    readers.map(({ full_name }) => plain(full_name)),
  );
  for (const { id, role, full_name } of readers) {
    if (id === actor.id || !called.has(plain(full_name))) continue;
    const enlace = placePath(PEDIDO_AT[role](pedido));
    const words = `${actor.full_name} te ha nombrado en el pedido ${pedido.numero_orden} (${pedido.cliente_nombre})`;
    await notify(tx, { tipo: 'comentario', texto: words, users: [id], enlace, pedido_id: pedido.id, mail: true });
  }
}
