import {
  cobroSinLlegar,
  comprobarCobros,
  confirmarCaja,
  entregarCaja,
  listCajas,
  listCobros,
  listSinRegistrar,
  recibirCaja,
  registrarLoQuePaso,
} from '../../contract/caja/caja.ts';
import {
  listDevoluciones,
  listPorRecibir,
  pedirResto,
  recibirDevolucion,
  reembolsarDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { createEnvio, leerRespuesta, listEnvios, sacarDeEnvio } from '../../contract/envios/envios.ts';
import { anotarPago, reembolsarSobra } from '../../contract/payments/payments.ts';
import { createPedido, listPedidos, type PedidoTransportista, separarVenta, setEstado } from '../../contract/pedidos/pedidos.ts';
import { autoAsignar, contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { ADMIN, CARRIER, chance, type Deed, keep, MISSING, oneOf, recent } from './desk.ts';

/** Operations on money and goods at the door, and their receipt by the office. */
export const AT_THE_DOOR: readonly Deed[] = [
  {
    name: 'sell on delivery',
    often: 6,
    roles: ADMIN,
    work: async ({ me, desk }) => {
      const n = ++desk.serial;
      const body = {
        cliente_nombre: `Clienta en efectivo ${n}`,
        cliente_telefono: String(700_000_000 + n),
        cliente_direccion: `Calle ${n}`,
        cliente_codigo_postal: '28001',
        contra_reembolso: true,
      };
      const reply = await me.call(createPedido, { body: { ...body, pack_id: oneOf(desk.packs).id, cantidad: 2 + chance(3) } });
      keep(desk.orders, reply.body.data?.id);
      keep(desk.door, reply.body.data?.id);
      return reply;
    },
  },
  {
    name: 'deliver',
    often: 12,
    roles: CARRIER,
    work: async ({ me, desk }) => {
      const id = recent(desk.door).id;
      await me.call(autoAsignar, { params: { id }, body: {} });
      await me.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
      const { data = [] } = (await me.call(listPedidos, { query: { per_page: 30, estado: 'en_ruta' } })).body;
      const order = oneOf(data as PedidoTransportista[]);
      if (!order) return me.call(listPedidos, { query: { per_page: 1 } });
      const reply = await me.call(setEstado, { params: { id: order.id }, body: atTheDoor(order) });
      if (reply.status === 200) keep(desk.delivered, order.id);
      return reply;
    },
  },
  {
    name: 'hand over cash',
    often: 3,
    roles: CARRIER,
    work: async ({ me }) => {
      const open = (await me.call(listCajas)).body.data?.find(({ estado }) => estado === 'abierta');
      return me.call(entregarCaja, { body: { dia: open?.dia ?? dayInMadrid(), contado: open?.esperado ?? 0, motivo: 'Recuento' } });
    },
  },
  {
    name: 'receive cash',
    often: 2,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listCajas)).body;
      const handed = data.find(({ estado }) => estado === 'entregada');
      if (handed?.caja_id && chance(2))
        return me.call(confirmarCaja, { params: { id: handed.caja_id }, body: { recibido: handed.contado ?? 0, motivo: null } });
      const open = oneOf(data.filter(({ estado }) => estado === 'abierta'));
      const { transportista_id = MISSING, dia = dayInMadrid(), esperado = 0 } = open ?? {};
      return me.call(recibirCaja, { body: { transportista_id, dia, recibido: esperado, motivo: 'Recuento' } });
    },
  },
  {
    name: 'compare',
    often: 3,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listCobros)).body;
      const cobro = oneOf(data);
      if (chance(4) === 0) return me.call(cobroSinLlegar, { params: { id: cobro?.id ?? MISSING }, body: { motivo: 'No está' } });
      return me.call(comprobarCobros, {
        body: {
          cobros: data
            .slice(0, 3)
            .map(({ id }) => id)
            .concat(data.length ? [] : [MISSING]),
        },
      });
    },
  },
  {
    name: 'receive goods',
    often: 3,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listPorRecibir)).body;
      const destino = oneOf(['stock', 'stock', 'baja'] as const);
      return me.call(recibirDevolucion, { params: { id: oneOf(data)?.id ?? MISSING }, body: { destino, motivo: 'Recuento' } });
    },
  },
  {
    name: 'left out',
    often: 4,
    roles: ADMIN,
    work: async ({ me, desk }) => {
      const { data = [] } = (await me.call(listDevoluciones, { params: recent(desk.delivered) })).body;
      const part = data.find(({ motivo, anulada_at }) => motivo === 'entrega_parcial' && !anulada_at);
      const params = { id: part?.id ?? MISSING };
      if (chance(2)) return me.call(pedirResto, { params });
      return me.call(reembolsarDevolucion, { params, body: { reembolso: 1, referencia: null } });
    },
  },
  {
    name: 'pay by hand',
    often: 3,
    roles: ADMIN,
    work: ({ me, desk }) =>
      me.call(anotarPago, {
        params: recent(desk.door),
        body: { metodo: oneOf(['efectivo', 'tarjeta'] as const), importe: 1 + chance(5), fecha: dayInMadrid(), referencia: null },
      }),
  },
  {
    name: 'overpaid',
    often: 2,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listPedidos, { query: { devolucion: 'pendiente', per_page: 30 } })).body;
      return me.call(reembolsarSobra, { params: { id: oneOf(data)?.id ?? MISSING }, body: { importe: 0.5, referencia: null } });
    },
  },
  {
    name: 'shipment file',
    often: 2,
    roles: ADMIN,
    work: ({ me, desk }) => {
      const ids = [...new Set([recent(desk.orders).id, recent(desk.orders).id, recent(desk.orders).id])];
      return me.call(createEnvio, { body: { plantilla: 'correos', ids, aunque_tenga_envio: chance(3) === 0 } });
    },
  },
  {
    name: 'shipment answer',
    often: 2,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listPedidos, { query: { en_empresa: 'si', per_page: 30 } })).body;
      const envio = oneOf((await me.call(listEnvios)).body.data ?? []);
      if (chance(3) === 0) return me.call(sacarDeEnvio, { body: { ids: [oneOf(data)?.id ?? MISSING] } });
      const filas = data.slice(0, 5).map(({ numero_orden }) => ({
        referencia: numero_orden,
        seguimiento: 'PQ1',
        estado: oneOf(['Entregado', 'Ausente', 'En reparto']),
      }));
      return me.call(leerRespuesta, { params: { id: envio?.id ?? MISSING }, body: { filas } });
    },
  },
  {
    name: 'refused act',
    often: 2,
    roles: CARRIER,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listPedidos, { query: { per_page: 30 } })).body;
      const body = { pedido_id: oneOf(data)?.id ?? MISSING, paso: 'completar' as const, ocurrido: new Date().toISOString() };
      return me.call(contarNoAceptado, {
        body: { ...body, cobrado: 1 + chance(20), cobrado_metodo: oneOf(['efectivo', 'bizum'] as const) },
      });
    },
  },
  {
    name: 'register',
    often: 2,
    roles: ADMIN,
    work: async ({ me }) => {
      const { data = [] } = (await me.call(listSinRegistrar)).body;
      return me.call(registrarLoQuePaso, { params: { id: oneOf(data)?.id ?? MISSING } });
    },
  },
  {
    name: 'another sale',
    often: 1,
    roles: ADMIN,
    work: ({ me, desk }) => me.call(separarVenta, { params: recent(desk.orders), body: { motivo: 'Dos encargos' } }),
  },
];

/** Random delivery: whole or without one pack, paid by any means, and sometimes less than due. */
function atTheDoor(order: PedidoTransportista) {
  const line = oneOf(order.lineas ?? []);
  const isPart = (order.cantidad ?? 0) > 1 && chance(3) === 0;
  const due = order.por_cobrar ?? 0;
  // May exceed the amount of a part; a refusal is a valid answer.
  const cobrado = due && (chance(5) === 0 ? Math.max(0, Math.floor(due) - 5) : isPart && !line ? Math.floor(due / 2) : due);
  return {
    estado: 'completado' as const,
    metodo_entrega: 'manual' as const,
    ...(isPart && { no_entregado: [{ numero: line?.numero ?? 1, cantidad: 1, motivo: oneOf(['rechazado', 'falta', 'danado'] as const) }] }),
    ...(due > 0 && {
      cobrado,
      cobrado_metodo: oneOf(['efectivo', 'efectivo', 'bizum', 'tarjeta'] as const),
      cobrado_motivo: 'No tenía más',
    }),
  };
}
