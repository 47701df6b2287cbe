import { describe, expect, it } from 'vitest';
import type { Action, Actor } from '../../../contract/policy/policy.ts';
import { isContended } from '../../db/open.ts';
import type { DomainError } from '../../kit/errors.ts';
import { refuseTakenNumber } from './numbers.ts';
import { refuseUnwritable } from './unwritable.ts';

const program = (...scopes: Action[]): Actor => ({ id: 'k', role: 'programa', full_name: 'ERP', scopes });
const reseller: Actor = { id: 'r', role: 'revendedor', full_name: 'Rita' };

function refusal(run: () => void): DomainError['body'] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as DomainError).body;
  }
}

describe('fields that an API key may not write', () => {
  it.each<[string, Actor, object, string[]]>([
    ['a person may send any', reseller, { numero_orden: 'X', descuento: 5 }, []],
    ['what everyone may write', program('pedido:create'), { cliente_nombre: 'Ana', version: 3 }, []],
    ['a price', program('pedido:create'), { descuento: 5 }, ['descuento']],
    ['nothing given', program('pedido:create'), { descuento: null, envio: undefined }, []],
    ['two of them', program('pedido:create'), { descuento: 0, envio: 0 }, ['envio', 'descuento']],
    ['in a line', program('pedido:create'), { lineas: [{ cantidad: 1 }, { precio_unitario: 3 }] }, ['lineas.1.precio_unitario']],
    [
      'in the order and in a line',
      program('pedido:create'),
      { envio: 1, lineas: [{ precio_unitario: 3 }] },
      ['envio', 'lineas.0.precio_unitario'],
    ],
    ['no lines', program('pedido:create'), { lineas: null }, []],
  ])('%s', (_, actor, input, fields) => {
    const body = refusal(() => refuseUnwritable(actor, input));
    expect(Object.keys(body?.errors ?? {}).sort()).toEqual([...fields].sort());
  });

  it('the first is named in words, with the permission that it needs', () => {
    const body = refusal(() => refuseUnwritable(program('pedido:create'), { lineas: [{ precio_unitario: 3 }] }));
    expect(body).toEqual({
      message: 'Esta clave no puede escribir «Precio unitario» (lineas.0.precio_unitario)',
      code: expect.any(String),
      errors: { 'lineas.0.precio_unitario': ['Esta clave no puede escribir «Precio unitario»'] },
      permission: expect.any(String),
    });
  });

  it('another rule may permit a field', () => {
    const input: object = { envio: 1, descuento: 1 };
    const asked: string[] = [];
    const may = (name: string) => asked.push(name) > 0 && name === 'envio';
    const body = refusal(() => refuseUnwritable(program('pedido:create'), input, may));
    expect(Object.keys(body?.errors ?? {})).toEqual(['descuento']);
    expect(asked.sort()).toEqual(['descuento', 'envio']);
  });
});

describe('an order number that is taken', () => {
  const TAKEN = { code: '23505', constraint: 'pedidos_numero_orden_key' };
  const thrown = (typed: boolean, error: object): unknown => {
    try {
      return refuseTakenNumber(typed)(error);
    } catch (other) {
      return other;
    }
  };
  it('is refused if typed, and else tried again', () => {
    expect(thrown(true, { ...TAKEN })).toMatchObject({
      status: 422,
      body: { code: 'duplicate', errors: { numero_orden: expect.anything() } },
    });
    expect(isContended(thrown(false, { ...TAKEN }))).toBe(true);
  });

  it.each([
    { ...TAKEN, code: '23503' },
    { ...TAKEN, constraint: 'pedidos_pkey' },
  ])('another error is thrown as it is: %j', (error) => {
    for (const typed of [true, false]) expect(thrown(typed, { ...error })).toEqual(error);
  });
});
