import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type * as api from '../../contract/privacidad/privacidad.ts';
import { audit } from '../audit/audit.ts';
import { type Card, deleteOrderlessClientes, readClienteCards, restoreCliente } from '../clientes/redact.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { withdrawExports } from '../exports/exports.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';
import { markBlockedData } from '../pedidos/lectura/blocked.ts';
import { lockClientesOf } from '../pedidos/lectura/cliente.ts';
import { withdrawPruebas } from '../pruebas/term.ts';
import { withdrawAnswers } from '../repeats/repeats.ts';
import { deleteHeld, deleteHeldOf, heldAboutOrders, heldById } from '../tienda/office/personal.ts';
import { chosenOrders, ENDED } from './persona.ts';
import { redactOrders, restoreOrder } from './redact.ts';
import { ANONIMIZADO, BLOQUEADO, createRedactor } from './redactor.ts';
import type { Kept } from './rewrite.ts';

type Key = { secretKey: string };
type Blocked = { rows: Kept[]; card: Card | undefined };

/** Moves the personal data of orders into encrypted storage; returns how many. Throws 404, 409 naming open or redacted orders. */
export const blockOrders = async (db: Db, actor: Actor, { motivo, ...chosen }: BodyOut<typeof api.bloquear>, { secretKey }: Key) =>
  transact(db, async (tx) => {
    if (chosen.persona && (await heldById(tx, chosen.persona)))
      throw conflict('Es un pedido de la tienda que espera: bórralo con «Anonimizar», o hazlo antes en «Tienda en línea»');
    const orders = await lockOrders(tx, await chosenOrders(tx, chosen));
    refuseSome(orders, ({ ended }) => !ended, 'no han terminado: complétalos o cancélalos antes');
    refuseSome(orders, ({ anonimizado_at, bloqueado_at }) => !!anonimizado_at || !!bloqueado_at, 'ya no tienen datos que bloquear');
    const reason = withoutPerson(orders, motivo, BLOQUEADO);
    const cards = await readClienteCards(
      tx,
      orders.map(({ id }) => id),
    );
    const kept = await redactOrders(tx, orders, BLOQUEADO);
    await deleteHeldOf(
      tx,
      orders.map(({ id }) => id),
    );
    await deleteOrderlessClientes(tx);
    await tx
      .insertInto('datos_bloqueados')
      .values(
        orders.map(({ id }) => ({
          pedido_id: id,
          datos: encrypt(secretKey, JSON.stringify({ rows: kept.get(id) ?? [], card: cards.get(id) } satisfies Blocked)),
          motivo: reason,
          bloqueado_por: actor.id,
        })),
      )
      .execute();
    await withdrawExports(tx);
    await withdrawAnswers(tx);
    await recordBlock(tx, actor, 'bloquear', orders, reason);
    return orders.length;
  });

/** Restores the data of blocked orders. Throws 404, 409 naming orders that are not blocked. */
export const unblockOrders = async (db: Db, actor: Actor, { motivo, pedidos }: BodyOut<typeof api.desbloquear>, { secretKey }: Key) =>
  transact(db, async (tx) => {
    const orders = await lockOrders(tx, await chosenOrders(tx, { pedidos }));
    refuseSome(orders, ({ bloqueado_at }) => !bloqueado_at, 'no están bloqueados');
    await lockClientesOf(
      tx,
      orders.map(({ id }) => id),
    );
    const blocked = await tx
      .deleteFrom('datos_bloqueados')
      .where(
        'pedido_id',
        'in',
        orders.map(({ id }) => id),
      )
      .returning(['pedido_id', 'datos', 'created_at'])
      .execute();
    // Restores in reverse order: shared rows were rewritten once per order.
    const latest = blocked.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.pedido_id.localeCompare(a.pedido_id));
    for (const { datos } of latest) {
      const { rows, card } = JSON.parse(decrypt(secretKey, datos)) as Blocked;
      if (card) await restoreCliente(tx, card);
      await restoreOrder(tx, rows);
    }
    await recordBlock(tx, actor, 'desbloquear', orders, motivo);
    return orders.length;
  });

