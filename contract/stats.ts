import { z } from 'zod';
import { day, endpoint } from './kit.ts';

const range = z.strictObject({ from: day.optional(), to: day.optional() });

/** Amounts in euros; orders by `fecha_pedido` in the business's days. */
export const adminStats = endpoint({
  method: 'GET',
  path: '/api/stats/admin',
  allow: ['superadmin'],
  summary: 'Figures of the admin dashboard',
  query: range,
  response: {
    200: z.object({
      data: z.object({
        totalPedidos: z.number(),
        revendedoresActivos: z.number(),
        transportistasActivos: z.number(),
        ingresos: z.number(),
        estado: z.object({ pendientes: z.number(), enProceso: z.number(), completados: z.number(), cancelados: z.number() }),
      }),
    }),
  },
});

export const revendedorStats = endpoint({
  method: 'GET',
  path: '/api/stats/revendedor',
  allow: ['revendedor'],
  summary: 'Figures of the reseller’s own orders',
  query: range,
  response: {
    200: z.object({
      data: z.object({
        totalPedidos: z.number(),
        ingresos: z.number(),
        /** Each estado by itself; `asignado` counts the three in which a carrier holds the order. */
        estado: z.object({ pendiente_pago: z.number(), pendiente: z.number(), asignado: z.number(), completado: z.number(), cancelado: z.number() }),
      }),
    }),
  },
});

/** Counts only: a carrier never sees an amount. */
export const transportistaStats = endpoint({
  method: 'GET',
  path: '/api/stats/transportista',
  allow: ['transportista'],
  summary: 'Figures of the carrier’s screens',
  response: {
    200: z.object({
      data: z.object({
        disponibles: z.number(),
        /** Available orders placed today or in the six days before. */
        disponiblesSemana: z.number(),
        asignados: z.number(),
        /** Assigned, in preparation or out for delivery: what is still to hand over. */
        porEntregar: z.number(),
        completadasHoy: z.number(),
        mes: z.object({ entregados: z.number(), total: z.number() }),
      }),
    }),
  },
});
