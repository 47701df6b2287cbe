import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ESTADO, ESTADOS, SIN_TOMAR } from '../pedidos/estados.ts';
import { avisosDe } from '../settings/avisos.ts';
import { DEFAULT_SETTINGS } from '../settings/values.ts';
import { avisoHref, fillTexto, MOMENTO_NAMES, MOMENTOS, momentoDe, PLACEHOLDERS, type Placeholder, problemOfTexto } from './fields.ts';

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('🏡👩‍👩‍👧', '$& {pedido} {', 'a&b=c#d?e+f%20', 'C/ Ñandú 3º, «2.ª»'),
);
const values = fc.record(Object.fromEntries(PLACEHOLDERS.map((name) => [name, value])) as Record<Placeholder, typeof value>);

test('a value that ends in a full stop, such as «S.L.», takes no second full stop', () => {
  const values = Object.fromEntries(Object.keys(PLACEHOLDERS).map((name) => [name, 'X'])) as Record<Placeholder, string>;
  expect(fillTexto('De {tienda}. ¡Hasta ahora!', { ...values, tienda: 'Alacena, S.L.' })).toBe('De Alacena, S.L. ¡Hasta ahora!');
  expect(fillTexto('De {tienda}. ¡Hasta ahora!', { ...values, tienda: 'Alacena' })).toBe('De Alacena. ¡Hasta ahora!');
});

test('any name, address or emoji survives encoding in the WhatsApp and SMS links', () => {
  fc.assert(
    fc.property(fc.constantFrom(...MOMENTO_NAMES), values, (momento, fields) => {
      const texto = fillTexto(MOMENTOS[momento].texto, fields);
      const parts = MOMENTOS[momento].texto.split(/\{(\w+)\}/);
      const full = parts.map((part, i) => (i % 2 ? fields[part as Placeholder] : part));
      const once = full.map((part, i) => (i % 2 === 0 && full[i - 1]?.endsWith('.') ? part.replace(/^\./, '') : part));
      expect(texto).toBe(once.join(''));
      const whatsapp = new URL(avisoHref('whatsapp', { cliente_telefono: '+34 600 123 456' }, texto) ?? '');
      expect([whatsapp.origin, whatsapp.pathname]).toEqual(['https://wa.me', '/34600123456']);
      expect(decodeURIComponent(whatsapp.search.slice('?text='.length))).toBe(texto);
      expect(whatsapp.hash).toBe('');
      const [number, ...bodies] = (avisoHref('sms', { cliente_telefono: '600 123 456' }, texto) ?? '').split('?&body=');
      expect([number, bodies.map(decodeURIComponent)]).toEqual(['sms:+34600123456', [texto]]);
    }),
  );
});

test('a telephone that the channel cannot use yields no link', () => {
  for (const phone of [null, undefined, '', '12', 'preguntar'])
    expect(avisoHref('sms', { cliente_telefono: phone }, 'Hola')).toBeUndefined();
});

test('a text with an unknown placeholder or a lone brace is refused', () => {
  for (const momento of MOMENTO_NAMES) expect(problemOfTexto(momento, MOMENTOS[momento].texto)).toBeUndefined();
  expect(problemOfTexto('creado', 'Hola, {Cliente}')).toMatch(/^\{Cliente\} no vale en este texto; puedes usar \{cliente\}, /);
  expect(problemOfTexto('en_ruta', 'Sigue aquí: {enlace}')).toMatch(/^\{enlace\} no vale en este texto/);
  expect(problemOfTexto('creado', 'Hola, {cliente')).toBe('Hay una llave { o } sin su pareja');
});

test('a text that a carrier can send never holds the customer’s link', () => {
  const carried = ESTADOS.filter((estado) => !SIN_TOMAR.includes(estado)).flatMap((estado) => momentoDe({ estado }) ?? []);
  for (const momento of [...carried, momentoDe({ estado: 'en_proceso', motivo: 'Ausente' })]) {
    expect(MOMENTOS[momento ?? 'creado'].placeholders).not.toContain('enlace');
  }
  const settings = { ...DEFAULT_SETTINGS, aviso_creado: 'Paga 5 € aquí: {enlace}', aviso_en_ruta: 'Ya voy, {cliente}' };
  expect(avisosDe(settings, false)?.textos).toEqual({ en_ruta: 'Ya voy, {cliente}' });
  expect(avisosDe(settings, true)?.textos).toEqual({ creado: settings.aviso_creado, en_ruta: 'Ya voy, {cliente}' });
});

test('the step of an order selects its message', () => {
  const momentos = {
    pago: 'creado',
    confirmado: 'creado',
    preparacion: 'preparado',
    camino: 'en_ruta',
    entregado: 'entregado',
    ninguno: undefined,
  };
  for (const estado of ESTADOS) expect([estado, momentoDe({ estado })]).toEqual([estado, momentos[ESTADO[estado].step]]);
  expect(momentoDe({ estado: 'en_proceso', motivo: 'Ausente' })).toBe('fallido');
  expect(momentoDe({ estado: 'en_ruta', motivo: 'Ausente' })).toBe('en_ruta');
  expect(momentoDe({ estado: 'pendiente', deleted_at: '2026-11-25T10:00:00Z' })).toBeUndefined();
});
