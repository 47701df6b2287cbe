import { describe, expect, it } from 'vitest';
import { callHref } from '../../contract/text/telephone.ts';
import { mapHref, townOf } from './address.ts';

const place = {
  cliente_direccion: 'Calle Ñu, 3 & 5',
  cliente_codigo_postal: '08201',
  cliente_ciudad: 'Sabadell',
  cliente_provincia: 'Barcelona',
  cliente_pais: 'España',
};

describe('where an order goes', () => {
  it('says postcode, city and province', () => {
    expect(townOf(place)).toBe('08201 Sabadell, Barcelona');
  });

  it('does not say the same name twice', () => {
    expect(townOf({ ...place, cliente_codigo_postal: '28013', cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid' })).toBe(
      '28013 Madrid',
    );
  });

  it('leaves out what is not known', () => {
    expect(townOf({ ...place, cliente_codigo_postal: null, cliente_ciudad: null, cliente_provincia: null })).toBe('');
    expect(townOf({ ...place, cliente_codigo_postal: null, cliente_ciudad: null })).toBe('Barcelona');
  });

  it('opens the map at the whole address, whatever characters it has', () => {
    const query = new URL(mapHref(place)).searchParams.get('query');
    expect(query).toBe('Calle Ñu, 3 & 5, 08201 Sabadell, Barcelona, España');
  });

  it('dials a number however it was written', () => {
    expect(callHref('+34 600.11-22 (33)')).toBe('tel:+34600112233');
  });
});
