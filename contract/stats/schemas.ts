import { z } from 'zod';
import { day, id, operation } from '../kit/schemas.ts';
import { pedido } from '../pedidos/schemas.ts';
import { PERIODOS } from './fields.ts';

const range = z.strictObject({ from: day.optional(), to: day.optional() });

export const adminStats = operation('Figures of the admin dashboard', {
  query: range,
  200: z.object({
    data: z.object({
      totalPedidos: z.number(),
      revendedoresActivos: z.number(),
      transportistasActivos: z.number(),
      ingresos: z.number(),
      porCobrar: z.number().describe('Part of the income that is still to be collected'),
      conEmpresas: z.number().describe('Part of the income that delivery companies have and have not paid'),
      estado: z.object({ pendientes: z.number(), enProceso: z.number(), completados: z.number(), cancelados: z.number() }),
    }),
  }),
});

export const revendedorStats = operation('Figures of the reseller’s own orders', {
  query: range,
  200: z.object({
    data: z.object({
      totalPedidos: z.number(),
      ingresos: z.number(),
      /** Count per estado; `asignado` is the sum of the three estados in which a carrier holds the order. */
      estado: z.object({
        pendiente_pago: z.number(),
        pendiente: z.number(),
        asignado: z.number(),
        completado: z.number(),
        cancelado: z.number(),
      }),
    }),
  }),
});

export const transportistaStats = operation('Figures of the carrier’s screens', {
  200: z.object({
    data: z.object({
      disponibles: z.number(),
      disponiblesSemana: z.number().describe('Available orders of the last seven days'),
      asignados: z.number(),
      porEntregar: z.number(),
      completadasHoy: z.number(),
      hoy: z.object({ toca: z.number(), calle: z.number(), hecho: z.number(), decidir: z.number() }).describe('The day of the own orders'),
      mes: z.object({ entregados: z.number(), total: z.number() }),
    }),
  }),
});

const point = z.object({ dia: z.string(), pedidos: z.number(), ingresos: z.number() });

export const serieStats = operation('Orders and income by day, and the same of as many days before', {
  query: z.strictObject({ from: day, to: day }),
  200: z.object({
    data: z.array(point),
    anterior: z.object({ desde: z.string(), hasta: z.string(), totalPedidos: z.number(), ingresos: z.number(), dias: z.array(point) }),
  }),
});

export const atencion = z.object({
  sinPagar: z.number().describe('Orders in the estado pendiente_pago'),
  porCobrar: z.number().describe('Orders of which something is due'),
  porCobrarImporte: z.number().describe('In euros'),
  atrasados: z.number(),
  incidencias: z.number(),
  transferencias: z.number(),
  devoluciones: z.number(),
  cobros: z.number().describe('Paid at the door by card or Bizum, and not yet found at terminal or bank'),
  sinRegistrar: z.number().describe('Refused deliveries whose money is in no Caja'),
  mercancia: z.number().describe('Orders whose goods are on their way back'),
  conEmpresasImporte: z.number().describe('Collected by delivery companies and not paid yet, in euros; no part of `porCobrar`'),
  empresasTarde: z.number().describe('Payments that a company has for longer than its term'),
  cajas: z.number().describe('Handed over and not confirmed, or open since an earlier day'),
  pagosPorRevisar: z.number(),
  tienda: z.number().describe('Orders of the web shop that wait for a person'),
  tiendas: z.number().describe('Web shops that send nothing, do not answer or are not known'),
  sinTipoIva: z.number().describe('Orders of which a line has no rate of VAT, in a shop that uses it'),
  stockBajo: z.number(),
  tareas: z.number(),
  cuadre: z.number(),
  copiasAqui: z.number().describe('1 if the backups of the last three days are only on this server'),
});

export const atencionStats = operation(
  'What waits for somebody to act: unpaid, late, without answer after failed attempts, transfers to confirm, money to give back, to receive or to look at, low stock, failing jobs, books that do not agree, backups that are only on this server',
  {
    200: z.object({
      data: atencion,
    }),
  },
);

const byCarrier = z
  .array(
    z.object({
      transportista_id: z.string(),
      nombre: z.string(),
      toca: z.number(),
      calle: z.number(),
      hecho: z.number(),
      decidir: z.number(),
      cobrado: z.number(),
    }),
  )
  .describe('The day by carrier, and the euros collected at the door; `transportista_id` is `sin` for orders of nobody');

