import { describe, expect, it } from 'vitest';
import { addressLine, addressLines, directionsHref, mapHref, townLine } from './address.ts';
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

  it.each([
    ['España', null, 'Calle Ñu, 3 & 5, 08201 Sabadell, Barcelona'],
    ['', null, 'Calle Ñu, 3 & 5, 08201 Sabadell, Barcelona'],
    ['Andorra', 'Bajo', 'Calle Ñu, 3 & 5, Bajo, 08201 Sabadell, Barcelona, Andorra'],
  ])(
    'the address in one line, of the country «%s», is named with a country outside Spain only',
    (cliente_pais, cliente_direccion2, line) => {
      expect(addressLine({ ...place, cliente_pais, cliente_direccion2 })).toBe(line);
    },
  );

  it('a delivery note has each part of the address on a line, and no empty line', () => {
    expect(addressLines(place)).toEqual(['Calle Ñu, 3 & 5', '08201 Sabadell, Barcelona', 'España']);
    expect(addressLines({ ...place, cliente_direccion2: 'Bajo', cliente_pais: '' })).toEqual([
      'Calle Ñu, 3 & 5',
      'Bajo',
      '08201 Sabadell, Barcelona',
    ]);
  });

  it('directions lead to the address, by other addresses if there are any', () => {
    const ways = (via: (typeof place)[]) => [...new URL(directionsHref(place, via)).searchParams].slice(1);
    const here = 'Calle Ñu, 3 & 5, 08201 Sabadell, Barcelona, España';
    expect(ways([])).toEqual([['destination', here]]);
    expect(ways([{ ...place, cliente_direccion: 'Mar, 1' }])).toEqual([
      ['destination', here],
      ['waypoints', 'Mar, 1, 08201 Sabadell, Barcelona, España'],
    ]);
    expect(ways([place, place])[1]).toEqual(['waypoints', `${here}|${here}`]);
  });

  it('a telephone number is dialled without spaces and punctuation', () => {
    expect(callHref('+34 600.11-22 (33)')).toBe('tel:+34600112233');
  });
});
