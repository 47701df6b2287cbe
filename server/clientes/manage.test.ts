import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bloquearCliente, getCliente, listClientes, separarCliente, unirCliente, updateCliente } from '../../contract/clientes/clientes.ts';
import { importPedidos } from '../../contract/pedidos/import.ts';
import { createPedido, getPedido, listPedidos, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { autoAsignar, listDisponibles } from '../../contract/transportista/transportista.ts';
import { listEvents } from '../../contract/webhooks/events.ts';
import { CLIENTES_THAT_DIFFER } from '../../test/clientes.ts';
import { settled } from '../../test/settled.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { deleteOrderlessClientes } from './redact.ts';

let world: World;
let admin: Person;
let rosa: Person;
let other: Person;
let carrier: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  rosa = await world.as('revendedor');
  other = await world.as(await world.user({ role: 'revendedor' }));
  carrier = await world.as('transportista');
});

/** Creates an order of a reseller; returns the ids of its customer and of the order. */
async function known(
  cliente_nombre: string,
  cliente_telefono: string | null,
  { of = rosa, ...fields }: { of?: Person; [field: string]: unknown } = {},
) {
  const pedido = await world.pedido({ revendedor_id: of.user.id, cliente_nombre, cliente_telefono, ...fields });
  const { cliente_id } = await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', pedido.id).executeTakeFirstOrThrow();
  return { id: cliente_id ?? '', pedido: pedido.id };
}
const read = async (id: string, who = rosa) => (await who.call(getCliente, { params: { id } })).body.data;
const note = (id: string, body: { nota?: string; avisar_antes?: boolean; version?: number }, who = rosa) =>
  who.call(updateCliente, { params: { id }, body: { avisar_antes: false, ...body } });
const block = (id: string, motivo: string | null, who = admin) => who.call(bloquearCliente, { params: { id }, body: { motivo } });
const join = (id: string, cliente_id: string, who = rosa) => who.call(unirCliente, { params: { id }, body: { cliente_id } });
const separate = (id: string, who = rosa) => who.call(separarCliente, { params: { id } });
const ordersOf = async (cliente_id: string, who = rosa) =>
  (await who.call(listPedidos, { query: { cliente_id } })).body.data.map(({ id }) => id).sort();

describe('the notes of a customer', () => {
  it('reseller and superadmins write the notes of a customer, and a concurrent change is a conflict', async () => {
    const { id } = await known('Ana', '600112233');
    expect((await note(id, { nota: ' Perro suelto ', avisar_antes: true, version: 1 })).body.data).toMatchObject({
      nota: 'Perro suelto',
      avisar_antes: true,
      propia: { version: 2 },
    });
    expect((await note(id, { nota: 'Otra cosa', version: 1 }, admin)).status).toBe(409);
    expect((await note(id, { nota: 'a'.repeat(1001) })).status).toBe(422);
    expect((await note(id, { version: 2 }, admin)).body.data).toMatchObject({ nota: null, avisar_antes: false });
  });

  it('the notes of a customer are shown with the order, and hidden from carriers together with the telephone', async () => {
    const { id, pedido } = await known('Ana', '600112233', { estado: 'pendiente' });
    await note(id, { nota: 'Perro suelto', avisar_antes: true });
    const written = { cliente_nota: 'Perro suelto', avisar_antes: true };
    const order = async (who: Person) => (await who.call(getPedido, { params: { id: pedido } })).body.data;
    for (const who of [admin, rosa]) expect(await order(who)).toMatchObject({ ...written, cliente_id: id });
    expect((await admin.call(listPedidos, { query: { con: 'lineas' } })).body.data).toMatchObject([written]);
    // The notes are hidden before a carrier takes the order.
    expect(JSON.stringify([await order(carrier), (await carrier.call(listDisponibles)).body])).not.toMatch(/Perro|avisar/);
    await carrier.call(autoAsignar, { params: { id: pedido } });
    expect(await order(carrier)).toMatchObject(written);
    const mine = (await carrier.call(listPedidos, { query: { con: 'lineas' } })).body.data;
    expect(mine).toMatchObject([written]);
    expect(JSON.stringify([mine, await order(carrier)])).not.toContain('cliente_id');
    // Long after delivery, the notes are hidden again, as is the telephone.
    await carrier.call(setEstado, { params: { id: pedido }, body: { estado: 'en_ruta' } });
    await carrier.call(setEstado, { params: { id: pedido }, body: { estado: 'completado', metodo_entrega: 'manual' } });
    await world.db.updateTable('pedidos').set({ fecha_completado: '2026-01-01T10:00:00Z' }).where('id', '=', pedido).execute();
    expect(JSON.stringify(await order(carrier))).not.toMatch(/Perro/);
  });
});