export const hoyStats = operation(
  'What the office has to do today: what leaves, what was not delivered, money, what runs out, what came in by the web',
  {
    200: z.object({
      data: z.object({
        hoy: z.string(),
        atencion,
        dia: byCarrier,
        sinEntregar: z.array(pedido).describe('The first of those that wait for an answer; so are the following lists'),
        transferencias: z.array(pedido),
        reembolsos: z.array(pedido).describe('`por_reembolsar` holds all that is owed back'),
        cajas: z.array(z.object({ transportista_id: id, nombre: z.string(), dia: z.string(), euros: z.number() })),
        stock: z.array(z.object({ id, name: z.string(), stock: z.number() })),
        web: z.number().describe('Orders that web shops sent today'),
        mes: z.object({ desde: z.string(), ingresos: z.number() }),
      }),
    }),
  },
);

export const finDelDiaStats = operation(
  'How the business day ended: deliveries, money, what companies hold, what is owed back, what comes next',
  {
    200: z.object({
      data: z.object({
        hoy: day,
        repartos: byCarrier,
        noEntregados: z
          .array(
            z.object({
              id,
              numero_orden: z.string(),
              cliente_nombre: z.string(),
              transportista_id: id.nullable(),
              nombre: z.string(),
              motivo: z.string(),
            }),
          )
          .describe('Failed attempts of the day'),
        cobros: z
          .array(z.object({ nombre: z.string(), metodo: z.string(), pagos: z.number(), euros: z.number() }))
          .describe('Payments of the day, by person and method'),
        cajas: z
          .array(
            z.object({
              nombre: z.string(),
              dia: day,
              cobrado: z.number(),
              entregado: z.number().describe('Counted, in euros; 0 until handed over'),
              entregada: z.boolean(),
              confirmada: z.boolean(),
            }),
          )
          .describe('Rounds of cash that were handed over today or wait for the office'),
        empresas: z.array(z.object({ empresa: z.string(), pedidos: z.number() })),
        devolver: z.number().describe('Owed back to customers, in euros'),
        manana: z.object({ dia: day.nullable(), pedidos: z.number() }).describe('Next day with promised deliveries'),
        stock: z.array(z.object({ id, name: z.string(), stock: z.number() })).describe('Products at or below their minimum'),
      }),
    }),
  },
);

const amounts = {
  entregado_7: z.number().describe('Delivered up to 7 days ago'),
  entregado_30: z.number().describe('Delivered 8 to 30 days ago'),
  entregado_mas: z.number().describe('Delivered more than 30 days ago'),
  por_entregar: z.number().describe('Not delivered yet'),
  total: z.number(),
};

export const porCobrarStats = operation(
  'What is still to be collected, in euros: by customer and by days since the delivery, most delivered first',
  {
    200: z.object({
      pedidos: z.number(),
      ...amounts,
      data: z
        .array(z.object({ cliente_id: id.nullable(), pedido_id: id, nombre: z.string(), pedidos: z.number(), desde: day, ...amounts }))
        .describe('At most 500 customers; `desde`: delivery, or else the order, of the oldest, which is `pedido_id`'),
    }),
  },
);

export const transportistasStats = operation('Deliveries completed by each carrier and each delivery company, and how long they take', {
  query: z.strictObject({ periodo: z.enum(PERIODOS, 'Periodo no válido').default('30d') }),
  200: z.object({
    desde: z.string(),
    hasta: z.string(),
    data: z
      .array(z.object({ transportista_id: z.string(), nombre: z.string(), completados: z.number(), horas_medias: z.number() }))
      .describe('`transportista_id` is `sin` for orders completed without a carrier'),
    empresas: z
      .array(
        z.object({
          empresa: z.string(),
          completados: z.number(),
          no_entregados: z.number().describe('Orders whose answer says that they were not delivered'),
          dias_medios: z.number().nullable().describe('Mean days from hand-over to delivery; null without deliveries'),
          comision: z.number().describe('In euros: kept from remittances dated in the period'),
        }),
      )
      .describe('Delivery companies of the period'),
  }),
});
