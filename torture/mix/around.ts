import { proveIdentity } from '../../contract/account/account.ts';
import { bloquearCliente, listClientes, separarCliente, unirCliente } from '../../contract/clientes/clientes.ts';
import { addComentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { anularDevolucion, createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { cerrarMes, crearAjuste, listLiquidaciones, listPorCerrar, pagarLiquidacion } from '../../contract/liquidaciones/liquidaciones.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import { anonimizar, bloquear, desbloquear } from '../../contract/privacidad/privacidad.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import { adminStats } from '../../contract/stats/stats.ts';
import { updateUser } from '../../contract/users/users.ts';
import { createVista, deleteVista, listVistas } from '../../contract/vistas/vistas.ts';
import { dayInMadrid } from '../../test/day.ts';
import type { Member } from '../world.ts';
import { ADMIN, ALL, chance, type Deed, keep, MISSING, oneOf, recent, SELLERS } from './desk.ts';

/** Operations on returns, customers, comments, statements, stock, people and personal data. */
export const AROUND: readonly Deed[] = [
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
  // Sensitive endpoints require the password again every five minutes.
  { name: 'prove', often: 2, roles: ADMIN, work: ({ me }) => me.call(proveIdentity, { body: { password: me.person.password } }) },
  { name: 'list', often: 4, roles: ALL, work: ({ me }) => me.call(listPedidos, { query: { per_page: 50, search: 'clienta' } }) },
  { name: 'figures', often: 1, roles: ADMIN, work: ({ me }) => me.call(adminStats) },
  { name: 'closable', often: 1, roles: ADMIN, work: ({ me }) => me.call(listPorCerrar) },
];

async function pairOf(me: Member) {
  const { data = [] } = (await me.call(listClientes, { query: { per_page: 40 } })).body;
  const first = oneOf(data);
  const second = oneOf(data.filter(({ id, revendedor_id }) => id !== first?.id && revendedor_id === first?.revendedor_id));
  return [first, second];
}
