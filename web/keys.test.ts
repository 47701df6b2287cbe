import { expect, test } from 'vitest';
import { ajustarStock } from '../contract/products/products.ts';
import { login } from '../contract/session/session.ts';
import { sendWithKey } from './keys.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const booking = (unidades: number) => ({ params: { id: ID }, body: { unidades, nota: 'Llegan' } });
/** Sends a write that succeeds, is refused or gets lost; returns its idempotency key. */
async function send(endpoint: typeof ajustarStock | typeof login, input: object, outcome?: 'lost' | 'refused') {
  let key: string | undefined;
  const work = async (headers: Record<string, string>) => {
    key = headers['idempotency-key'];
    if (outcome) throw outcome;
  };
  await sendWithKey(endpoint, input, work, (error) => error === 'lost').catch(() => {});
  return key;
}

test('only the retry of a write without an answer reuses the idempotency key', async () => {
  const lost = await send(ajustarStock, booking(5), 'lost');
  expect(lost).toMatch(/^[\w-]{36}$/);
  expect(await send(ajustarStock, booking(6))).not.toBe(lost);
  expect(await send(ajustarStock, booking(5), 'lost')).toBe(lost);
  expect(await send(ajustarStock, booking(5))).toBe(lost);
  const next = await send(ajustarStock, booking(5), 'refused');
  expect(next).not.toBe(lost);
  expect(await send(ajustarStock, booking(5))).not.toBe(next);
});

test('an idempotency key chosen by the screen is kept, and an endpoint that honours no key gets none', async () => {
  expect(await send(ajustarStock, { ...booking(5), headers: { 'idempotency-key': 'mi-clave' } })).toBe('mi-clave');
  expect(await send(login, { body: {} })).toBeUndefined();
});
