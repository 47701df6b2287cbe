import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { balance } from '../../test/ledger.ts';
import { createWorld, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { moveStock } from './stock.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const move = (product_id: string, unidades: number, motivo: 'ajuste' | 'pedido' = 'ajuste') =>
  transact(world.db, (tx) => moveStock(tx, { product_id, unidades, motivo, nota: 'Recuento' }, SISTEMA));
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? [error.status, error.body] : error),
  );
const stockAndLedger = (id: string) => balance(world.db, id);

test('a movement changes the stock and is recorded with reason and author', async () => {
  const { id } = await world.product({ stock: 10 });

  expect(await move(id, -4)).toBe(6);
  expect(await move(id, 3)).toBe(9);

  expect(await stockAndLedger(id)).toEqual({ stock: 9, ledger: 9 });
  const last = await world.db.selectFrom('stock_movements').selectAll().where('unidades', '=', -4).executeTakeFirstOrThrow();
  expect(last).toMatchObject({
    product_id: id,
    motivo: 'ajuste',
    nota: 'Recuento',
    pedido_id: null,
    actor_user_id: null,
    actor_nombre: 'Sistema',
  });
});

test('a movement of zero units writes nothing', async () => {
  const { id } = await world.product({ stock: 0 });
  expect(await move(id, 0)).toBe(0);
  expect(await world.db.selectFrom('stock_movements').selectAll().execute()).toEqual([]);
});

test('the last unit can be taken', async () => {
  const { id } = await world.product({ stock: 1 });
  expect(await move(id, -1)).toBe(0);
});

describe('insufficient stock is refused, and nothing moves', () => {
  test.each([
    [0, 'Stock insuficiente: quedan 0 unidades'],
    [1, 'Stock insuficiente: queda 1 unidad'],
    [2, 'Stock insuficiente: quedan 2 unidades'],
    [12_345, 'Stock insuficiente: quedan 12.345 unidades'],
  ])('a movement is refused with %i units left', async (stock, message) => {
    const { id } = await world.product({ stock });
    expect(await refused(move(id, -stock - 1))).toEqual([422, { message, errors: { stock: [message] }, code: 'stock_insufficient' }]);
    expect(await stockAndLedger(id)).toEqual({ stock, ledger: stock });
  });

  test('insufficient stock for an order is reported at its quantity', async () => {
    const { id } = await world.product({ stock: 3 });
    const message = 'Stock insuficiente: quedan 3 unidades';
    expect(await refused(move(id, -999_900_000, 'pedido'))).toEqual([
      422,
      { message, errors: { cantidad: [message] }, code: 'stock_insufficient' },
    ]);
  });

  test('a movement beyond the maximum stock is refused', async () => {
    const { id } = await world.product({ stock: 1_000_000_000 });
    expect(await move(id, 1_000_000_000)).toBe(2_000_000_000);
    expect(await refused(move(id, 1))).toMatchObject([422, { message: 'El stock no puede ser tan grande' }]);
    expect(await refused(move(id, 999_900_000))).toMatchObject([422, {}]);
  });

  test('a movement of an unknown product is refused', async () => {
    expect(await refused(move(crypto.randomUUID(), 1))).toEqual([
      422,
      { message: 'El producto no existe', errors: { product_id: ['El producto no existe'] }, code: 'validation_failed' },
    ]);
  });
});

test('ten of thirty concurrent orders for the last ten units succeed', async () => {
  const { id } = await world.product({ stock: 10 });
  const answers = await Promise.all(Array.from({ length: 30 }, () => refused(move(id, -1, 'pedido'))));
  expect(answers.filter((answer) => answer === 'done')).toHaveLength(10);
  expect(answers.filter((answer) => Array.isArray(answer) && answer[0] === 422)).toHaveLength(20);
  expect(await stockAndLedger(id)).toEqual({ stock: 0, ledger: 0 });
});

test('stock and ledger match after many concurrent movements in both directions', async () => {
  const { id } = await world.product({ stock: 20 });
  const units = Array.from({ length: 60 }, (_, i) => ((i * 7) % 13) - 6);
  await Promise.all(units.map((unidades) => refused(move(id, unidades))));
  const { stock, ledger } = await stockAndLedger(id);
  expect(stock).toBe(ledger);
  expect(stock).toBeGreaterThanOrEqual(0);
});

test('a failed transaction leaves neither units nor movement', async () => {
  const { id } = await world.product({ stock: 5 });
  const work = transact(world.db, async (tx) => {
    await moveStock(tx, { product_id: id, unidades: -5, motivo: 'pedido' }, SISTEMA);
    throw new Error('later');
  });
  await expect(work).rejects.toThrow('later');
  expect(await stockAndLedger(id)).toEqual({ stock: 5, ledger: 5 });
});
