import { expect, it } from 'vitest';
import { recognise } from './recognise.ts';

const EMPTY = { cliente_nombre: '', cliente_telefono: '', cliente_direccion: '', cliente_codigo_postal: '', cliente_ciudad: '', rest: '' };

it.each([
  [
    'lines',
    'Hola, quiero dos tarros de miel\nAna Ruiz Peña\nC/ Mayor 3, 2º B\n28013 Madrid\n600 11 22 33\nGracias!',
    {
      cliente_nombre: 'Ana Ruiz Peña',
      cliente_telefono: '600 11 22 33',
      cliente_direccion: 'C/ Mayor 3, 2º B',
      cliente_codigo_postal: '28013',
      cliente_ciudad: 'Madrid',
      rest: 'Hola, quiero dos tarros de miel\nGracias!',
    },
  ],
  [
    'one line',
    'Ana Ruiz, calle Mayor 3, 28013 Madrid, tel. +34 600112233',
    {
      cliente_nombre: 'Ana Ruiz',
      cliente_telefono: '+34 600112233',
      cliente_direccion: 'calle Mayor 3',
      cliente_codigo_postal: '28013',
      cliente_ciudad: 'Madrid',
    },
  ],
  [
    'labels',
    'Nombre: Lucía de la Fuente\nDirección: Gran Vía 12, 4 izda\nCP: 48.001\nCiudad: Bilbao\nTeléfono: 944.123.456',
    {
      cliente_nombre: 'Lucía de la Fuente',
      cliente_telefono: '944.123.456',
      cliente_direccion: 'Gran Vía 12, 4 izda',
      cliente_codigo_postal: '48001',
      cliente_ciudad: 'Bilbao',
      rest: '',
    },
  ],
  [
    'an exported chat',
    '[21/11/26, 10:03:12] Ana Ruiz: me llamo Ana Ruiz Gil\n[21/11/26, 10:03:40] Ana Ruiz: avenida de la Paz nº 7\n[21/11/26, 10:04:02] Ana Ruiz: 611223344',
    { cliente_nombre: 'Ana Ruiz Gil', cliente_telefono: '611223344', cliente_direccion: 'avenida de la Paz nº 7', rest: '' },
  ],
  [
    'a street without a word for it',
    'Mayor 3, 2º B\nPepe Gil',
    { cliente_nombre: 'Pepe Gil', cliente_direccion: 'Mayor 3, 2º B', rest: '' },
  ],
  ['a foreign telephone', 'João Silva\n+351 912 345 678', { cliente_nombre: 'João Silva', cliente_telefono: '+351 912 345 678' }],
  ['nothing', 'Hola, buenos días', { ...EMPTY, rest: 'Hola, buenos días' }],
  ['an empty text', '', EMPTY],
])('%s', (_, text, found) => {
  expect(recognise(text)).toMatchObject(found);
});

it('takes neither an account number for a telephone nor an order for a postcode', () => {
  expect(recognise('ES91 2100 0418 4502 0005 1332').cliente_telefono).toBe('');
  expect(recognise('Pedido 1280134').cliente_codigo_postal).toBe('');
});