describe('the customer of another reseller', () => {
  it('the customer of another reseller is not found by any endpoint', async () => {
    const { id } = await known('Ana', '600112233', { of: other });
    const { id: mine } = await known('Ana', '600112233');
    expect(id).not.toBe(mine);
    await note(id, { nota: 'Secreto' }, other);
    for (const call of [
      rosa.call(getCliente, { params: { id } }),
      note(id, { nota: 'Mía' }),
      join(id, mine),
      separate(id),
      rosa.call(getCliente, { params: { id: '00000000-0000-4000-8000-000000000000' } }),
    ]) {
      const { status, text } = await call;
      expect([status, text]).toEqual([404, '{"message":"No encontrado","code":"not_found"}']);
    }
    expect((await join(mine, id)).body.errors).toEqual({ cliente_id: ['Ese cliente no existe'] });
    expect((await block(id, 'Porque sí', rosa)).status).toBe(403);
    expect(await ordersOf(id)).toEqual([]);
    const all = await rosa.call(listClientes, { query: { search: 'ana' } });
    expect([all.body.total, all.text.includes('Secreto')]).toEqual([1, false]);
    // An order with the same telephone does not reveal the other reseller's note.
    expect((await rosa.call(listPedidos, { query: { con: 'lineas' } })).text).not.toContain('Secreto');
  });
});

describe('a blocked customer', () => {
  const body = { cliente_nombre: 'Ana', cliente_telefono: '600 11 22 33', cliente_direccion: 'Calle Luna 8' };

  it('a blocked customer is refused in a reseller’s order, with the reason, but not in a superadmin’s order', async () => {
    const { id } = await known('Ana', '600112233');
    const { id: pack_id } = await world.pack();
    const order = (who: Person, fields: object = {}) => who.call(createPedido, { body: { ...body, pack_id, ...fields } });
    expect((await block(id, 'Dos impagos')).body.data).toMatchObject({ bloqueado_motivo: 'Dos impagos' });
    expect((await order(rosa)).status).toBe(422);
    expect((await order(rosa)).body).toEqual({
      message: 'Cliente bloqueado: Dos impagos',
      errors: { cliente_telefono: ['Cliente bloqueado: Dos impagos'] },
      code: 'cliente_bloqueado',
    });
    expect(await ordersOf(id)).toHaveLength(1);
    expect((await read(id)).pedidos).toBe(1);
    expect((await order(admin, { revendedor_id: rosa.user.id })).status).toBe(201);
    // The block does not apply to another reseller.
    expect((await order(other)).status).toBe(201);
    await block(id, null);
    expect((await order(rosa)).status).toBe(201);
  });

  it('a blocked customer is refused in an import, which names the row, and in an edited order', async () => {
    const { id } = await known('Ana', '600112233');
    const { id: pack_id } = await world.pack();
    await block(id, 'Dos impagos');
    const filas = [{ ...body, cliente_telefono: '611223344' }, body].map((fila) => ({ ...fila, pack_id }));
    const refused = await rosa.call(importPedidos, { body: { filas } });
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        message: 'Fila 2: Cliente bloqueado: Dos impagos',
        errors: { 'filas.1.cliente_telefono': ['Cliente bloqueado: Dos impagos'] },
        code: 'cliente_bloqueado',
      },
    ]);
    expect((await rosa.call(listPedidos)).body.total).toBe(1);
    const free = await rosa.call(createPedido, { body: { ...body, cliente_telefono: '611223344', pack_id } });
    const edited = await rosa.call(updatePedido, { params: { id: free.body.data.id }, body });
    expect([edited.status, edited.body.message]).toEqual([422, 'Cliente bloqueado: Dos impagos']);
  });
});

