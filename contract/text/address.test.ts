import { describe, expect, it } from 'vitest';
import { mapHref, townLine } from './address.ts';
import { callHref } from './telephone.ts';

const place = {
  cliente_direccion: 'Calle Ñu, 3 & 5',
  cliente_codigo_postal: '08201',
  cliente_ciudad: 'Sabadell',
  cliente_provincia: 'Barcelona',
  cliente_pais: 'España',
};

describe('the address of an order', () => {
  it('the town is shown as postcode, city and province', () => {
    expect(townLine(place)).toBe('08201 Sabadell, Barcelona');
  });

  it('a province with the name of its city is omitted', () => {
    expect(townLine({ ...place, cliente_codigo_postal: '28013', cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid' })).toBe(
      '28013 Madrid',
    );
  });

  it('unknown parts of the address are left out', () => {
    expect(townLine({ ...place, cliente_codigo_postal: null, cliente_ciudad: null, cliente_provincia: null })).toBe('');
    expect(townLine({ ...place, cliente_codigo_postal: null, cliente_ciudad: null })).toBe('Barcelona');
  });

  it('the map link contains the whole address with its characters escaped', () => {
    const query = new URL(mapHref(place)).searchParams.get('query');
    expect(query).toBe('Calle Ñu, 3 & 5, 08201 Sabadell, Barcelona, España');
  });

  it('a telephone number is dialled without spaces and punctuation', () => {
    expect(callHref('+34 600.11-22 (33)')).toBe('tel:+34600112233');
  });
});
