import { expect, test } from 'vitest';
import { onMyWayHref } from './on-my-way.ts';

const pedido = { cliente_nombre: 'Nuria Vidal', cliente_direccion: 'Rambla del Mar 3', numero_orden: 'ORD-2026-000123' };

test('the message is written for a number that WhatsApp takes', () => {
  const href = onMyWayHref({ ...pedido, cliente_telefono: '611 222 333' }, 'Tomás Gil') ?? '';
  expect(href).toMatch(/^https:\/\/wa\.me\/34611222333\?text=/);
  expect(decodeURIComponent(href)).toContain('soy Tomás Gil, te llevo el pedido ORD-2026-000123. Voy de camino a Rambla del Mar 3.');
});

test('without one there is no link', () => {
  for (const cliente_telefono of [null, '12', 'preguntar']) expect(onMyWayHref({ ...pedido, cliente_telefono }, 'Tomás')).toBeUndefined();
});
