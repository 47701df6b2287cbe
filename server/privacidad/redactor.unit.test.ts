import { expect, test } from 'vitest';
import { ANONIMIZADO, createRedactor, redactJson } from './redactor.ts';

const redact = createRedactor(['Begoña Íñiguez', '+34 600 11 22 33', 'Ana'], ANONIMIZADO);

test.each([
  ['Pedido entregado: ORD-1 (Begoña Íñiguez)', 'Pedido entregado: ORD-1 (Cliente anonimizado)'],
  ['lo pide BEGONA  IÑIGUEZ', 'lo pide Cliente anonimizado'],
  ['llamar al 600112233 o al 600-11-22-33', 'llamar al Cliente anonimizado o al Cliente anonimizado'],
  ['+34600112233', 'Cliente anonimizado'],
  ['Ana y Anacardos, de Susana', 'Cliente anonimizado y Anacardos, de Susana'],
  ['el 1600112233 es otro', 'el 1600112233 es otro'],
])('redaction turns «%s» into «%s»', (text, masked) => expect(redact(text)).toBe(masked));

test.each([
  // Six figures are a telephone in any grouping, five are not; figures with letters are words.
  ['12 34 56', '123456, 12-34.56', 'X, X'],
  ['12 345', '12345, 12  345', '12345, X'],
  ['Bar 1234567', 'Bar 1234567, 1234567, bar  1234567', 'X, 1234567, X'],
  ['+34 655 43 21 98', '655432198, 0034 655 43 21 98, 55432198', 'X, X, 55432198'],
  ['a+b', 'a+b, aab', 'X, aab'],
] as const)('«%s» in «%s» is redacted to «%s»', (value, text, masked) =>
  expect(createRedactor([value], ANONIMIZADO)(text)).toBe(masked.replaceAll('X', ANONIMIZADO)),
);

test('a name with special characters is found in HTML mails', () => {
  const signed = createRedactor(['Íñigo & Cía "2"'], ANONIMIZADO);
  expect(signed('<p>Pedido (Íñigo &#38; Cía &#34;2&#34;)</p>')).toBe('<p>Pedido (Cliente anonimizado)</p>');
  expect(createRedactor([''], ANONIMIZADO)('nadie')).toBe('nadie');
});

test('JSON is redacted by the rule of each field, also in pairs of old and new values', () => {
  const cambios = { cliente_nombre: ['Luis', 'Ana'], cliente_telefono: ['600', null], cliente_provincia: ['Madrid', 'León'], precio: 5 };
  expect(redactJson({ cambios, asunto: 'De Ana', producto: 'Aceite' }, redact, ANONIMIZADO)).toEqual({
    cambios: {
      cliente_nombre: [ANONIMIZADO, ANONIMIZADO],
      cliente_telefono: [null, null],
      cliente_provincia: ['Madrid', 'León'],
      precio: 5,
    },
    asunto: `De ${ANONIMIZADO}`,
    producto: 'Aceite',
  });
});
