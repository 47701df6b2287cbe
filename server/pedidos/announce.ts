import { type Actor, can } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { notify, notifyRole, withdrawOffer } from '../notifications/notify.ts';
import type { PedidoRow } from './row.ts';

/**
 * Notifies reseller, carrier and superadmins of an order's change of estado or carrier, except whoever made it.
 * No text holds a price: carriers read some of them.
 */
export async function announce(tx: Tx, actor: Actor, before: PedidoRow | null, after: PedidoRow): Promise<void> {
  if (before?.estado === after.estado && before.transportista_id === after.transportista_id) return;
  const { numero_orden, cliente_nombre } = after;
  const who = `${numero_orden} (${cliente_nombre})`;
  const except = actor.id;
  const search = `search=${encodeURIComponent(numero_orden)}`;
  const pedido_id = after.id;
  const reseller = { users: [after.revendedor_id], enlace: `/mis-pedidos?${search}`, except, pedido_id, mail: true };
  const owner = { roles: ['superadmin' as const], enlace: `/pedidos/${after.id}`, except, pedido_id };

  if (!before) await notify(tx, { tipo: 'pedido_nuevo', texto: `Nuevo pedido ${who}`, ...owner, mail: true });
  if (before?.estado === 'pendiente_pago' && after.estado === 'pendiente')
    await notify(tx, { tipo: 'pedido_pagado', texto: `Pedido pagado: ${who}`, ...reseller });
  if (before?.estado === 'pendiente' && after.estado === 'asignado') {
    await notify(tx, { tipo: 'pedido_tomado', texto: `${after.transportista_nombre} lleva el pedido ${who}`, ...reseller });
  }
  if (before?.transportista_id && before.transportista_id !== after.transportista_id) {
    const now = after.transportista_nombre ? `ha dado a ${after.transportista_nombre} el pedido ${who}` : `te ha retirado el pedido ${who}`;
    await tellCarrier(tx, actor, before.transportista_id, now);
  }
  if (after.transportista_id && before?.transportista_id !== after.transportista_id) {
    await notify(tx, {
      tipo: 'pedido_asignado',
      texto: `Se te ha asignado el pedido ${who}`,
      users: [after.transportista_id],
      enlace: `/pedidos-asignados?${search}`,
      except,
      pedido_id,
    });
  }
  if (before?.estado === 'en_ruta' && after.estado === 'asignado') {
    const texto = `Intento de entrega fallido de ${who}: ${after.motivo}`;
    await notify(tx, { tipo: 'intento_fallido', texto, ...reseller });
    await notify(tx, { tipo: 'intento_fallido', texto, ...owner });
  }
  if (after.estado === 'completado') await notify(tx, { tipo: 'pedido_completado', texto: `Pedido entregado: ${who}`, ...reseller });
  if (after.estado === 'cancelado') {
    await notify(tx, { tipo: 'pedido_cancelado', texto: `Pedido cancelado: ${who}`, ...reseller, mail: false });
    await notify(tx, {
      tipo: 'pedido_cancelado',
      texto: `${actor.full_name} ha cancelado el pedido ${who}`,
      users: [after.transportista_id],
      enlace: `/pedidos-asignados?estado=cancelado&${search}`,
      except,
      pedido_id,
    });
  }
}

const ANY_CARRIER: Actor = { id: '', role: 'transportista', full_name: '' };

/** Tells the carriers of an order from when they may take it, until they no longer may. */
export async function announceOffer(tx: Tx, actor: Actor, before: PedidoRow | null, after: PedidoRow): Promise<void> {
  const [was, is] = [before, after].map((row) => row !== null && can(ANY_CARRIER, 'pedido:take', row));
  if (was && !is) await withdrawOffer(tx, after.id);
  if (was || !is) return;
  await notify(tx, { ...offerOf(after), roles: ['transportista'], except: actor.id });
}

/** Tells the carriers of new orders that they may take, each in a line of its own, which goes when it is taken; pushed once. */
export async function announceOffers(tx: Tx, actor: Actor, orders: readonly PedidoRow[]): Promise<void> {
  const offered = orders.filter((row) => can(ANY_CARRIER, 'pedido:take', row));
  const last = offered.pop();
  await notifyRole(tx, 'transportista', offered.map(offerOf), actor.id);
  if (last) await announceOffer(tx, actor, null, last);
}

const offerOf = ({ id, numero_orden, cliente_nombre }: PedidoRow) => ({
  tipo: 'pedido_disponible' as const,
  texto: `Pedido disponible: ${numero_orden} (${cliente_nombre})`,
  enlace: `/pedidos-disponibles?search=${encodeURIComponent(numero_orden)}`,
  pedido_id: id,
});

/** Notifies the carrier of an order that has been deleted. */
export const announceDeleted = (tx: Tx, actor: Actor, { transportista_id, numero_orden, cliente_nombre }: PedidoRow): Promise<void> =>
  tellCarrier(tx, actor, transportista_id, `ha eliminado el pedido ${numero_orden} (${cliente_nombre})`);

const tellCarrier = (tx: Tx, actor: Actor, carrier: string | null, what: string) =>
  notify(tx, {
    tipo: 'pedido_retirado',
    texto: `${actor.full_name} ${what}`,
    users: [carrier],
    enlace: '/pedidos-asignados',
    except: actor.id,
  });