describe('joined customers', () => {
  it('joined customers are read as one customer, and can be separated without loss', async () => {
    const [ana, anita] = [
      await known('Ana', '600112233', { precio_total_cents: 100 }),
      await known('Anita', '611223344', { precio_total_cents: 200 }),
    ];
    await note(ana.id, { nota: 'Perro suelto' });
    await note(anita.id, { nota: 'Portal B', avisar_antes: true });
    await block(anita.id, 'Un impago');
    const before = [await read(ana.id), await read(anita.id)];

    const { status, body } = await join(ana.id, anita.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: ana.id,
      pedidos: 2,
      total: 3,
      nota: 'Perro suelto\nPortal B',
      avisar_antes: true,
      bloqueado_motivo: 'Un impago',
      propia: { nota: 'Perro suelto', avisar_antes: false },
      unidos: [{ id: anita.id, nombre: 'Anita', pedidos: 1, total: 2, nota: 'Portal B' }],
    });
    expect((await read(anita.id)).id).toBe(ana.id);
    expect(await ordersOf(ana.id)).toEqual([ana.pedido, anita.pedido].sort());
    const found = (await rosa.call(listClientes, { query: { search: 'anita' } })).body.data;
    expect(found.map(({ id }) => id)).toEqual([ana.id]);

    // A new order of a joined record also counts for the main record, and the block covers both.
    await known('Anita', '611223344', { precio_total_cents: 50 });
    expect(await read(ana.id)).toMatchObject({ pedidos: 3, total: 3.5, unidos: [{ pedidos: 2 }] });
    const { id: pack_id } = await world.pack();
    const asked = { cliente_nombre: 'Ana', cliente_telefono: '600112233', cliente_direccion: 'Calle 1', pack_id };
    expect((await rosa.call(createPedido, { body: asked })).body.message).toBe('Cliente bloqueado: Un impago');

    await separate(anita.id);
    const after = [await read(ana.id), await read(anita.id)];
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toMatchObject({
      nota: 'Portal B',
      avisar_antes: true,
      bloqueado_motivo: 'Un impago',
      pedidos: 2,
      total: 2.5,
      unidos: [],
    });
    expect(await ordersOf(ana.id)).toEqual([ana.pedido]);
  });

  it('joined customers bring their joined records along, and are unblocked together', async () => {
    const [a, b, c] = [await known('A', '600000001'), await known('B', '600000002'), await known('C', '600000003')];
    await join(b.id, c.id);
    await block(c.id, 'Un impago');
    expect((await join(a.id, c.id)).body.data.unidos.map(({ id }) => id).sort()).toEqual([b.id, c.id].sort());
    expect((await block(a.id, null)).body.data.bloqueado_motivo).toBeNull();
    expect((await join(b.id, a.id)).body.message).toBe('Ya es el mismo cliente');
    expect((await separate(a.id)).body.message).toBe('Este cliente no está unido a otro');
  });

  it('joined customers are blocked together, and stay blocked when separated', async () => {
    const [a, b] = [await known('Ana', '600000001'), await known('Anita', '600000002')];
    await join(a.id, b.id);
    await block(a.id, 'Dos impagos');
    expect((await read(a.id)).bloqueado_motivo).toBe('Dos impagos');
    await separate(b.id);
    const { id: pack_id } = await world.pack();
    for (const cliente_telefono of ['600000001', '600000002']) {
      const asked = { cliente_nombre: 'Ana', cliente_telefono, cliente_direccion: 'Calle 1', pack_id };
      expect((await rosa.call(createPedido, { body: asked })).body.message).toBe('Cliente bloqueado: Dos impagos');
    }
  });

  it('joined customers never form a chain, even when joined and separated concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const n = round * 10;
      const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map((i) => known(`C${n + i}`, String(600000100 + n + i))));
      if (!a || !b || !c || !d) throw new Error('four customers');
      const answers = await Promise.all([join(a.id, b.id), join(b.id, c.id), join(d.id, a.id), join(c.id, d.id), separate(b.id)]);
      expect([answers.map(({ status }) => status).filter((status) => ![200, 422].includes(status)), world.logged]).toEqual([[], []]);
    }
    const { rows } = await sql`SELECT c.id FROM clientes c JOIN clientes p ON p.id = c.unido_a WHERE p.unido_a IS NOT NULL`.execute(
      world.db,
    );
    expect(rows).toEqual([]);
    expect((await sql.raw(CLIENTES_THAT_DIFFER).execute(world.db)).rows).toEqual([]);
  });

  it('joined customers cannot form a chain in the database', async () => {
    const [a, b, c] = [await known('A', '600000001'), await known('B', '600000002'), await known('C', '600000003')];
    await join(b.id, c.id);
    await expect(sql`UPDATE clientes SET unido_a = ${a.id} WHERE id = ${b.id}`.execute(world.db)).rejects.toMatchObject({
      constraint: 'clientes_un_nivel',
    });
  });

  it('joined customers must have the same seller', async () => {
    const [mine, theirs] = [await known('Ana', '600112233'), await known('Ana', '600112233', { of: other })];
    expect((await join(mine.id, theirs.id, admin)).body).toMatchObject({
      errors: { cliente_id: ['Solo se unen clientes del mismo vendedor'] },
    });
  });
});

