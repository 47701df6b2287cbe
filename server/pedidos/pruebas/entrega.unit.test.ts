import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../contract/settings/values.ts';
import type { StoredPedido } from '../lectura/row.ts';
import { customerSide, deliveryNote } from './entrega.ts';

type Given = Parameters<typeof deliveryNote>;
test.each<[string, Partial<Given[0]>, Given[1], string | null]>([
  ['nothing', {}, [], null],
  ['the way', { forma_entrega: 'en_mano' }, [], 'En mano'],
  ['way and reason', { forma_entrega: 'en_mano', motivo: 'No lo recuerda' }, [], 'En mano. No lo recuerda'],
  ['a reason alone', { motivo: 'No lo recuerda' }, [], 'No lo recuerda'],
  ['what is lacking', {}, ['pin', 'foto'], 'PIN no comprobado, Sin foto'],
  ['way and what is lacking', { forma_entrega: 'en_mano' }, ['firma'], 'En mano. Sin firma'],
])('the note of a delivery says %s', (_, body, lacks, note) => {
  expect(deliveryNote(body as Given[0], lacks)).toBe(note);
});

describe('the customer’s side of a delivery', () => {
  const settings = (fields: object) => ({ proofOfDelivery: true, ...fields }) as Partial<Settings> as Settings;
  const WITH_PIN = settings({ prueba_en_mano_pin: 'obligatoria', prueba_otra_persona_pin: 'no' });
  const row = (fields: object = {}) =>
    ({ estado: 'asignado', pago_token: 'secreto', vecino_at: null, entrega_anulada_at: null, ...fields }) as StoredPedido;
  const PIN = customerSide(row(), WITH_PIN)?.pin;

  test('has a PIN of four digits, of its link alone, and another one after a delivery that was taken back', () => {
    expect(PIN).toMatch(/^\d{4}$/);
    expect(customerSide(row(), WITH_PIN)?.pin).toBe(PIN);
    const others = [{ pago_token: 'otro' }, { entrega_anulada_at: '2026-11-28T10:00:00Z' }, { entrega_anulada_at: '2026-11-28T10:00:01Z' }];
    const pins = others.map((fields) => customerSide(row(fields), WITH_PIN)?.pin);
    expect(new Set([PIN, ...pins]).size).toBe(4);
    expect(customerSide(row({ pago_token: null }), WITH_PIN)?.pin).toBeNull();
  });

  test('writes the zeros before a PIN', () => {
    const pins = Array.from({ length: 300 }, (_, i) => customerSide(row({ pago_token: `${i}` }), WITH_PIN)?.pin ?? '');
    for (const pin of pins) expect(pin).toMatch(/^\d{4}$/);
    expect(pins.some((pin) => pin.startsWith('0'))).toBe(true);
    expect(Math.max(...pins.map(Number))).toBeGreaterThan(9000);
  });

  test.each<[object, boolean]>([
    [{ prueba_otra_persona_pin: 'ofrecida' }, true],
    [{ prueba_en_mano_pin: 'no', prueba_otra_persona_pin: 'no' }, false],
    [{}, false],
  ])('has a PIN with the settings %j: %s', (fields, has) => {
    expect(customerSide(row(), settings(fields))?.pin).toEqual(has ? PIN : null);
  });

  test.each<[string, boolean]>([
    ['pendiente_pago', false],
    ['pendiente', true],
    ['en_ruta', true],
    ['completado', false],
    ['cancelado', false],
  ])('of an order %s is there: %s', (estado, is) => {
    const at = '2026-11-28T10:00:00Z';
    expect(customerSide(row({ estado, vecino_at: at }), WITH_PIN)).toEqual({
      pin: is ? PIN : null,
      vecino: is ? { permitido_at: at } : null,
    });
  });

  test('is nothing in a shop without proof of delivery', () => {
    expect(customerSide(row(), settings({ proofOfDelivery: false }))).toBeUndefined();
  });
});
