import { describe, expect, test } from 'vitest';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import type { Line } from '../lineas/lineas.ts';
import type { CustomerNotes } from './cliente.ts';
import { presentCarried, presentFull, presentOrder } from './present.ts';
import type { PedidoRow } from './row.ts';

const OFFICE: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
const SELLER: Actor = { id: 'r', role: 'revendedor', full_name: 'Rosa' };
const CARRIER: Actor = { id: 't', role: 'transportista', full_name: 'Tere' };
const LINE = { numero: 1, pack_id: 'k', producto: 'Miel', cantidad: 2, unidades: 12, iva: '10', imagen: '/i/1' };
const LINES = [
  { ...LINE, precio_unitario_cents: 1000, precio_total_cents: 2000 },
  { ...LINE, numero: 2, producto: 'Porte', imagen: null, precio_unitario_cents: 1000, precio_total_cents: 1000 },
] as Line[];
const NOTES: CustomerNotes = { cliente_id: 'c', cliente_nota: 'Llamar', avisar_antes: true };
const order = (fields: object = {}) =>
  ({
    id: 'p',
    numero_orden: 'ORD-1',
    estado: 'asignado',
    revendedor_id: 'r',
    transportista_id: 't',
    deleted_at: null,
    cliente_nombre: 'Ana',
    cliente_telefono: '600000001',
    cliente_codigo_postal: '28013',
    precio_total_cents: 2700,
    envio_cents: 0,
    descuento_cents: 300,
    por_cobrar_cents: 2700,
    contra_reembolso: true,
    pago_token: 'secreto',
    seguimiento_plantilla: 'https://x.es/{numero}',
    numero_seguimiento: 'A1',
    contacto_oculto: false,
    en_partes: true,
    con_iva: false,
    zona: 'Europe/Madrid',
    ...fields,
  }) as unknown as PedidoRow;
type Shown = { lineas?: Record<string, unknown>[] } & Record<string, unknown>;
const seen = (actor: Actor, fields: object = {}) => presentOrder(actor, order(fields), 'https://e.es') as unknown as Shown;

describe('an order as its readers see it', () => {
  test('has its prices, links and payment page for office and reseller', () => {
    for (const actor of [OFFICE, SELLER])
      expect(seen(actor)).toMatchObject({
        precio_total: 27,
        seguimiento_url: 'https://x.es/A1',
        payment_link: 'https://e.es/pagar/secreto',
        cliente_telefono: '600000001',
      });
    expect(seen(OFFICE, { pago_token: null }).payment_link).toBeNull();
  });

  test('has no price, but the amount to collect, for its carrier', () => {
    const shown = seen(CARRIER);
    expect(shown).toMatchObject({ por_cobrar: 27, cliente_telefono: '600000001', seguimiento_url: 'https://x.es/A1' });
    expect(shown).not.toHaveProperty('precio_total');
    expect(shown).not.toHaveProperty('payment_link');
    expect(seen(CARRIER, { contra_reembolso: false }).por_cobrar).toBeNull();
    expect(presentCarried(SISTEMA, order()).cliente_telefono).toBe('600000001');
  });

  test('has neither contact nor address for a carrier who could take it', () => {
    const shown = seen(CARRIER, { estado: 'pendiente', transportista_id: null, lineas: LINES, cliente: NOTES });
    expect(shown).not.toHaveProperty('cliente_telefono');
    expect(shown).not.toHaveProperty('cliente_nota');
    expect(shown.lineas?.map(({ producto, por_cobrar }) => [producto, por_cobrar])).toEqual([
      ['Miel', undefined],
      ['Porte', undefined],
    ]);
  });

  test('has no contact for its carrier long after the delivery', () => {
    const shown = seen(CARRIER, { estado: 'completado', contacto_oculto: true, cliente: NOTES });
    expect(shown).toMatchObject({ numero_orden: 'ORD-1', cliente_telefono: null });
    expect(shown).not.toHaveProperty('cliente_nota');
    expect(seen(OFFICE, { estado: 'completado', contacto_oculto: true }).cliente_telefono).toBe('600000001');
  });
});

