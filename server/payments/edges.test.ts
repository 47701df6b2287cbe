import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { getPago, startPago } from '../../contract/pagar/pagar.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { REDSYS, redsysSays } from '../../test/paying.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { nameBegun } from '../pedidos/pagos/pagos.ts';
import { askEnded } from './ask.ts';

/* A cent or an hour to each side (test/faults.ts). */

const IMPORTE = 4321;
let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld({ ...REDSYS, LOG_LEVEL: 'silent' });
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const unpaid = (precio_total_cents = IMPORTE) => world.pedido({ estado: 'pendiente_pago', precio_total_cents });
const begin = ({ pago_token }: { pago_token: string | null }) =>
  world.nobody().call(startPago, { params: { token: pago_token ?? '', proveedor: 'redsys' }, body: { metodo: 'tarjeta' } });
/** Begins a payment, and lets the bank report this amount in cents; returns the outcome and the order's paid cents. */
async function reported(pedido: Awaited<ReturnType<typeof unpaid>>, importe: number, meanwhile = async () => {}) {
  expect((await begin(pedido)).status).toBe(200);
  const [{ externo_id }] = (await sql<{ externo_id: string }>`SELECT externo_id FROM pagos WHERE estado = 'iniciado'`.execute(world.db))
    .rows as [{ externo_id: string }];
  await meanwhile();
  expect((await redsysSays(world.nobody(), { order: externo_id, importe })).status).toBe(200);
  const { resultado } = await world.db.selectFrom('payment_events').select('resultado').executeTakeFirstOrThrow();
  return resultado;
}

it('an order that owes one cent can still be paid', async () => {
  const { pago_token } = await unpaid(1);
  const { body } = await world.nobody().call(getPago, { params: { token: pago_token ?? '' } });
  expect(body.data).toMatchObject({ por_pagar: true, pendiente: 0.01 });
});

it('a payment already refunded whole is announced once, without a refund of nothing', async () => {
  const { id, pago_token } = await world.pedido({ precio_total_cents: IMPORTE });
  await sql`INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, devuelto_cents, referencia)
    VALUES (${id}, 'bizum', 'devuelto', 1000, 1000, '')`.execute(world.db);
  const { body } = await world.nobody().call(getPago, { params: { token: pago_token ?? '' } });
  expect(body.data.devoluciones.map(({ importe }) => importe)).toEqual([10]);
});

it('payments begun more than an hour ago do not count towards the twenty of an hour', async () => {
  const pedido = await unpaid();
  const age = (minutes: number) => sql`UPDATE pagos SET created_at = now() - ${minutes}::int * interval '1 minute'`.execute(world.db);
  await sql`INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, referencia)
    SELECT ${pedido.id}, 'redsys', 'iniciado', ${IMPORTE}::int, '' FROM generate_series(1, 20)`.execute(world.db);
  await age(59);
  expect((await begin(pedido)).status).toBe(429);
  await age(61);
  expect((await begin(pedido)).status).toBe(200);
});

it('a provider is asked about a payment once its page has expired, not before', async () => {
  const { id } = await unpaid();
  for (const [externo_id, minutes] of [
    ['open', 1],
    ['over', -1],
  ] as const)
    await sql`INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, referencia, externo_id, vence_at)
      VALUES (${id}, 'redsys', 'iniciado', ${IMPORTE}::int, '', ${externo_id}, now() + ${minutes}::int * interval '1 minute')`.execute(
      world.db,
    );
  const asked: string[] = [];
  const ask = async (externo_id: string) => {
    asked.push(externo_id);
    return 'open' as const;
  };
  await askEnded(world.db, new Map([['redsys', { ask }]]));
  expect(asked).toEqual(['over']);
});

it('the whole price waits for a person if a part was paid meanwhile', async () => {
  const pedido = await unpaid();
  const part = async () => {
    await sql`INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, referencia)
      VALUES (${pedido.id}, 'bizum', 'pagado', 1000, '')`.execute(world.db);
  };
  expect(await reported(pedido, IMPORTE, part)).toBe('importe');
});

it('a payment for a cancelled order that is a cent off waits for a person', async () => {
  const pedido = await unpaid();
  const cancel = async () => {
    expect((await admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } })).status).toBe(200);
  };
  expect(await reported(pedido, IMPORTE - 1, cancel)).toBe('importe');
});

it('the page of a provider names the newest payment that this provider has begun for the order, once', async () => {
  const [pedido, other] = [await unpaid(), await unpaid()];
  const add = (id: string, proveedor: string, age: number, { estado = 'iniciado', externo_id = null as string | null } = {}) =>
    sql`
    INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, referencia, externo_id, created_at)
    VALUES (${id}, ${proveedor}, ${estado}, ${age}::int, '', ${externo_id}, now() - ${age}::int * interval '1 minute')`.execute(world.db);
  await add(pedido.id, 'stripe', 9);
  await add(pedido.id, 'stripe', 8);
  await add(pedido.id, 'redsys', 7);
  await add(pedido.id, 'stripe', 6, { estado: 'rechazado' });
  await add(pedido.id, 'stripe', 5, { externo_id: 'cs_0' });
  await add(other.id, 'stripe', 4);
  const vence_at = new Date('2026-12-01T10:00:00Z');
  const name = (externo_id: string) => nameBegun(world.db, pedido, 'stripe', { externo_id, vence_at });
  const named = async () =>
    (
      await world.db
        .selectFrom('pagos')
        .select(['importe_cents', 'externo_id', 'referencia', 'vence_at'])
        .where('externo_id', 'like', 'cs%')
        .orderBy('externo_id')
        .execute()
    ).map(({ importe_cents, externo_id }) => [externo_id, importe_cents]);
  await name('cs_1');
  await name('cs_1');
  expect(await named()).toEqual([
    ['cs_0', 5],
    ['cs_1', 8],
  ]);
  await name('cs_2');
  await name('cs_3');
  expect(await named()).toEqual([
    ['cs_0', 5],
    ['cs_1', 8],
    ['cs_2', 9],
  ]);
});
