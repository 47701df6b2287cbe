import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Settings } from '../../../contract/settings/values.ts';
import type { DomainError } from '../../kit/errors.ts';
import { packsById } from './lineas.ts';
import { priceOrder } from './price.ts';

const PACK = { pack_id: 'k', product_id: 'p', pack_quantity: 6, precio_unitario_cents: 1000, producto: 'Miel – 6', iva: null };
const settings = (shippingAbroad: number | '' = '') =>
  ({ shippingPeninsula: 4, shippingBaleares: 9, shippingAbroad }) as Partial<Settings> as Settings;
const OFFICE: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
const SELLER: Actor = { id: 'r', role: 'revendedor', full_name: 'Rosa' };
const ADDRESS = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013' };
const BALEARES = { cliente_codigo_postal: '07001' };
const FRANCE = { cliente_codigo_postal: null, cliente_pais: ' Francia ' };
const ONE = { pack_id: 'k', cantidad: 1 };
const TEXT = { producto: 'Cesta', cantidad: 2, precio_total: 30 };
const LINES = { lineas: [{ pack_id: 'k', cantidad: 2 }] };

/** Shipping, discount and total in cents, and whether the shipping is set by hand; or the fields and sentences of a refusal. */
function outcome(body: object, actor = OFFICE, abroad: number | '' = '') {
  try {
    const input = { ...ADDRESS, ...body } as unknown as Parameters<typeof priceOrder>[2];
    const { summary, envio_fijado } = priceOrder({ packs: packsById([PACK]), settings: settings(abroad) }, actor, input);
    return [summary.envio_cents, summary.descuento_cents, summary.precio_total_cents, envio_fijado];
  } catch (error) {
    return (error as DomainError).body.errors;
  }
}

describe('the price of an order', () => {
  test.each<[string, object, unknown[]]>([
    ['of a pack', ONE, [400, 0, 1400, false]],
    ['of lines', LINES, [400, 0, 2400, false]],
    ['to an island', { ...LINES, ...BALEARES }, [900, 0, 2900, false]],
    ['with shipping by hand', { ...LINES, envio: 2 }, [200, 0, 2200, true]],
    ['with free shipping by hand', { ...LINES, envio: 0 }, [0, 0, 2000, true]],
    ['with a discount', { ...LINES, descuento: 3 }, [400, 300, 2100, false]],
    ['with a total of its own', TEXT, [0, 0, 3000, true]],
    ['with a total of its own and shipping by hand', { ...TEXT, envio: 1 }, [100, 0, 3100, true]],
    ['of a text for each', { ...TEXT, precio_total: null, precio_unitario: 5 }, [400, 0, 1400, false]],
    ['of a line with a total', { lineas: [TEXT] }, [400, 0, 3400, false]],
    ['of a pack with a total, which says nothing', { ...ONE, precio_total: 30 }, [400, 0, 1400, false]],
    ['abroad, unsaid', { ...ONE, ...FRANCE }, [0, 0, 1000, false]],
    ['abroad by hand', { ...ONE, ...FRANCE, envio: 7 }, [700, 0, 1700, true]],
  ])('%s', (_, body, wanted) => expect(outcome(body)).toEqual(wanted));

  test('abroad is by the tariff, also if it is free', () => {
    expect([outcome({ ...ONE, ...FRANCE }, OFFICE, 20), outcome({ ...ONE, ...FRANCE }, SELLER, 0)]).toEqual([
      [2000, 0, 3000, false],
      [0, 0, 1000, false],
    ]);
  });

  test('is the list’s for those who set no prices', () => {
    expect(outcome({ ...ONE, envio: 2, descuento: 5, precio_total: 1 }, SELLER)).toEqual([400, 0, 1400, false]);
  });

  const SAID = 'No hay tarifa de envío a Francia:';
  test.each<[string, object, Actor, object]>([
    ['lines and a pack', { ...LINES, pack_id: 'k' }, OFFICE, { lineas: ['Envía las líneas o un solo pack, no ambos'] }],
    [
      'an emptied shipping abroad',
      { ...ONE, ...FRANCE, envio: null },
      OFFICE,
      { envio: [expect.stringMatching(`^${SAID} escribe cuánto cuesta`)] },
    ],
    ['an order abroad without a tariff', { ...ONE, ...FRANCE }, SELLER, { envio: [`${SAID} pide a la tienda que la ponga`] }],
    ['a pack that is not sold', { ...ONE, pack_id: 'x' }, SELLER, { pack_id: ['Selecciona un pack válido'] }],
    ['a line that is not sold', { lineas: [{ pack_id: 'x', cantidad: 1 }] }, SELLER, { 'lineas.0.pack_id': ['Selecciona un pack válido'] }],
    ['a text', TEXT, SELLER, { pack_id: ['Selecciona un pack válido'] }],
    ['a text that is not said', { cantidad: 1, precio_total: 3 }, OFFICE, { pack_id: ['Selecciona un pack válido'] }],
  ])('%s is refused', (_, body, actor, errors) => expect(outcome(body, actor)).toEqual(errors));
});