it('customers without orders are deleted, and records joined to them become independent', async () => {
  const [ana, anita] = [await known('Ana', '600112233'), await known('Anita', '611223344')];
  await join(ana.id, anita.id);
  await world.db
    .updateTable('pedidos')
    .set({ cliente_nombre: 'Cliente anonimizado', cliente_telefono: null })
    .where('id', '=', ana.pedido)
    .execute();
  expect(await transact(world.db, deleteOrderlessClientes)).toBe(1);
  expect((await rosa.call(getCliente, { params: { id: ana.id } })).status).toBe(404);
  expect(await read(anita.id)).toMatchObject({ id: anita.id, pedidos: 1, unidos: [] });
  expect(await transact(world.db, deleteOrderlessClientes)).toBe(0);
});

it('webhooks and programs get only the id of a changed customer and the kind of change', async () => {
  const program = await world.program(['evento:read', 'cliente:read']);
  const [main, joined] = [(await known('Ana', '600112233')).id, (await known('Ana R', '600445566')).id];
  for (const answer of [
    await note(main, { nota: 'Paga tarde' }),
    await block(main, 'No paga'),
    await join(main, joined),
    await separate(joined),
  ])
    expect(answer.status, answer.text).toBe(200);
  await settled(world.db);
  const { data } = (await program.call(listEvents)).body;
  expect(data.map((event) => [event.type, event.data])).toEqual(
    [
      { id: main, cambio: 'nota' },
      { id: main, cambio: 'bloqueo' },
      { id: main, cambio: 'union' },
      { id: main, cambio: 'separacion' },
      { id: joined, cambio: 'separacion' },
    ].map((cliente) => ['cliente.modificado', { cliente }]),
  );
  const blind = await world.program(['evento:read', 'pedido:read']);
  expect((await blind.call(listEvents)).body.data).toEqual([]);
});
