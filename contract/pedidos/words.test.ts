import { expect, it } from 'vitest';
import { TRANSITIONS } from './flow.ts';
import { stepInPast } from './words.ts';

it.each([
  ['Completar: ORD-2026000643', 'Entregado: ORD-2026000643'],
  ['Marcar como pagado', 'Pagado'],
  ['Empezar a preparar: ORD-1: otra', 'En preparación: ORD-1: otra'],
  ['Reasignar', 'Transportista cambiado'],
  ['Pedido creado: ORD-1', 'Pedido creado: ORD-1'],
  ['Completar datos: nada', 'Completar datos: nada'],
])('«%s» is shown as «%s»', (recorded, words) => {
  expect(stepInPast(recorded)).toBe(words);
});

it('every step of an order is shown as a past event, not as a command', () => {
  for (const { label } of Object.values(TRANSITIONS)) expect(stepInPast(label)).not.toMatch(/^(?:\p{L}+(?:ar|er|ir))(?!\p{L})/u);
});
