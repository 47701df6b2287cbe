import { expect, it } from 'vitest';
import { TRANSITIONS } from './flow.ts';
import { hecho } from './words.ts';

it.each([
  ['Completar: ORD-2026000643', 'Entregado: ORD-2026000643'],
  ['Marcar como pagado', 'Pagado'],
  ['Empezar a preparar: ORD-1: otra', 'En preparación: ORD-1: otra'],
  ['Reasignar', 'Transportista cambiado'],
  ['Pedido creado: ORD-1', 'Pedido creado: ORD-1'],
  ['Completar datos: nada', 'Completar datos: nada'],
])('«%s» reads «%s»', (recorded, words) => {
  expect(hecho(recorded)).toBe(words);
});

it('no step of an order is told as a command', () => {
  for (const { label } of Object.values(TRANSITIONS)) expect(hecho(label)).not.toMatch(/^(?:\p{L}+(?:ar|er|ir))(?!\p{L})/u);
});
