import { findReversal, REVERSALS } from '../../../contract/pedidos/reversals.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import type { Notice } from '../../notifications/notify.ts';
import type { StoredPedido } from '../lectura/row.ts';

/** Notices about a change of an order for everyone concerned except the author. No text contains a price, because carriers read some of them. */
export const changeNotices = (
  actor: Actor,
  {
    action,
    deshace,
    nota,
  }: { action: 'create' | 'update' | 'delete' | 'restore'; deshace?: string | undefined; nota?: string | null | undefined },
  before: StoredPedido | null,
  after: StoredPedido,
): Notice[] => [
  ...(isOffered(after) && !isOffered(before) ? [offerOf(actor, after)] : []),
  ...(action === 'delete'
    ? deletionOf(actor, after)
    : action === 'restore'
      ? []
      : deshace && before
        ? takenBack(actor, before, after, nota)
        : moveOf(actor, before, after)),
];

const ANY_CARRIER: Actor = { id: '', role: 'transportista', full_name: '' };

export const isOffered = (row: StoredPedido | null): boolean => row !== null && can(ANY_CARRIER, 'pedido:take', row);

/** Notices to carriers of new available orders: one per order, but a single push for all. */
export const offerNotices = (actor: Actor, orders: readonly StoredPedido[]): Notice[] =>
  orders.filter(isOffered).map((row, i, { length }) => ({ ...offerOf(actor, row), quiet: i < length - 1 }));

const offerOf = (actor: Actor, { id, numero_orden, cliente_nombre, cliente_codigo_postal }: StoredPedido): Notice => ({
  tipo: 'pedido_disponible',
  texto: `Pedido disponible: ${numero_orden} (${cliente_nombre})`,
  enlace: `/pedidos-disponibles?search=${encodeURIComponent(numero_orden)}`,
  roles: ['transportista'],
  except: actor.id,
  pedido_id: id,
  postcode: cliente_codigo_postal,
});

function moveOf(actor: Actor, before: StoredPedido | null, after: StoredPedido): Notice[] {
  const isIncident = !!before && !before.incidencia_at && !!after.incidencia_at;
  if (before?.estado === after.estado && before.transportista_id === after.transportista_id && !isIncident) return [];
  const { numero_orden, cliente_nombre } = after;
  const who = `${numero_orden} (${cliente_nombre})`;
  const except = actor.id;
  const search = `search=${encodeURIComponent(numero_orden)}`;
  const pedido_id = after.id;
  const reseller = { users: [after.revendedor_id], enlace: `/mis-pedidos?${search}`, except, pedido_id, mail: true };
  const owner = { roles: ['superadmin' as const], enlace: `/pedidos/${after.id}`, except, pedido_id };
  const notices: Notice[] = [];

  if (!before) notices.push({ tipo: 'pedido_nuevo', texto: `Nuevo pedido ${who}`, ...owner, mail: true });
  if (before?.estado === 'pendiente_pago' && after.estado === 'pendiente')
    notices.push({ tipo: 'pedido_pagado', texto: `Pedido pagado: ${who}`, ...reseller });
  if (before?.estado === 'pendiente' && after.estado === 'asignado')
    notices.push({ tipo: 'pedido_tomado', texto: `${after.transportista_nombre ?? 'Otra persona'} lleva el pedido ${who}`, ...reseller });
  if (before?.transportista_id && before.transportista_id !== after.transportista_id) {
    const now = after.transportista_nombre ? `ha dado a ${after.transportista_nombre} el pedido ${who}` : `te ha retirado el pedido ${who}`;
    notices.push(toCarrier(actor, before.transportista_id, now));
  }
  if (after.transportista_id && before?.transportista_id !== after.transportista_id) {
    notices.push({
      tipo: 'pedido_asignado',
      texto: `Se te ha asignado el pedido ${who}`,
      users: [after.transportista_id],
      enlace: `/pedidos-asignados?${search}`,
      except,
      pedido_id,
    });
  }
  if (isIncident || (before?.estado === 'en_ruta' && after.estado === 'asignado')) {
    const texto = `Intento de entrega fallido de ${who}${after.motivo ? `: ${after.motivo}` : ''}${after.incidencia_at ? '. Di qué se hace con él' : ''}`;
    // Replaces today's earlier notice, however often the carrier fails.
    const attempt = { tipo: 'intento_fallido', texto, renews: true } as const;
    notices.push({ ...attempt, ...reseller }, { ...attempt, ...owner });
  }
  if (after.estado === 'completado') notices.push({ tipo: 'pedido_completado', texto: `Pedido entregado: ${who}`, ...reseller });
  if (after.estado === 'cancelado') {
    notices.push(
      { tipo: 'pedido_cancelado', texto: `Pedido cancelado: ${who}`, ...reseller, mail: false },
      {
        tipo: 'pedido_cancelado',
        texto: `${actor.full_name} ha cancelado el pedido ${who}`,
        users: [after.transportista_id],
        enlace: `/pedidos-asignados?estado=cancelado&${search}`,
        except,
        pedido_id,
      },
    );
  }
  return notices;
}

/** Whoever was told of a step is told that it was taken back. */
function takenBack(actor: Actor, before: StoredPedido, after: StoredPedido, nota: string | null | undefined): Notice[] {
  const { id: pedido_id, numero_orden, cliente_nombre, revendedor_id, transportista_id } = after;
  const name = findReversal(before.estado);
  const texto = `${name ? REVERSALS[name].done : 'Paso deshecho'}: ${numero_orden} (${cliente_nombre})${nota ? `. ${nota}` : ''}`.slice(
    0,
    300,
  );
  const notice = { tipo: 'paso_deshecho', texto, except: actor.id, pedido_id } as const;
  const search = `search=${encodeURIComponent(numero_orden)}`;
  const carriers = [...new Set([before.transportista_id, transportista_id])];
  return [
    { ...notice, roles: ['superadmin'], enlace: `/pedidos/${pedido_id}`, ...(before.estado === 'completado' && { mail: true }) },
    { ...notice, users: carriers, enlace: `/pedidos-asignados?${search}` },
    // A departure was never told to the reseller.
    ...(before.estado === 'en_ruta' ? [] : [{ ...notice, users: [revendedor_id], enlace: `/mis-pedidos?${search}`, mail: true }]),
  ];
}

const deletionOf = (actor: Actor, { transportista_id, numero_orden, cliente_nombre }: StoredPedido): Notice[] => [
  toCarrier(actor, transportista_id, `ha eliminado el pedido ${numero_orden} (${cliente_nombre})`),
];

const toCarrier = (actor: Actor, carrier: string | null, what: string): Notice => ({
  tipo: 'pedido_retirado',
  texto: `${actor.full_name} ${what}`,
  users: [carrier],
  enlace: '/pedidos-asignados',
  except: actor.id,
});
