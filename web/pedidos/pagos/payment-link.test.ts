import { beforeEach, expect, test, vi } from 'vitest';
import { whatsappAddress } from './payment-link.ts';

beforeEach(() => void vi.stubGlobal('location', { origin: 'http://127.0.0.1:3000' }));

const LINK = 'https://enruta.test/pagar/abc';
const pedido = {
  numero_orden: 'ORD-2026-000123',
  cliente_nombre: 'Ana & Luis',
  pendiente: 1234.5,
};

test('the WhatsApp message contains the customer, the order, the amount due and the link', () => {
  const { origin, pathname, searchParams } = new URL(whatsappAddress(pedido, LINK));
  expect(`${origin}${pathname}`).toBe('https://wa.me/');
  expect(searchParams.get('text')?.replaceAll('\u00a0', ' ')).toBe(
    `Hola, Ana & Luis. Puedes pagar tu pedido ORD-2026-000123 (1.234,50 €) aquí: ${LINK}`,
  );
});

test.each([
  ['600 11 22 33', '/34600112233'],
  ['+34 600-112-233', '/34600112233'],
  ['0034600112233', '/34600112233'],
  ['+351 912 345 678', '/351912345678'],
  ['llamar al vecino', '/'],
  ['12345', '/'],
  [null, '/'],
])('the WhatsApp link for the telephone «%s» has the path %s', (cliente_telefono, path) => {
  expect(new URL(whatsappAddress({ ...pedido, cliente_telefono }, LINK)).pathname).toBe(path);
});

test('a message has no link that only this machine opens', () => {
  expect(new URL(whatsappAddress(pedido, '/pagar/abc')).searchParams.get('text')).toMatch(/^Hola, Ana & Luis. Falta por pagar tu pedido/);
});
