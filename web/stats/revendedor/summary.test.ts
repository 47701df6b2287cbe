import { expect, test } from 'vitest';
import { resellerPerformance } from './summary.tsx';

const estado = { pendiente_pago: 1, pendiente: 2, asignado: 1, completado: 3, cancelado: 0 };

test('performance is the percentage of completed orders, the average order in whole euros, and the pending orders', () => {
  expect(resellerPerformance({ totalPedidos: 7, ingresos: 1000, estado })).toEqual({ completados: 43, averageTicket: 143, pendientes: 2 });
});

test('all figures of performance are zero for a reseller without orders', () => {
  const none = { pendiente_pago: 0, pendiente: 0, asignado: 0, completado: 0, cancelado: 0 };
  expect(resellerPerformance({ totalPedidos: 0, ingresos: 0, estado: none })).toEqual({ completados: 0, averageTicket: 0, pendientes: 0 });
});