/** Removes personal data of orders for good, and waiting web orders of the person. Throws 404, 409 naming orders not ended or already anonymised. */
export const anonymiseOrders = async (db: Db, actor: Actor, { motivo, ...chosen }: BodyOut<typeof api.anonimizar>): Promise<number> =>
  transact(db, async (tx) => {
    const waiting = chosen.persona && (await heldById(tx, chosen.persona));
    if (waiting) {
      await deleteHeld(tx, [waiting]);
      const description = `Datos borrados del pedido ${waiting.numero || 'ilegible'} de la tienda`;
      await audit(tx, actor, { action: 'delete', entity_type: 'privacidad', description });
      return 1;
    }
    const orders = await lockOrders(tx, await chosenOrders(tx, chosen));
    refuseSome(orders, ({ ended }) => !ended, 'no han terminado: complétalos o cancélalos antes');
    refuseSome(orders, ({ anonimizado_at }) => !!anonimizado_at, 'ya están anonimizados');
    if (chosen.persona) await deleteHeld(tx, await heldAboutOrders(tx, orders));
    await anonymiseLocked(tx, actor, orders, withoutPerson(orders, motivo, ANONIMIZADO));
    return orders.length;
  });

/** Anonymises locked, ended orders; deletes the stored data of blocked ones. */
export async function anonymiseLocked(
  tx: Tx,
  actor: Actor,
  orders: readonly { id: string; numero_orden: string }[],
  motivo: string,
): Promise<void> {
  await redactOrders(tx, orders, ANONIMIZADO);
  await deleteOrderlessClientes(tx);
  await deleteHeldOf(
    tx,
    orders.map(({ id }) => id),
  );
  await tx
    .deleteFrom('datos_bloqueados')
    .where(
      'pedido_id',
      'in',
      orders.map(({ id }) => id),
    )
    .execute();
  await withdrawPruebas(
    tx,
    orders.map(({ id }) => id),
  );
  await withdrawExports(tx);
  await withdrawAnswers(tx);
  await recordBlock(tx, actor, 'anonimizar', orders, motivo);
}

const recordBlock = (
  tx: Tx,
  actor: Actor,
  what: Parameters<typeof markBlockedData>[2],
  orders: readonly { id: string }[],
  motivo: string,
) =>
  markBlockedData(
    tx,
    actor,
    what,
    orders.map(({ id }) => id),
    motivo,
  );

type Locked = Awaited<ReturnType<typeof lockOrders>>[number];

// Locks in the order of ids, so that concurrent calls cannot deadlock.
async function lockOrders(tx: Tx, ids: string[]) {
  const rows = await tx
    .selectFrom('pedidos')
    .select(['id', 'numero_orden', 'cliente_nombre', 'cliente_telefono', 'anonimizado_at', 'bloqueado_at', ENDED.as('ended')])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length === 0) throw notFound();
  return rows;
}

const SHOWN = 10;

function refuseSome(orders: readonly Locked[], isRefused: (order: Locked) => boolean, why: string): void {
  const numbers = orders.filter(isRefused).map(({ numero_orden }) => numero_orden);
  if (numbers.length === 0) return;
  const more = numbers.length > SHOWN ? ` y ${numbers.length - SHOWN} más` : '';
  throw conflict(`Estos pedidos ${why}. ${numbers.slice(0, SHOWN).join(', ')}${more}.`);
}

// The reason stays in the audit log, so it must not name the person.
const withoutPerson = (orders: readonly Locked[], motivo: string, replacement: typeof ANONIMIZADO | typeof BLOQUEADO) =>
  createRedactor(
    orders.flatMap(({ cliente_nombre, cliente_telefono }) => [cliente_nombre, ...(cliente_telefono ? [cliente_telefono] : [])]),
    replacement,
  )(motivo);
