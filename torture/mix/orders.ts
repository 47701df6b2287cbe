import { anotarPago } from '../../contract/payments/payments.ts';
import { importPedidos } from '../../contract/pedidos/import.ts';
import { lotePedidos } from '../../contract/pedidos/lote.ts';
import {
  assignTransportista,
  createPedido,
  deletePedido,
  duplicatePedido,
  listPedidos,
  restorePedido,
  setEstado,
  setLineas,
  updatePedido,
} from '../../contract/pedidos/pedidos.ts';
import { autoAsignar, listDisponibles, tomarPedidos } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import type { Member } from '../world.ts';
import {
  ADMIN,
  BATCH,
  CARRIER,
  chance,
  customer,
  type Deed,
  type Desk,
  type Done,
  keep,
  lines,
  MISSING,
  oneOf,
  recent,
  SELLERS,
  TAKEN,
} from './desk.ts';

/** Operations on orders. */
export const ON_ORDERS: readonly Deed[] = [
  {
    name: 'create',
    often: 8,
    roles: SELLERS,
    work: async ({ me, desk }) => {
      const reply = await me.call(createPedido, { body: { ...customer(desk), lineas: lines(desk) } });
      keep(desk.orders, reply.body.data?.id);
      return reply;
    },
  },
  {
    name: 'import',
    often: 2,
    roles: SELLERS,
    work: ({ me, desk }) =>
      me.call(importPedidos, {
        body: { filas: Array.from({ length: 40 }, () => ({ ...customer(desk), pack_id: oneOf(desk.packs).id, cantidad: 1 })) },
      }),
  },
  {
    name: 'duplicate',
    often: 3,
    roles: SELLERS,
    work: async ({ me, desk }) => {
      const reply = await me.call(duplicatePedido, { params: recent(desk.orders) });
      keep(desk.orders, reply.body.data?.id);
      return reply;
    },
  },
  {
    name: 'lines',
    often: 5,
    roles: SELLERS,
    work: ({ me, desk }) => me.call(setLineas, { params: recent(desk.orders), body: { lineas: lines(desk) } }),
  },
  {
    name: 'edit',
    often: 3,
    roles: SELLERS,
    work: ({ me, desk }) => me.call(updatePedido, { params: recent(desk.orders), body: customer(desk) }),
  },
  {
    name: 'pay',
    often: 6,
    roles: ADMIN,
    work: ({ me, desk }) =>
      me.call(anotarPago, {
        params: recent(desk.orders),
        body: { metodo: 'bizum', importe: 1 + chance(30), fecha: dayInMadrid(), referencia: `b${++desk.serial}` },
      }),
  },
  { name: 'mark paid', often: 4, roles: ADMIN, work: ({ me, desk }) => markPaid(me, recent(desk.orders)) },
  {
    name: 'assign',
    often: 3,
    roles: ADMIN,
    work: ({ me, desk }) =>
      me.call(assignTransportista, { params: recent(desk.orders), body: { transportista_id: oneOf(desk.carriers).id } }),
  },
  {
    name: 'take',
    often: 6,
    roles: CARRIER,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listDisponibles)).body;
      return me.call(autoAsignar, { params: { id: oneOf(data)?.id ?? MISSING }, body: {} });
    },
  },
  {
    name: 'take many',
    often: 2,
    roles: CARRIER,
    orders: TAKEN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listDisponibles)).body;
      const ids = data
        .map(({ id }) => id)
        .sort(() => Math.random() - 0.5)
        .slice(0, TAKEN);
      return me.call(tomarPedidos, { body: { ids: ids.length ? ids : [MISSING] } });
    },
  },
  {
    name: 'step',
    often: 12,
    roles: CARRIER,
    work: async ({ me, desk }) => {
      const { data = [] } = (await me.call(listPedidos, { query: { per_page: 30, estado: 'asignado,en_proceso,en_ruta' } })).body;
      const { id = MISSING } = oneOf(data) ?? {};
      return step(me, desk, id, oneOf(['en_proceso', 'en_ruta', 'en_ruta', 'completado', 'completado', 'completado', 'asignado'] as const));
    },
  },
  { name: 'cancel', often: 2, roles: SELLERS, work: ({ me, desk }) => step(me, desk, recent(desk.orders).id, 'cancelado') },
  { name: 'delete', often: 1, roles: ADMIN, work: ({ me, desk }) => me.call(deletePedido, { params: recent(desk.orders) }) },
  { name: 'delete delivered', often: 1, roles: ADMIN, work: ({ me, desk }) => me.call(deletePedido, { params: recent(desk.delivered) }) },
  {
    name: 'restore',
    often: 2,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listPedidos, { query: { eliminados: 'si', per_page: 20 } })).body;
      return me.call(restorePedido, { params: { id: oneOf(data)?.id ?? MISSING } });
    },
  },
  {
    name: 'batch',
    often: 2,
    roles: ADMIN,
    orders: BATCH,
    work: ({ me, desk }) => {
      const ids = [...new Set(Array.from({ length: BATCH }, () => recent(desk.orders).id))];
      const accion = oneOf([
        { tipo: 'cancelar' as const },
        { tipo: 'eliminar' as const },
        { tipo: 'asignar' as const, transportista_id: oneOf(desk.carriers).id },
        { tipo: 'pagar' as const, metodo: 'efectivo' as const },
        { tipo: 'restaurar' as const },
      ]);
      return me.call(lotePedidos, { body: { pedidos: { ids }, accion } });
    },
  },
];

async function step(me: Member, desk: Desk, id: string, estado: 'en_proceso' | 'en_ruta' | 'completado' | 'asignado' | 'cancelado') {
  const body = {
    estado,
    ...(estado === 'completado' && { metodo_entrega: 'mrw' as const }),
    ...(estado === 'asignado' && { motivo: 'No estaba' }),
  };
  const reply = await me.call(setEstado, { params: { id }, body });
  if (reply.status === 200 && estado === 'completado') keep(desk.delivered, id);
  return reply;
}

const markPaid = (me: Member, params: { id: string }): Done =>
  me.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'transferencia' } });
