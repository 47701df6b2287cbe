import { describe, expect, it } from 'vitest';
import type { CreatePedido } from '../../../contract/pedidos/pedidos.ts';
import type { Action, Actor } from '../../../contract/policy/policy.ts';
import { DEFAULT_SETTINGS } from '../../../contract/settings/values.ts';
import type { DomainError } from '../../kit/errors.ts';
import { packsById } from '../lineas/lineas.ts';
import { buildOrder, chooseSeller, copyFields, editableFields, newPagoToken } from './create.ts';

const office: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
const seller: Actor = { id: 'r', role: 'revendedor', full_name: 'Rita' };
const program = (...scopes: Action[]): Actor => ({ id: 'k', role: 'programa', full_name: 'ERP', scopes });
const RITA = { id: 'r', full_name: 'Rita', contra_reembolso: false };
const TRUSTED = { ...RITA, contra_reembolso: true };

const PACK = { pack_id: 'k', product_id: 'p', pack_quantity: 6, precio_unitario_cents: 1000, producto: 'Miel – 6', iva: '10' };
const packs = packsById([
  PACK,
  { ...PACK, pack_id: 'free', precio_unitario_cents: 0 },
  { ...PACK, pack_id: 'dear', precio_unitario_cents: 100_000 },
]);
const ADDRESS = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013' };
type Options = Partial<Parameters<typeof buildOrder>[2]> & { cashOnDelivery?: boolean };
const build = (actor: Actor, body: object, { cashOnDelivery = true, ...options }: Options = {}) =>
  buildOrder(actor, { ...ADDRESS, pack_id: 'k', cantidad: 1, ...body } as CreatePedido, {
    reseller: null,
    prices: { packs, settings: { ...DEFAULT_SETTINGS, shippingPeninsula: 0, cashOnDelivery } },
    numero: 'ORD-1',
    ...options,
  });
const refused = (actor: Actor, body: object, options?: Options) => {
  try {
    build(actor, body, options);
    return undefined;
  } catch (error) {
    const { errors = {}, message } = (error as DomainError).body;
    return [Object.keys(errors).join(), message.replaceAll('\u00a0', ' ')];
  }
};
const PAID = { pago: { metodo: 'bizum' } };

describe('the estado of a new order', () => {
  it.each<[string, Actor, object, string]>([
    ['of the office', office, {}, 'pendiente'],
    ['of a reseller', seller, {}, 'pendiente_pago'],
    ['of the office, to be paid', office, { estado: 'pendiente_pago' }, 'pendiente_pago'],
    ['of a reseller who asks for more', seller, { estado: 'pendiente' }, 'pendiente_pago'],
    ['of a reseller, for nothing', seller, { pack_id: 'free' }, 'pendiente'],
    ['of the office, to be paid, for nothing', office, { pack_id: 'free', estado: 'pendiente_pago' }, 'pendiente'],
    ['of the office, paid', office, PAID, 'pendiente_pago'],
    ['of the office, paid, for nothing', office, { ...PAID, pack_id: 'free' }, 'pendiente'],
    ['of the office, paid in part', office, { pago: { metodo: 'bizum', importe: 1 } }, 'pendiente'],
    ['of the office, to be paid on delivery', office, { contra_reembolso: true, estado: 'pendiente_pago' }, 'pendiente'],
  ])('%s', (_, actor, body, estado) => {
    const { values } = build(actor, body);
    expect([values.estado, values.fecha_estimada !== null]).toEqual([estado, estado === 'pendiente']);
    expect([values.fecha_estimada_fijada, values.contra_reembolso]).toEqual([false, 'contra_reembolso' in body]);
  });

  it('is no later one', () =>
    expect(refused(office, { estado: 'asignado' })).toEqual(['estado', 'Un pedido nuevo empieza pendiente o pendiente de pago']));
});

