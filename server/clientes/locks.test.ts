import { beforeAll, beforeEach, expect, it } from 'vitest';
import { getCliente, unirCliente } from '../../contract/clientes/clientes.ts';
import * as schemas from '../../contract/clientes/schemas.ts';
import { importPedidos } from '../../contract/pedidos/import.ts';
import { lotePedidos } from '../../contract/pedidos/lote.ts';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import { anonimizar, bloquear, desbloquear } from '../../contract/privacidad/privacidad.ts';
import { isFree, meanwhile, waitForLock } from '../../test/meanwhile.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { lockJoining } from '../pedidos/lectura/cliente.ts';
import { readCliente } from './clientes.ts';
import { deleteOrderlessClientes } from './redact.ts';

/* Locks among customers: concurrent changes must not deadlock. */

let world: World;
let admin: Person;
let rosa: Person;
let other: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  rosa = await world.as('revendedor');
  other = await world.as(await world.user({ role: 'revendedor' }));
});

/** Creates an order of a reseller; returns the ids of its customer and of the order. */
async function known(
  cliente_nombre: string,
  cliente_telefono: string,
  { of = rosa, ...fields }: { of?: Person; estado?: 'completado' } = {},
) {
  const pedido = await world.pedido({ revendedor_id: of.user.id, cliente_nombre, cliente_telefono, ...fields });
  const { cliente_id } = await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', pedido.id).executeTakeFirstOrThrow();
  return { id: cliente_id ?? '', pedido: pedido.id };
}
const join = (id: string, cliente_id: string, who = rosa) => who.call(unirCliente, { params: { id }, body: { cliente_id } });

const free = (id: string) => isFree(world.db, 'clientes', id);

it('a customer who gets an order while orderless customers are being deleted is kept', async () => {
  const ana = await known('Ana', '600112233');
  const joined = await known('Anita', '600445566');
  await join(ana.id, joined.id);
  const gone = { cliente_nombre: 'Cliente anonimizado', cliente_telefono: null };
  await world.db.updateTable('pedidos').set(gone).where('id', '=', ana.pedido).execute();
  const { id: pedido_id } = await world.pedido({ revendedor_id: rosa.user.id, ...gone });
  const back = { cliente_nombre: 'Ana', cliente_telefono: '600112233' };
  const forgotten = await meanwhile(
    world.db,
    (tx) => tx.updateTable('pedidos').set(back).where('id', '=', pedido_id).execute(),
    async (end) => {
      const forgetting = transact(world.db, deleteOrderlessClientes);
      await waitForLock(world.db);
      await end();
      return forgetting;
    },
  );
  expect(forgotten).toBe(0);
  expect((await rosa.call(getCliente, { params: { id: ana.id } })).body.data).toMatchObject({
    id: ana.id,
    pedidos: 2,
    unidos: [{ id: joined.id }],
  });
});

it('anonymising locks joined customers before their main record', async () => {
  const both = [await known('Ana', '600112233', { estado: 'completado' }), await known('Eva', '600445566', { estado: 'completado' })];
  const [main = '', joined = ''] = both.map(({ id }) => id).sort();
  await join(main, joined);
  const done = await meanwhile(
    world.db,
    (tx) => tx.selectFrom('clientes').select('id').where('id', '=', joined).forUpdate().execute(),
    async (end) => {
      const body = { pedidos: both.map(({ pedido }) => pedido), motivo: 'Lo ha pedido', confirmacion: CONFIRMACION } as const;
      const anonymising = admin.call(anonimizar, { body });
      await waitForLock(world.db);
      expect(await free(main)).toBe(true);
      await end();
      return anonymising;
    },
  );
  expect(done.status, done.text).toBe(200);
});

it('only joins for the same seller wait for each other, before they lock any customer', async () => {
  const [ana, eva, mia] = [
    await known('Ana', '600112233'),
    await known('Eva', '600445566'),
    await known('Mía', '600778899', { of: other }),
  ];
  const theirs = await known('Mar', '600990011', { of: other });
  const joined = await meanwhile(
    world.db,
    (tx) => lockJoining(tx, rosa.user.id),
    async (end) => {
      const joining = join(ana.id, eva.id);
      await waitForLock(world.db);
      expect((await join(mia.id, theirs.id, other)).status).toBe(200);
      expect([await free(ana.id), await free(eva.id)]).toEqual([true, true]);
      await end();
      return joining;
    },
  );
  expect(joined.status).toBe(200);
});

it('locking many customers of a seller waits for joins, but imports do not wait for each other', async () => {
  const done = await known('Ana', '600112233', { estado: 'completado' });
  const pack = await world.pack();
  const fila = { cliente_nombre: 'Ana', cliente_telefono: '600112233', cliente_direccion: 'Calle 1', pack_id: pack.id };
  const filas = () => rosa.call(importPedidos, { body: { filas: [fila] } });
  const body = { pedidos: [done.pedido], motivo: 'Lo ha pedido' };
  const block = () => admin.call(bloquear, { body });
  const unblock = () => admin.call(desbloquear, { body });
  for (const work of [filas, block, unblock]) {
    const { status } = await meanwhile(
      world.db,
      (tx) => lockJoining(tx, rosa.user.id),
      async (end) => {
        const working = work();
        await waitForLock(world.db);
        expect(await free(done.id)).toBe(true);
        await end();
        return working;
      },
    );
    expect(status).toBeLessThan(300);
  }
  const other = await meanwhile(world.db, (tx) => lockJoining(tx, rosa.user.id, true), filas);
  expect(other.status).toBe(201);
});

it('deleting many orders waits for joins of their customers before locking any customer', async () => {
  const both = [await known('Ana', '600112233'), await known('Eva', '600445566')];
  const { status } = await meanwhile(
    world.db,
    (tx) => lockJoining(tx, rosa.user.id),
    async (end) => {
      const body = { pedidos: { ids: both.map(({ pedido }) => pedido) }, accion: { tipo: 'eliminar' } } as const;
      const deleting = admin.call(lotePedidos, { body });
      await waitForLock(world.db);
      expect(await Promise.all(both.map(({ id }) => free(id)))).toEqual([true, true]);
      await end();
      return deleting;
    },
  );
  expect(status).toBe(200);
});

it('a customer joined to another during the read is still returned', async () => {
  const [ana, eva] = [await known('Ana', '600112233'), await known('Eva', '600445566')];
  let joined = false;
  const db = world.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!joined) {
        joined = true;
        expect((await join(eva.id, ana.id)).status).toBe(200);
      }
      return result;
    },
  });
  const read = await readCliente(db, { ...rosa.user, role: 'revendedor', ip: '' }, ana.id);
  expect(schemas.getCliente.response[200].safeParse({ data: read }).error).toBeUndefined();
});
