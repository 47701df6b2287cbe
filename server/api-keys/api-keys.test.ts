import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '../../contract/api-keys/api-keys.ts';
import { type KEY_ACTION_NAMES, KEY_REQUESTS } from '../../contract/api-keys/fields.ts';
import { listLogs } from '../../contract/audit/audit.ts';
import { getCliente, listClientes, unirCliente } from '../../contract/clientes/clientes.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { checkImport } from '../../contract/pedidos/import.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { deleteUser, updateUser } from '../../contract/users/users.ts';
import { type Client, createClient } from '../../test/client.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { cleanFeatures } from '../features.ts';
import { KEY_REFUSALS } from './refusals.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const make = async (acciones: (typeof KEY_ACTION_NAMES)[number][], more: { nombre?: string; dias?: number | null } = {}) =>
  (await admin.call(createApiKey, { body: { nombre: 'Tienda', acciones, ...more } })).body.data;
/** Client that authenticates with the key alone. */
const holding = (clave: string) =>
  createClient(async ({ method, path, headers, body }) => {
    const answer = await world.app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers, authorization: `Bearer ${clave}` },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, text: answer.body };
  });

describe('a key', () => {
  test('a key is shown only once, and stored as a hash', async () => {
    const made = await make(['pedido:list', 'pedido:list'], { dias: 30 });
    expect(made).toMatchObject({ nombre: 'Tienda', acciones: ['pedido:list'], creada_por: admin.user.full_name, usada_at: null });
    expect(made.clave).toMatch(/^enr_[\w-]{43}$/);
    expect(Date.parse(made.caduca_at ?? '') / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 30, 1);
    expect((await holding(made.clave).call(pedidos.listPedidos)).status).toBe(200);
    const list = await admin.call(listApiKeys);
    expect(list.body.data).toMatchObject([{ inicio: made.clave.slice(0, 10), usada_at: expect.any(String) }]);
    const stored = JSON.stringify(await world.db.selectFrom('api_keys').selectAll().execute());
    for (const text of [list.text, stored, JSON.stringify((await admin.call(listLogs)).body)]) expect(text).not.toContain(made.clave);
  });

  test('a key lasts a year by default', async () => {
    const days = async (more: { dias?: number | null }) => {
      const { caduca_at } = await make(['pedido:list'], more);
      return caduca_at && Math.round((Date.parse(caduca_at) - Date.now()) / 86_400_000);
    };
    expect([await days({}), await days({ dias: null }), await days({ dias: 30 })]).toEqual([365, null, 30]);
  });

  test('a key is revoked together with the account of its author, if requested', async () => {
    const opens = async (clave: string) => (await holding(clave).call(pedidos.listPedidos)).status;
    const maker = async () => {
      const eva = await world.as(await world.user({ role: 'superadmin' }));
      const { data } = (await eva.call(createApiKey, { body: { nombre: 'ERP', acciones: ['pedido:list'] } })).body;
      return { id: eva.user.id, clave: data.clave };
    };
    const [kept, ended, gone] = [await maker(), await maker(), await maker()];
    const ofAdmin = await make(['pedido:list']);
    expect((await admin.call(listApiKeys)).body.data.map(({ creada_por_id }) => creada_por_id)).toContain(kept.id);
    const off = { is_active: false } as const;
    expect((await admin.call(updateUser, { params: { id: kept.id }, body: { revocar_claves: true } })).status).toBe(422);
    await admin.call(updateUser, { params: { id: kept.id }, body: off });
    await admin.call(updateUser, { params: { id: ended.id }, body: { ...off, revocar_claves: true } });
    await admin.call(deleteUser, { params: { id: gone.id }, query: { revocar_claves: 'si' } });
    expect(await Promise.all([kept, ended, gone, ofAdmin].map(({ clave }) => opens(clave)))).toEqual([200, 401, 401, 200]);
    const [logged] = (await admin.call(listLogs, { query: { search: 'revocada' } })).body.data;
    expect(logged?.description).toMatch(/^Clave de API «ERP» .* revocada$/);
  });

  test('creating a key notifies the other superadmins', async () => {
    const eva = await world.as(await world.user({ role: 'superadmin' }));
    await make(['pedido:list'], { nombre: 'ERP' });
    const notices = async (person: Person) => (await person.call(listNotifications)).body.data.map(({ texto }) => texto);
    expect([await notices(eva), await notices(admin)]).toEqual([[`${admin.user.full_name} ha creado la clave de API «ERP»`], []]);
  });

  test('a key needs a name, known permissions and a superadmin who has proven the password', async () => {
    for (const body of [
      { nombre: ' ', acciones: ['pedido:list'] },
      { nombre: 'A', acciones: [] },
      { nombre: 'A', acciones: ['user:manage'] },
      { nombre: 'A', acciones: ['pedido:transition'] },
    ])
      expect((await admin.call(createApiKey, { body: body as never })).status).toBe(422);
    const unproven = await world.as(await world.user({ role: 'superadmin' }), { proven: false });
    const body = { nombre: 'A', acciones: ['pedido:list' as const] };
    expect((await unproven.call(createApiKey, { body })).body).toMatchObject({ code: 'step_up' });
    expect((await (await world.as('revendedor')).call(createApiKey, { body })).status).toBe(403);
  });

  test('an unknown or expired key is invalid', async () => {
    const { clave, id } = await make(['pedido:list'], { dias: 30 });
    expect((await holding(`${clave.slice(0, -1)}${clave.endsWith('A') ? 'B' : 'A'}`).call(pedidos.listPedidos)).status).toBe(401);
    expect((await holding('enr_').call(pedidos.listPedidos)).status).toBe(401);
    await make(['pedido:list'], { dias: 30 });
    await world.db.updateTable('api_keys').set({ caduca_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute();
    expect((await holding(clave).call(pedidos.listPedidos)).status).toBe(401);
  });

  test('a revoked key is invalid at once, and leaves the list a month later', async () => {
    const { id, clave } = await make(['pedido:list']);
    const program = holding(clave);
    expect((await program.call(pedidos.listPedidos)).status).toBe(200);
    expect((await admin.call(revokeApiKey, { params: { id } })).status).toBe(200);
    const reply = await program.call(pedidos.listPedidos);
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await admin.call(revokeApiKey, { params: { id } })).status).toBe(404);
    await cleanFeatures(world.db);
    expect((await admin.call(listApiKeys)).body.data).toHaveLength(1);
    await world.db.updateTable('api_keys').set({ revocada_at: '2026-01-01T00:00:00.000Z' }).execute();
    await cleanFeatures(world.db);
    expect((await admin.call(listApiKeys)).body.data).toEqual([]);
  });
});

