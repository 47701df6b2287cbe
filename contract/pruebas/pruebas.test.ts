import { describe, expect, it, test } from 'vitest';
import { jpeg, png } from '../../test/proof.ts';
import { reglasDe } from '../settings/entrega.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings/values.ts';
import { FORMAS_ENTREGA, faltaPermiso, PRUEBAS_DE, palabrasEntrega } from './fields.ts';
import { hasMetadata, withoutMetadata } from './jpeg.ts';
import { missingProofs } from './pruebas.ts';

const FACTS = { fallos: 0, tienePin: true };
const withRules = (fields: Partial<Settings>) => {
  const reglas = reglasDe({ ...DEFAULT_SETTINGS, proofOfDelivery: true, ...fields });
  if (!reglas) throw new Error('off');
  return reglas;
};

test('no proof is required by default, only how the order was delivered', () => {
  expect(reglasDe(DEFAULT_SETTINGS)).toBeNull();
  expect(missingProofs(withRules({}), { forma_entrega: 'en_mano' }, FACTS)).toEqual({});
  expect(missingProofs(withRules({}), {}, FACTS)).toEqual({ forma_entrega: 'Indica cómo se ha entregado' });
});

const GIVEN = { receptor: { receptor_nombre: 'Luis', receptor_relacion: 'portero' }, firma: { pruebas: [{ tipo: 'firma' }] } } as const;
const ALL = { ...GIVEN, foto: { pruebas: [{ tipo: 'foto' }] }, pin: { pin: '1234' } } as const;
const EACH = FORMAS_ENTREGA.flatMap((forma) => PRUEBAS_DE[forma].map((prueba) => [forma, prueba] as const));
describe.each(EACH)('%s, proof %s', (forma_entrega, prueba) => {
  it('the proof is required only under «obligatoria»', () => {
    const name = `prueba_${forma_entrega}_${prueba}` as keyof Settings;
    for (const value of ['no', 'ofrecida']) expect(missingProofs(withRules({ [name]: value }), { forma_entrega }, FACTS)).toEqual({});
    const required = withRules({ [name]: 'obligatoria' });
    expect(Object.keys(missingProofs(required, { forma_entrega }, FACTS))).not.toEqual([]);
    expect(missingProofs(required, { forma_entrega, ...ALL[prueba] }, FACTS)).toEqual({});
  });
});

test('no PIN is required after three wrong PINs and a reason, or of a customer without a page', () => {
  const reglas = withRules({ prueba_en_mano_pin: 'obligatoria' });
  const fields = { forma_entrega: 'en_mano', motivo: 'Sin móvil' } as const;
  expect(Object.keys(missingProofs(reglas, fields, { ...FACTS, fallos: 2 }))).toEqual(['pin']);
  expect(missingProofs(reglas, fields, { ...FACTS, fallos: 3 })).toEqual({});
  expect(Object.keys(missingProofs(reglas, { forma_entrega: 'en_mano' }, { ...FACTS, fallos: 3 }))).toEqual(['motivo']);
  expect(missingProofs(reglas, { forma_entrega: 'en_mano' }, { ...FACTS, tienePin: false })).toEqual({});
});

test('delivery to a neighbour needs the customer’s consent', () => {
  const fields = { forma_entrega: 'otra_persona', receptor_relacion: 'vecino' } as const;
  expect(Object.keys(faltaPermiso(fields, { vecino: false }))).toEqual(['receptor_relacion']);
  expect(faltaPermiso(fields, { vecino: true })).toEqual({});
  expect(faltaPermiso({ ...fields, receptor_relacion: 'portero' }, { vecino: false })).toEqual({});
});

test('a delivery is described in Spanish words', () => {
  expect(palabrasEntrega({})).toBeNull();
  expect(palabrasEntrega({ forma_entrega: 'lugar_seguro' })).toBe('En lugar seguro');
  expect(palabrasEntrega({ forma_entrega: 'otra_persona', receptor_nombre: 'Luis Gil', receptor_relacion: 'portero' })).toBe(
    'A otra persona: Luis Gil (portero)',
  );
});

describe('the metadata of a JPEG', () => {
  const plain = jpeg();
  it('metadata is found and removed without changing the rest of the file', () => {
    const original = jpeg({ gps: true });
    expect([hasMetadata(original), hasMetadata(plain)]).toEqual([true, false]);
    expect(Buffer.from(withoutMetadata(original))).toEqual(plain);
    expect(Buffer.from(withoutMetadata(plain))).toEqual(plain);
  });
  const place = Buffer.from('Exif\0\0GPS 40.4168 -3.7038');
  const segment = (marker: number) => Buffer.concat([Buffer.from([0xff, marker, 0, place.length + 2]), place]);
  const scan = plain.indexOf(Buffer.from([0xff, 0xda]));
  it.each([
    ['behind the end', Buffer.concat([plain, place])],
    ['in a second picture behind the end', Buffer.concat([plain, jpeg({ gps: true })])],
    ['after the pixels', Buffer.concat([plain.subarray(0, -2), segment(0xe1), plain.subarray(-2)])],
    ...[0xe0, 0xe1, 0xed, 0xee, 0xfe].map((marker): [string, Buffer] => [
      `in a segment ${marker.toString(16)}`,
      Buffer.concat([plain.subarray(0, scan), segment(marker), plain.subarray(scan)]),
    ]),
  ])('a place %s is found and removed', (_where, bytes) => {
    expect(hasMetadata(bytes)).toBe(true);
    expect(Buffer.from(withoutMetadata(bytes))).toEqual(plain);
  });
  it('pixels that look like markers are no end', () => {
    const pixels = Buffer.from([0xff, 0, 0xff, 0xd3, 0xd9, 0xff, 0]);
    const odd = Buffer.concat([plain.subarray(0, -2), pixels, plain.subarray(-2)]);
    expect([hasMetadata(odd), Buffer.from(withoutMetadata(odd))]).toEqual([false, odd]);
    expect(hasMetadata(odd.subarray(0, -2))).toBe(true);
  });
  it('texts of a PNG, and bytes behind its end, are found and removed', () => {
    const whole = png();
    const text = Buffer.concat([Buffer.from([0, 0, 0, 4]), Buffer.from('tEXtGPS1'), Buffer.alloc(4)]);
    const end = whole.indexOf('IDAT') - 4;
    const hidden = Buffer.concat([whole.subarray(0, end), text, whole.subarray(end), Buffer.from('40.4,-3.7')]);
    expect([hasMetadata(whole), hasMetadata(hidden)]).toEqual([false, true]);
    expect(Buffer.from(withoutMetadata(hidden))).toEqual(whole);
  });
  it('metadata counts as present in a file that cannot be parsed', () => {
    for (const bytes of [png().subarray(0, -4), Buffer.alloc(0), plain.subarray(0, 8)]) expect(hasMetadata(bytes)).toBe(true);
  });
});
