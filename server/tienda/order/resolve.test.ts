import { beforeEach, describe, expect, test } from 'vitest';
import { addShop, shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { transact } from '../../db/open.ts';
import type { WebLine, WebOrder } from '../reading/order.ts';
import { createFromShop } from './create.ts';
import { resolveLines } from './resolve.ts';

/* A stored order with what people have said about it, and the order that is made of it. */

tiendaForEachTest();

let own: string;
let other: string;
beforeEach(async () => {
  own = await addShop('Propia', { created_at: '2026-11-20T10:00:00Z' });
  other = await addShop('Otra', { created_at: '2026-11-20T11:00:00Z' });
  await world.db.deleteFrom('tienda_productos').execute();
});
const line = (fields: Partial<WebLine> = {}): WebLine => ({ clave: 'MIEL', nombre: 'Miel', cantidad: 1, total_cents: 1000, ...fields });
const ORDER: WebOrder = {
  externo_id: '7',
  numero: 'W-7',
  situacion: 'pagado',
  estado: 'processing',
  moneda: 'EUR',
  cliente: {
    cliente_nombre: 'Ana',
    cliente_telefono: '600112233',
    cliente_direccion: 'Sol 1',
    cliente_direccion2: null,
    cliente_codigo_postal: '28013',
    cliente_ciudad: 'Madrid',
    cliente_provincia: 'Madrid',
    cliente_pais: 'España',
  },
  instrucciones: 'Timbre',
  lineas: [line()],
  envio_cents: 0,
  descuento_cents: 0,
  total_cents: 1000,
  contra_reembolso: false,
  pago: { metodo: 'bizum', referencia: 'R1' },
  devuelto_cents: 0,
};
const resolve = (fields: Partial<WebOrder> = {}, correcciones: object | null = null, tienda_id = own) =>
  resolveLines(world.db, { tienda_id, contenido: { ...ORDER, ...fields }, correcciones });
const answers = (...rows: object[]) =>
  world.db
    .insertInto('tienda_productos')
    .values(rows.map((row) => ({ clave: 'MIEL', pack_id: shop.pack.id, ...row })))
    .execute();
const packOf = async (clave = 'MIEL', tienda_id = own) =>
  (await resolve({ lineas: [line({ clave })] }, null, tienda_id)).order.lineas[0]?.pack_id;

describe('the pack of a line', () => {
  test('is that of the shop’s own answer, or of the one for all shops', async () => {
    await answers({ tienda_id: other }, { clave: 'TE' });
    expect([await packOf(), await packOf('TE'), await packOf('MIEL', other), await packOf('X')]).toEqual([
      undefined,
      shop.pack.id,
      shop.pack.id,
      undefined,
    ]);
  });

  test('by a product’s id for all shops is that of the first shop of its kind', async () => {
    const plain = await addShop('Plana', { conector: 'plano', created_at: '2026-11-19T10:00:00Z' });
    await answers({ clave: '#1' });
    expect([await packOf('#1'), await packOf('#1', other), await packOf('#1', plain)]).toEqual([shop.pack.id, undefined, shop.pack.id]);
  });

  test('is none of a charge, of a line without key, and of one without an answer', async () => {
    await answers({ clave: '' }, { clave: 'TE', pack_id: null }, {});
    const { order } = await resolve({ lineas: [line({ isFee: true }), line({ clave: '' }), line({ clave: 'TE' }), line()] });
    expect(order.lineas.map(({ pack_id, sin_mercancia }) => [pack_id, sin_mercancia])).toEqual([
      [shop.pack.id, false],
      [undefined, undefined],
      [undefined, undefined],
      [shop.pack.id, false],
    ]);
    const charge = await resolve({ lineas: [line({ isFee: true })] });
    expect(charge.order.lineas).toEqual([line({ isFee: true })]);
  });

  test('is none of what is no merchandise', async () => {
    await answers({ pack_id: null, sin_mercancia: true });
    expect((await resolve()).order.lineas).toStrictEqual([line({ sin_mercancia: true })]);
  });
});

describe('a correction', () => {
  test('replaces the customer’s fields and the note that it names', async () => {
    const { order, raw } = await resolve({}, { campos: { cliente_ciudad: 'Getafe', instrucciones: null } });
    expect(order).toEqual({ ...ORDER, cliente: { ...ORDER.cliente, cliente_ciudad: 'Getafe' }, instrucciones: null });
    expect([raw, (await resolve({}, { campos: {} })).order]).toEqual([ORDER, ORDER]);
  });

  test.each<[string, object, object]>([
    ['its pack', { pack_id: 'k' }, { pack_id: 'k' }],
    ['its number', { cantidad: 3 }, { cantidad: 3 }],
    ['that it is no merchandise', { sin_mercancia: true }, { sin_mercancia: true }],
    ['that it is some', { sin_mercancia: false }, {}],
    ['nothing', {}, {}],
    ['another line', { n: 1, cantidad: 3 }, {}],
    ['another product', { nombre: 'Sal', cantidad: 3 }, {}],
  ])('of a line says %s', async (_, said, wanted) => {
    expect((await resolve({}, { lineas: [{ n: 0, nombre: 'Miel', ...said }] })).order.lineas).toStrictEqual([line(wanted)]);
  });

  test('of a pack is before what is said of the product', async () => {
    await answers({});
    expect((await resolve({}, { lineas: [{ n: 0, nombre: 'Miel', pack_id: 'k' }] })).order.lineas).toStrictEqual([line({ pack_id: 'k' })]);
    const none = await resolve({}, { lineas: [{ n: 0, nombre: 'Miel', sin_mercancia: true }] });
    expect(none.order.lineas).toStrictEqual([line({ sin_mercancia: true })]);
  });

  test('says how it goes out, and that it is made', async () => {
    expect(await resolve({}, { entrega: 'recoge', hacer: true })).toMatchObject({ entrega: 'recoge', hacer: true });
    expect(Object.keys(await resolve())).toEqual(expect.not.arrayContaining(['entrega']));
  });
});

describe('an unknown way to pay', () => {
  const forma = { clave: 'x', titulo: 'Vale' };
  const PAID = { situacion: 'pagado' as const, pago: ORDER.pago, contra_reembolso: false, forma: undefined };
  test.each<[string, object, Partial<WebOrder>]>([
    ['paid', { trato: 'pagado' }, PAID],
    ['paid at the door', { trato: 'reembolso' }, { situacion: 'por_pagar', pago: null, contra_reembolso: true, forma: undefined }],
    ['still to be paid', { trato: 'espera' }, { situacion: 'por_pagar', pago: null, contra_reembolso: false, forma: undefined }],
    ['not said', {}, { ...PAID, forma }],
  ])('is %s as the correction says', async (_, correction, wanted) => {
    expect((await resolve({ forma }, correction)).order).toEqual({ ...ORDER, ...wanted });
  });

  test('is as it was said of the shop, and the correction is before that', async () => {
    const row = (tienda_id: string, clave: string, trato: 'pagado' | 'reembolso') => ({ tienda_id, clave, titulo: '', trato });
    await world.db
      .insertInto('tienda_formas')
      .values([row(own, 'y', 'pagado'), row(other, 'x', 'pagado'), row(own, 'x', 'reembolso')])
      .execute();
    expect((await resolve({ forma })).order).toMatchObject({ contra_reembolso: true });
    expect((await resolve({ forma }, { trato: 'pagado' })).order).toMatchObject({ contra_reembolso: false });
    expect((await resolve({ forma, situacion: 'terminado' })).order).toMatchObject({ situacion: 'terminado', pago: null });
    expect((await resolve({ forma: { clave: '', titulo: '' } })).order.forma).toEqual({ clave: '', titulo: '' });
  });
});

describe('the order that is made', () => {
  const make = (fields: Partial<WebOrder> = {}, more: object = {}) =>
    transact(world.db, (tx) =>
      createFromShop(tx, { ...ORDER, lineas: [line({ pack_id: shop.pack.id })], ...fields }, { tienda: 'Propia', ...more }),
    );
  const texted = (length: number) => [line({ texto: 'x'.repeat(length) })];
  test.each<[string, Partial<WebOrder>, object, string | null]>([
    ['its note', {}, {}, 'Timbre'],
    ['none without one', { instrucciones: null }, {}, null],
    ['what was chosen first', { elegido: [{ que: 'Día', texto: 'lunes' }] }, {}, 'Día: lunes\nTimbre'],
    ['a long text of a line', { lineas: texted(81) }, {}, `Timbre\nMiel: ${'x'.repeat(81)}`],
    ['no short text of a line', { lineas: texted(80) }, {}, 'Timbre'],
    ['where it is collected', { recogida: 'Obrador' }, { entrega: 'recoge' }, 'LO RECOGE EL CLIENTE: Obrador\nTimbre'],
    ['no pickup if it is sent', { recogida: 'Obrador' }, { entrega: 'enviar' }, 'Timbre'],
  ])('has %s', async (_, fields, more, instrucciones) => {
    const lineas = (fields.lineas ?? [line()]).map((each) => ({ ...each, pack_id: shop.pack.id }));
    const row = await make({ ...fields, lineas }, more);
    expect([row.instrucciones, !!row.recoge_at]).toEqual([instrucciones, 'entrega' in more && more.entrega === 'recoge']);
  });

  test('has a note of a thousand letters, and the rest as a comment', async () => {
    const comments = async () => (await world.db.selectFrom('comentarios').select('texto').execute()).map(({ texto }) => texto);
    expect([(await make({ instrucciones: 'a'.repeat(1000) })).instrucciones, await comments()]).toEqual(['a'.repeat(1000), []]);
    const mark = '… (sigue en los comentarios)';
    const at = 1000 - mark.length;
    const long = `${'a'.repeat(at)}${'b'.repeat(1800)}c`;
    expect((await make({ instrucciones: long })).instrucciones).toBe(`${'a'.repeat(at)}${mark}`);
    expect(await comments()).toEqual([`Nota del cliente en la tienda, lo que no cabía: ${'b'.repeat(1800)}`]);
  });

  test('has the prices of the shop, and waits for its payment', async () => {
    const row = await make({ envio_cents: 495, descuento_cents: 95, total_cents: 1400, contra_reembolso: false });
    expect(row).toMatchObject({
      estado: 'pendiente_pago',
      precio_total_cents: 1400,
      envio_cents: 495,
      descuento_cents: 95,
      referencia_externa: 'W-7',
      cliente_nombre: 'Ana',
      tienda: 'Propia',
    });
  });

  test.each<[string, Partial<WebOrder>, RegExp]>([
    ['an unknown product', { lineas: [line()] }, /^Falta decir qué pack es «Miel»$/],
    ['no name', { cliente: { ...ORDER.cliente, cliente_nombre: '' } }, /^\S.*: ./],
    ['a name that is too long', { cliente: { ...ORDER.cliente, cliente_nombre: 'a'.repeat(500) } }, /^Nombre.*: ./],
  ])('is refused with its reason: %s', async (_, fields, message) => {
    await expect(make(fields)).rejects.toThrow(message);
  });

  test('has the NIF only if it is one', async () => {
    await shop.settings({ iva: true });
    const nif = async (cliente_nif: string) => (await make({ cliente: { ...ORDER.cliente, cliente_nif } })).cliente_nif;
    expect([await nif('12345678Z'), await nif('12345678A')]).toEqual(['12345678Z', null]);
  });
});