describe('payment on delivery', () => {
  const NOT_OFFERED = ['contra_reembolso', 'El pago contra reembolso no está activado en Configuración'];
  const NOT_PERMITTED = ['contra_reembolso', 'No puedes vender contra reembolso: pídelo a un administrador'];
  it.each<[string, Actor, object, Options, unknown]>([
    ['of the office', office, {}, {}, undefined],
    ['of the office, for a reseller who may not', office, {}, { reseller: RITA }, undefined],
    ['of a reseller who may not', seller, {}, { reseller: RITA }, NOT_PERMITTED],
    ['of a reseller who may', seller, {}, { reseller: TRUSTED }, undefined],
    ['of a program without a reseller', program('pedido:create'), {}, {}, undefined],
    ['where the shop offers none', office, {}, { cashOnDelivery: false }, NOT_OFFERED],
    ['where the shop offers none, and none is asked', office, { contra_reembolso: false }, { cashOnDelivery: false }, undefined],
    ['of a reseller who may not, and none is asked', seller, { contra_reembolso: false }, { reseller: RITA }, undefined],
    ['of a thousand euros', office, { pack_id: 'dear' }, {}, ['contra_reembolso', expect.stringContaining('1.000')]],
  ])('%s', (_, actor, body, options, wanted) => expect(refused(actor, { contra_reembolso: true, ...body }, options)).toEqual(wanted));
});

describe('columns of a new order', () => {
  const made = (actor: Actor, body: object, options?: Options) => build(actor, body, options).values;

  it('the number is the next one, unless the office types it', () => {
    const numbers = [made(office, { numero_orden: 'X-1' }), made(office, { numero_orden: '' }), made(seller, { numero_orden: 'X-1' })];
    expect(numbers.map(({ numero_orden }) => numero_orden)).toEqual(['X-1', 'ORD-1', 'ORD-1']);
  });

  it('the reseller is named', () => {
    const named = (options?: Options) => {
      const { revendedor_id, revendedor_nombre, transportista_id, venta_aparte } = made(office, {}, options);
      return [revendedor_id, revendedor_nombre, transportista_id, venta_aparte];
    };
    expect(named()).toEqual([null, null, null, false]);
    expect(named({ reseller: RITA })).toEqual(['r', 'Rita', null, false]);
  });

  it('a promised date that is typed stays', () => {
    const { fecha_estimada, fecha_estimada_fijada } = made(seller, {});
    expect([fecha_estimada, fecha_estimada_fijada]).toEqual([null, false]);
    expect(made(office, { fecha_estimada: '2026-05-01', estado: 'pendiente_pago' })).toMatchObject({
      fecha_estimada: expect.anything(),
      fecha_estimada_fijada: true,
    });
  });

  it('prices are agreed elsewhere, or of today', () => {
    const agreed = (lines: Parameters<NonNullable<Options['agreed']>>[0]) => lines.map((line) => ({ ...line, precio_total_cents: 700 }));
    expect([made(office, {}).precio_total_cents, made(office, {}, { agreed }).precio_total_cents]).toEqual([1000, 700]);
    expect([made(office, { envio: 3 }).envio_fijado, made(office, {}).envio_fijado]).toEqual([true, false]);
    expect(made(office, { metadata: { a: '1' } }).metadata).toEqual({ a: '1' });
  });

  it('each order has its own secret of 256 bits', () => {
    expect(newPagoToken()).toMatch(/^[\w-]{43}$/);
    expect(new Set([1, 2, 3].map(() => made(office, {}).pago_token)).size).toBe(3);
    expect(new Set([1, 2, 3].map(() => build(office, {}).id)).size).toBe(3);
  });
});

describe('the seller of a new order', () => {
  it.each<[string, Actor, string | null | undefined, string | null]>([
    ['named by the office', office, 'x', 'x'],
    ['not named by the office', office, undefined, null],
    ['nobody, says the office', office, null, null],
    ['the reseller itself', seller, undefined, 'r'],
    ['the reseller itself, whom it names', seller, 'x', 'r'],
    ['no program', program('pedido:create'), undefined, null],
  ])('is %s', (_, actor, named, wanted) => expect(chooseSeller(actor, named)).toBe(wanted));
});

it('a copy has the fields that copies keep, with amounts in euros', () => {
  const from = { cliente_nombre: 'Ana', envio_cents: 350, numero_orden: 'ORD-9', instrucciones: null };
  expect(copyFields<CreatePedido>(from, ['cliente_nombre', 'envio', 'numero_orden', 'instrucciones'])).toEqual({
    cliente_nombre: 'Ana',
    envio: 3.5,
    numero_orden: null,
    instrucciones: null,
  });
});

it('editable fields are those of customer and address', () => {
  const fields = editableFields({ ...ADDRESS, cantidad: 3, numero_orden: 'X' } as never);
  expect(fields).toMatchObject(ADDRESS);
  for (const name of ['cantidad', 'numero_orden', 'metadata']) expect(fields).not.toHaveProperty(name);
});