describe('the lines of an order', () => {
  const shares = (actor: Actor, fields: object = {}) =>
    seen(actor, { lineas: LINES, ...fields }).lineas?.map(({ por_cobrar }) => por_cobrar);

  test('are there only if they were read', () => {
    for (const actor of [OFFICE, CARRIER]) expect(seen(actor)).not.toHaveProperty('lineas');
  });

  test('have prices for those who see them, and pictures if there are any', () => {
    expect(seen(OFFICE, { lineas: LINES }).lineas).toMatchObject([
      { numero: 1, producto: 'Miel', precio_total: 20, unidades: 12, imagen: '/i/1' },
      { numero: 2, producto: 'Porte', precio_total: 10, unidades: 12 },
    ]);
    const carried = seen(CARRIER, { lineas: LINES }).lineas;
    expect(carried).toMatchObject([
      { numero: 1, producto: 'Miel', cantidad: 2, imagen: '/i/1' },
      { numero: 2, producto: 'Porte', cantidad: 2 },
    ]);
    for (const shown of [seen(OFFICE, { lineas: LINES }).lineas, carried]) expect(shown?.[1]).not.toHaveProperty('imagen');
    expect(carried?.[0]).not.toHaveProperty('precio_total');
  });

  test('have their shares of what is collected, without the discount, where orders are delivered in parts', () => {
    for (const actor of [OFFICE, SELLER, CARRIER]) expect(shares(actor)).toEqual([18, 9]);
    expect(shares(CARRIER, { contra_reembolso: false })).toEqual([undefined, undefined]);
    expect(shares(OFFICE, { descuento_cents: 0 })).toEqual([20, 10]);
    for (const fields of [{ en_partes: false }, { por_cobrar_cents: 0 }])
      for (const actor of [OFFICE, CARRIER]) expect(shares(actor, fields)).toEqual([undefined, undefined]);
    expect(shares(OFFICE, { por_cobrar_cents: 1 })).toEqual([18, 9]);
  });

  test('have their rates of VAT only in a shop with VAT, with its sum by rate', () => {
    const plain = presentFull(OFFICE, order(), '', LINES);
    expect([plain.iva, plain.lineas?.[0]?.iva]).toEqual([undefined, undefined]);
    expect(plain).not.toHaveProperty('iva');
    expect(plain.lineas?.[0]).not.toHaveProperty('iva');
    const { iva, lineas } = presentFull(OFFICE, order({ con_iva: true }), '', LINES);
    expect([iva?.map(({ tipo, total }) => [tipo, total]), lineas?.[0]?.iva]).toEqual([[['10', 27]], '10']);
    expect(presentFull(OFFICE, order({ con_iva: true }), '')).not.toHaveProperty('iva');
    expect(seen(OFFICE, { con_iva: true, lineas: LINES }).lineas?.map((line) => line.iva)).toEqual(['10', '10']);
  });
});

describe('the notes of the customer', () => {
  const notes = (actor: Actor, cliente: CustomerNotes | null | undefined, fields: object = {}) => {
    const { cliente_id, cliente_nota, avisar_antes } = seen(actor, { ...(cliente !== undefined && { cliente }), ...fields });
    return [cliente_id, cliente_nota, avisar_antes];
  };
  const NOTHING = [undefined, undefined, undefined];
  test('are there only if they were read', () => {
    expect([notes(OFFICE, undefined), notes(CARRIER, undefined)]).toEqual([NOTHING, NOTHING]);
  });
  test('are for office and carrier, and those of no customer are empty', () => {
    expect([notes(OFFICE, NOTES), notes(OFFICE, null)]).toEqual([
      ['c', 'Llamar', true],
      [null, null, false],
    ]);
    expect([notes(CARRIER, NOTES), notes(CARRIER, null)]).toEqual([
      [undefined, 'Llamar', true],
      [undefined, null, false],
    ]);
  });
  test('of a reseller’s customer name the customer', () => expect(notes(SELLER, NOTES)[0]).toBe('c'));
});
