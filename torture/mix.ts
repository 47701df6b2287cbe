import { bloquearCliente, listClientes, separarCliente, unirCliente } from '../contract/clientes.ts';
import { addComentario, listComentarios } from '../contract/comentarios.ts';
import { anularDevolucion, createDevolucion } from '../contract/devoluciones.ts';
import { cerrarMes, crearAjuste, listLiquidaciones, listPorCerrar, pagarLiquidacion } from '../contract/liquidaciones.ts';
import { anotarPago } from '../contract/payments.ts';
import { importPedidos } from '../contract/pedidos.import.ts';
import { lotePedidos } from '../contract/pedidos.lote.ts';
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
} from '../contract/pedidos.ts';
import type { Role } from '../contract/policy.ts';
import { anonimizar, bloquear, CONFIRMACION, desbloquear } from '../contract/privacidad.ts';
import { ajustarStock } from '../contract/products.ts';
import { adminStats } from '../contract/stats.ts';
import { autoAsignar, listDisponibles, tomarPedidos } from '../contract/transportista.ts';
import { updateUser } from '../contract/users.ts';
import { createVista, deleteVista, listVistas } from '../contract/vistas.ts';
import type { Person } from '../e2e/api.ts';
import type { Reply } from '../test/client.ts';
import { dayInMadrid } from '../test/day.ts';
import type { Member } from './world.ts';

/** What the clients of a mixed load share: everybody works on the same few orders, customers and products. */
export type Desk = {
  packs: readonly { id: string; product_id: string }[];
  people: readonly Person[];
  carriers: readonly Person[];
  /** Months (yyyy-MM) that have ended. */
  months: readonly string[];
  /** The latest orders, delivered ones and returns. */
  orders: string[];
  delivered: string[];
  returns: string[];
  serial: number;
};

type Doing = { me: Member; desk: Desk };
type Done = Promise<Reply<unknown>>;
export type Deed = {
  name: string;
  often: number;
  roles: readonly Role[];
  /** So many orders one after the other, each in a transaction of its own. */
  orders?: number;
  work: (doing: Doing) => Done;
};
/** How many orders a request of the batch or of taking many is about. */
const [BATCH, TAKEN] = [10, 8];

const chance = (below: number): number => Math.floor(Math.random() * below);
const oneOf = <T>(all: readonly T[]): T => all[chance(all.length)] as T;
const MISSING = '00000000-0000-4000-8000-000000000000';
/** One of the latest, which others are working on too. */
const recent = (ids: readonly string[]): { id: string } => ({ id: ids[ids.length - 1 - chance(Math.min(ids.length, 40))] ?? MISSING });
const CUSTOMERS = 40;

function customer(desk: Desk) {
  const n = chance(CUSTOMERS);
  return {
    cliente_nombre: `Clienta ${n}`,
    cliente_telefono: `6001122${String(n).padStart(2, '0')}`,
    cliente_direccion: `Calle ${++desk.serial}`,
    cliente_codigo_postal: '28001',
  };
}
/** Lines of several products, in any order. */
const lines = ({ packs }: Desk) =>
  [...packs]
    .sort(() => Math.random() - 0.5)
    .slice(0, 1 + chance(packs.length))
    .map(({ id }) => ({ pack_id: id, cantidad: 1 + chance(3) }));

function keep(list: string[], id: string | undefined): void {
  if (id) list.push(id);
  if (list.length > 400) list.splice(0, 200);
}

const SELLERS: readonly Role[] = ['superadmin', 'revendedor'];
const ADMIN: readonly Role[] = ['superadmin'];
const CARRIER: readonly Role[] = ['transportista'];
const ALL: readonly Role[] = [...SELLERS, ...CARRIER];

async function pairOf(me: Member) {
  const { data = [] } = (await me.call(listClientes, { query: { per_page: 40 } })).body;
  const first = oneOf(data);
  const second = oneOf(data.filter(({ id, revendedor_id }) => id !== first?.id && revendedor_id === first?.revendedor_id));
  return [first, second];
}

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

