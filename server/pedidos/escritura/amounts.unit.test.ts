import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Settings } from '../../../contract/settings/values.ts';
import type { DomainError } from '../../kit/errors.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { shippingTo, unsaidShipping } from '../lineas/price.ts';
import { amountCollected } from '../pagos/collect.ts';
import { paidElsewhere } from './cobrar.ts';
import { moneyAfter } from './create.ts';

/** What `ask` returns, or the field and sentence that it refuses. */
function outcome(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    const { errors = {}, message } = (error as DomainError).body;
    return `${Object.keys(errors).join()}: ${message}`.replaceAll('\u00a0', ' ');
  }
}

describe('what is collected at the door', () => {
  test.each<[string, number, object, number, unknown]>([
    ['all of it', 100, { cobrado: 1, cobrado_metodo: 'efectivo' }, 0, 100],
    ['a cent less, with its reason', 100, { cobrado: 0.99, cobrado_metodo: 'efectivo', cobrado_motivo: 'x' }, 0, 99],
    ['a cent less', 100, { cobrado: 0.99, cobrado_metodo: 'efectivo' }, 0, 'cobrado_motivo: Había que cobrar 1,00 €: indica el motivo'],
    ['a cent more', 100, { cobrado: 1.01, cobrado_metodo: 'efectivo' }, 0, 'cobrado: Como máximo lo que falta por pagar: 1,00 €'],
    ['a cent, without how', 1, { cobrado: 0.01 }, 0, 'cobrado_metodo: Elige cómo te han pagado'],
    ['nothing, with its reason', 100, { cobrado: 0, cobrado_motivo: 'x' }, 0, 0],
    ['nothing is said', 100, {}, 0, 'cobrado: Indica cuánto has cobrado'],
    ['nothing is due', 0, {}, 0, undefined],
    ['nothing is due, and nothing is collected', 0, { cobrado: 0 }, 0, undefined],
    ['a cent, and nothing is due', 0, { cobrado: 0.01 }, 0, 'cobrado: En este pedido no hay nada que cobrar'],
    ['all but what was not delivered', 100, { cobrado: 0.6, cobrado_metodo: 'bizum' }, 40, 60],
    ['less was due than is not delivered', 100, {}, 140, undefined],
  ])('%s', (_, por_cobrar_cents, input, less, wanted) => {
    expect(outcome(() => amountCollected({ por_cobrar_cents }, input, less))).toBe(wanted);
  });
});

describe('what is paid elsewhere', () => {
  const OFFICE: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
  const ORDER = { contra_reembolso: false, total_cents: 1000 };
  test.each<[string, object | null | undefined, Partial<typeof ORDER>, unknown]>([
    ['nothing', null, {}, 'nothing'],
    ['all, unsaid', { metodo: 'bizum' }, {}, 'all'],
    ['all', { metodo: 'bizum', importe: 10 }, {}, 'all'],
    ['a cent less', { metodo: 'bizum', importe: 9.99 }, {}, 'part'],
    ['a cent more', { metodo: 'bizum', importe: 10.01 }, {}, 'pago.importe: El pedido suma 10,00 € y dices que se pagaron 10,01 €'],
    ['an amount of nothing', { metodo: 'bizum', importe: 0 }, {}, 'pago.importe: Indica cuánto se ha pagado'],
    ['an order of nothing', { metodo: 'bizum', importe: 0 }, { total_cents: 0 }, 'all'],
    [
      'all, and to pay at the door',
      { metodo: 'bizum' },
      { contra_reembolso: true },
      'pago: Un pedido contra reembolso se paga al recibirlo: no puede estar ya pagado',
    ],
    ['a part, and the rest at the door', { metodo: 'bizum', importe: 1 }, { contra_reembolso: true }, 'part'],
    ['cash of the limit', { metodo: 'efectivo' }, { total_cents: 100_000 }, 'pago.metodo: No se puede cobrar en efectivo 1.000,00 € o más'],
    [
      'a part in cash of the limit',
      { metodo: 'efectivo', importe: 1 },
      { total_cents: 100_000 },
      'pago.metodo: No se puede cobrar en efectivo 1.000,00 € o más',
    ],
    ['cash of a cent less', { metodo: 'efectivo' }, { total_cents: 99_999 }, 'all'],
    ['the limit otherwise', { metodo: 'bizum' }, { total_cents: 100_000 }, 'all'],
  ])('%s', (_, pago, order, wanted) => {
    expect(outcome(() => paidElsewhere(OFFICE, pago as never, { ...ORDER, ...order }))).toBe(wanted);
  });

  test('is said by the office alone', () => {
    const seller: Actor = { id: 'r', role: 'revendedor', full_name: 'Rosa' };
    expect(outcome(() => paidElsewhere(seller, { metodo: 'bizum' } as never, ORDER))).toBe(
      ': No tienes permisos para realizar esta acción',
    );
    expect(paidElsewhere(seller, undefined, ORDER)).toBe('nothing');
  });
});

describe('the shipping', () => {
  const settings = (shippingAbroad: number | '') =>
    ({ shippingPeninsula: 1, shippingBaleares: 2, shippingCanarias: 3, shippingCeutaMelilla: 4, shippingAbroad }) as Settings;
  test.each<[object, number | '', number | undefined]>([
    [{ cliente_codigo_postal: '28013' }, '', 1],
    [{ cliente_codigo_postal: '07001' }, '', 2],
    [{ cliente_codigo_postal: '35001' }, '', 3],
    [{ cliente_codigo_postal: '51001' }, '', 4],
    [{ cliente_pais: 'Francia' }, 9, 9],
    [{ cliente_pais: 'Francia' }, 0, 0],
    [{ cliente_pais: 'Francia' }, '', undefined],
  ])('to %j, abroad %j: %s', (address, abroad, cost) => expect(shippingTo(settings(abroad), address)).toBe(cost));

  const SAID = 'No hay tarifa de envío a Francia y va a 0 €: escríbelo en «Cambiar productos»';
  test.each<[string, object, number | '', string | undefined]>([
    ['abroad without a tariff', {}, '', SAID],
    ['abroad with one', {}, 0, undefined],
    ['abroad for a cent', { envio_cents: 1 }, '', undefined],
    ['abroad, free by hand', { envio_fijado: true }, '', undefined],
    ['in Spain', { cliente_pais: 'España' }, '', undefined],
    ['to no country by name', { cliente_pais: ' Francia ' }, '', SAID],
  ])('is said to be free only %s', (_, fields, abroad, sentence) => {
    expect(unsaidShipping(settings(abroad), { cliente_pais: 'Francia', envio_cents: 0, envio_fijado: false, ...fields })).toBe(sentence);
  });
});

test.each<[string, number, number, number, string]>([
  ['nothing is paid', 0, 1000, 1000, ''],
  ['all is paid', 1000, 1000, 0, ''],
  ['a part is paid', 1, 1000, 999, '; pagados 0,01 €, faltan 9,99 €'],
  ['too much is paid', 1001, 1000, 0, '; pagados 10,01 €, sobran 0,01 €'],
])('after a change of lines, if %s', (_, pagado_cents, precio_total_cents, pendiente_cents, more) => {
  const message = moneyAfter({ pagado_cents, precio_total_cents, pendiente_cents } as PedidoRow);
  expect(message.replaceAll('\u00a0', ' ')).toBe(`Pedido actualizado: el total es 10,00 €${more}`);
});