test('wrong keys are limited per address, without refusing a key that has just worked there', async () => {
  const [known, late] = [await make(['pedido:list']), await make(['pedido:list'])];
  const send = (clave: string, remoteAddress: string) =>
    world.app.inject({ url: pedidos.listPedidos.path, remoteAddress, headers: { authorization: `Bearer ${clave}` } });
  expect((await send(known.clave, '198.51.100.7')).statusCode).toBe(200);
  for (let n = 0; n < KEY_REFUSALS; n += 1) expect((await send(`enr_${n}`, '198.51.100.7')).statusCode).toBe(401);
  const refused = await send('enr_otra', '198.51.100.7');
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await send(late.clave, '198.51.100.7')).statusCode).toBe(429);
  expect((await send(known.clave, '198.51.100.7')).statusCode).toBe(200);
  expect((await send('enr_otra', '198.51.100.8')).statusCode).toBe(401);
});

describe('a program', () => {
  test('log and history name a program by the name of its key', async () => {
    const pedido = await world.pedido({ estado: 'pendiente' });
    const program = holding((await make(['pedido:transition', 'pedido:read'], { nombre: 'ERP' })).clave);
    const reply = await program.call(pedidos.setEstado, {
      params: { id: pedido.id },
      body: { estado: 'cancelado', motivo: 'Sin existencias' },
    });
    expect(reply.status, reply.text).toBe(200);
    const [logged] = (await admin.call(listLogs)).body.data;
    expect(logged).toMatchObject({ actor_nombre: 'Clave «ERP»', actor_role: 'programa', entity_id: pedido.id });
    const { data } = (await admin.call(pedidos.getHistorial, { params: { id: pedido.id } })).body;
    expect(data.some(({ actor_nombre }) => actor_nombre === 'Clave «ERP»')).toBe(true);
  });

  test('a program reads no prices without «Ver importes», and no telephone without «Ver teléfono»', async () => {
    await world.pedido({ precio_unitario_cents: 739_146, precio_total_cents: 739_146, cantidad: 1, cliente_telefono: '600111222' });
    const read = async (...more: 'pedido:prices'[] | 'pedido:contact'[]) =>
      (await holding((await make(['pedido:list', ...more])).clave).call(pedidos.listPedidos)).text;
    expect(await read('pedido:prices')).toMatch(/7391\.46.*/);
    const bare = await read();
    expect(bare).not.toContain('7391');
    expect(bare).not.toContain('600111222');
    expect(await read('pedido:contact')).toContain('600111222');
    const sorted = await holding((await make(['pedido:list'])).clave).call(pedidos.listPedidos, { query: { sort: 'precio_total' } });
    expect(sorted.status).toBe(403);
  });

  test('a program without «Ver teléfono» can neither read nor search nor erase telephones', async () => {
    const pedido = await world.pedido({
      cliente_nombre: 'Ana',
      cliente_telefono: '600111222',
      revendedor_id: null,
      instrucciones: 'Llamar dos veces',
      precio_total_cents: 739_146,
    });
    const params = { id: pedido.id };
    const change = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_direccion2: 'Bajo rojo', instrucciones: 'Portal azul' };
    await world.pedido({ cliente_nombre: 'Berta', cliente_telefono: '600777888', revendedor_id: null });
    await admin.call(pedidos.updatePedido, { params, body: { ...change, cliente_telefono: '600333444' } });
    const blind = await world.program([
      'pedido:list',
      'pedido:read',
      'pedido:prices',
      'pedido:history',
      'pedido:edit',
      'pedido:create',
      'audit:read',
      'cliente:read',
    ]);
    const { data: clientes } = (await admin.call(listClientes)).body;
    const idOf = (nombre: string) => clientes.find(({ cliente_nombre }) => cliente_nombre === nombre)?.id ?? '';
    expect((await admin.call(unirCliente, { params: { id: idOf('Ana') }, body: { cliente_id: idOf('Berta') } })).status).toBe(200);
    const answers = [
      await blind.call(pedidos.listPedidos),
      await blind.call(pedidos.getPedido, { params }),
      await blind.call(pedidos.getHistorial, { params }),
      await blind.call(listLogs),
      await blind.call(listClientes),
      await blind.call(getCliente, { params: { id: idOf('Ana') } }),
      await blind.call(pedidos.updatePedido, {
        params,
        body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', instrucciones: null, cliente_ciudad: 'Soria' } as never,
      }),
    ];
    for (const { status, text } of answers) {
      expect(status, text).toBe(200);
      for (const secret of ['600111222', '600333444', '600777888', 'Llamar dos', 'Portal azul', 'Bajo rojo'])
        expect(text).not.toContain(secret);
    }
    expect((await admin.call(pedidos.getPedido, { params })).body.data).toMatchObject({
      cliente_telefono: '600333444',
      instrucciones: 'Portal azul',
      cliente_ciudad: 'Soria',
    });
    const totals = async (who: Client, search: string) => [
      (await who.call(pedidos.listPedidos, { query: { search } })).body.total,
      (await who.call(listClientes, { query: { search } })).body.total,
    ];
    expect([await totals(blind, '600333444'), await totals(blind, 'ana')]).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(await totals(admin, '600333444')).toEqual([1, 1]);
    const pack = await world.pack();
    const filas = [{ cliente_nombre: 'B', cliente_direccion: 'C', cliente_telefono: '600333444', pack_id: pack.id }];
    await admin.call(pedidos.createPedido, { body: { ...filas[0], cantidad: 1 } as never });
    const repeats = async (who: Client) => (await who.call(checkImport, { body: { filas } })).body.data.repetidas.length;
    expect([await repeats(blind), await repeats(admin)]).toEqual([0, 1]);
    const penniless = await world.program(['cliente:read', 'pedido:contact']);
    expect((await penniless.call(listClientes)).text).not.toMatch(/7391|"total":\d\d/);
    expect((await penniless.call(listClientes, { query: { sort: 'total' } })).status).toBe(403);
  });

  test('a program creates an order at the price of the pack, once per Idempotency-Key', async () => {
    const pack = await world.pack({ pack_price_cents: 1250 });
    const program = holding((await make(['pedido:create', 'pedido:prices', 'pedido:read'])).clave);
    const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id, cantidad: 2 };
    const headers = { 'idempotency-key': 'pedido-web-0001' };
    const [first, second] = [
      await program.call(pedidos.createPedido, { body, headers }),
      await program.call(pedidos.createPedido, { body, headers }),
    ];
    expect([first.status, second.status], first.text).toEqual([201, 201]);
    expect(first.body.data).toMatchObject({ precio_total: 25, estado: 'pendiente_pago', revendedor_id: null });
    expect(second.body.data.id).toBe(first.body.data.id);
  });

  test('a program beyond its limit of requests gets 429, while other keys and browsers continue', async () => {
    const [hasty, calm] = [holding((await make(['pedido:read'])).clave), holding((await make(['pedido:list'])).clave)];
    const missing = { params: { id: '00000000-0000-4000-8000-000000000000' } };
    let last = await hasty.call(pedidos.getPedido, missing);
    expect(last.status).toBe(404);
    for (let n = 1; n <= KEY_REQUESTS; n += 1) last = await hasty.call(pedidos.getPedido, missing);
    expect([last.status, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(last.body.message).toMatch(/espera un momento/);
    for (const other of [calm, admin]) expect((await other.call(pedidos.listPedidos)).status).toBe(200);
  }, 60_000);

  test('a program is limited by its key, however «Bearer» is spelled', async () => {
    const { clave } = await make(['pedido:read']);
    const spelled = ['Bearer', 'bearer', 'BEARER', 'bEARER'];
    const statuses = [];
    for (let n = 0; n <= KEY_REQUESTS; n += 1) {
      const authorization = `${spelled[n % spelled.length]} ${clave}`;
      statuses.push(
        (await world.app.inject({ url: '/api/pedidos/00000000-0000-4000-8000-000000000000', headers: { authorization } })).statusCode,
      );
    }
    expect([statuses.slice(0, -1).includes(429), statuses.at(-1)]).toEqual([false, 429]);
  }, 60_000);
});