/** Everything that people do in a shop, each with how often it is done beside the others. */
export const DEEDS: readonly Deed[] = [
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
  {
    name: 'return',
    often: 6,
    roles: ADMIN,
    work: async ({ me, desk }) => {
      const reply = await me.call(createDevolucion, {
        params: recent(desk.delivered),
        body: { lineas: [{ numero: 1, cantidad: 1, destino: oneOf(['stock', 'baja'] as const) }], motivo: 'otro' },
      });
      keep(desk.returns, reply.body.data?.id);
      return reply;
    },
  },
  {
    name: 'annul return',
    often: 2,
    roles: ADMIN,
    work: ({ me, desk }) => me.call(anularDevolucion, { params: recent(desk.returns), body: { motivo: 'Error' } }),
  },
  {
    name: 'join',
    often: 3,
    roles: SELLERS,
    work: async ({ me }) => {
      const [main, other] = await pairOf(me);
      return me.call(unirCliente, { params: { id: main?.id ?? MISSING }, body: { cliente_id: other?.id ?? MISSING } });
    },
  },
  {
    name: 'separate',
    often: 4,
    roles: SELLERS,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listClientes, { query: { per_page: 40 } })).body;
      const whole = await me.request('GET', `/api/clientes/${oneOf(data)?.id ?? MISSING}`);
      const joined = (whole.body as { data?: { unidos: { id: string }[] } }).data?.unidos ?? [];
      return joined.length ? me.call(separarCliente, { params: { id: oneOf(joined).id } }) : whole;
    },
  },
  {
    name: 'block',
    often: 2,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listClientes, { query: { per_page: 40 } })).body;
      const params = { id: oneOf(data)?.id ?? MISSING };
      await me.call(bloquearCliente, { params, body: { motivo: 'No recoge' } });
      return me.call(bloquearCliente, { params, body: { motivo: null } });
    },
  },
  {
    name: 'comment',
    often: 3,
    roles: ALL,
    work: ({ me, desk }) => me.call(addComentario, { params: recent(desk.orders), body: { texto: `Nota ${++desk.serial} @Ada` } }),
  },
  {
    name: 'read comments',
    often: 2,
    roles: ALL,
    work: ({ me, desk }) => me.call(listComentarios, { params: recent(desk.orders) }),
  },
  {
    name: 'view',
    often: 2,
    roles: SELLERS,
    work: async ({ me, desk }) => {
      const lista = me.person.role === 'superadmin' ? 'pedidos' : 'mis-pedidos';
      const compartida = me.person.role === 'superadmin';
      const { data = [] } = (await me.call(listVistas, { query: { lista } })).body;
      const mine = data.filter((view) => view.mia);
      if (mine.length > 5) return me.call(deleteVista, { params: { id: oneOf(mine).id } });
      return me.call(createVista, { body: { nombre: `Vista ${++desk.serial}`, lista, consulta: { search: 'clienta' }, compartida } });
    },
  },
  { name: 'close', often: 2, roles: ADMIN, work: ({ me, desk }) => me.call(cerrarMes, { body: { mes: oneOf(desk.months) } }) },
  {
    name: 'settle',
    often: 2,
    roles: ADMIN,
    work: async ({ me, desk }) => {
      const { data = [] } = (await me.call(listLiquidaciones, { query: { estado: 'pendiente' } })).body;
      const body = { referencia: `t${++desk.serial}`, fecha: dayInMadrid() };
      return me.call(pagarLiquidacion, { params: { id: oneOf(data)?.id ?? MISSING }, body });
    },
  },
  {
    name: 'adjust',
    often: 2,
    roles: ADMIN,
    work: ({ me, desk }) => me.call(crearAjuste, { body: { user_id: oneOf(desk.carriers).id, importe: 1 + chance(9), nota: 'Gasolina' } }),
  },
  {
    name: 'stock',
    often: 2,
    roles: ADMIN,
    work: ({ me, desk }) =>
      me.call(ajustarStock, { params: { id: oneOf(desk.packs).product_id }, body: { unidades: 5, nota: 'Recuento' } }),
  },
  {
    name: 'rename',
    often: 1,
    roles: ADMIN,
    work: ({ me, desk }) => {
      const { id, full_name, email } = oneOf(desk.people);
      return me.call(updateUser, { params: { id }, body: { full_name: `${full_name} ${chance(9)}`, email, is_active: true } });
    },
  },
  {
    name: 'withhold',
    often: 2,
    roles: ADMIN,
    work: async ({ me, desk }) => {
      const pedidos = [...new Set([recent(desk.delivered).id, recent(desk.delivered).id, recent(desk.delivered).id])];
      await me.call(bloquear, { body: { pedidos, motivo: 'Lo ha pedido' } });
      return me.call(desbloquear, { body: { pedidos, motivo: 'Era otro' } });
    },
  },
  {
    name: 'anonymise',
    often: 1,
    roles: ADMIN,
    work: ({ me, desk }) =>
      me.call(anonimizar, { body: { pedidos: [recent(desk.delivered).id], motivo: 'Lo ha pedido', confirmacion: CONFIRMACION } }),
  },
  { name: 'list', often: 4, roles: ALL, work: ({ me }) => me.call(listPedidos, { query: { per_page: 50, search: 'clienta' } }) },
  { name: 'figures', often: 1, roles: ADMIN, work: ({ me }) => me.call(adminStats) },
  { name: 'closable', often: 1, roles: ADMIN, work: ({ me }) => me.call(listPorCerrar) },
];

const markPaid = (me: Member, params: { id: string }): Done =>
  me.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'transferencia' } });

/** One of what a role does, by how often each is done. */
export function pick(role: Role): Deed {
  const own = DEEDS.filter(({ roles }) => roles.includes(role));
  let at = chance(own.reduce((sum, { often }) => sum + often, 0));
  for (const deed of own) {
    at -= deed.often;
    if (at < 0) return deed;
  }
  return own[0] as Deed;
}
