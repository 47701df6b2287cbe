import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { KEY_ACTION_NAMES } from '../contract/api-keys/fields.ts';
import { listLogs } from '../contract/audit/audit.ts';
import { CREATED_FIELDS, EDITABLE_FIELDS, FIELDS, type PedidoFieldName, pedidoField } from '../contract/pedidos/fields.ts';
import { importPedidos } from '../contract/pedidos/import.ts';
import * as api from '../contract/pedidos/pedidos.ts';
import { type Action, type Actor, SISTEMA } from '../contract/policy/policy.ts';
import { listDisponibles } from '../contract/transportista/transportista.ts';
import { readSource } from '../server/exports/read.ts';
import { encrypt } from '../server/kit/secrets.ts';
import { presentFull } from '../server/pedidos/lectura/present.ts';
import { fieldColumn, findPedido } from '../server/pedidos/lectura/row.ts';
import { sendWebhook } from '../server/webhooks/deliver.ts';
import type { PackRow, UserRow } from './builders.ts';
import type { Client } from './client.ts';
import { openReceiver } from './webhook-receiver.ts';
import { createWorld, type World } from './world.ts';

/*
 * Tries every operation on every field of an order as every actor. The observed permissions are compared with
 * fields.txt, which `npm run columns` writes, so that any change shows in the diff of that file.
 */

const LETTERS = {
  S: 'superadmin',
  R: 'its reseller',
  T: 'its carrier',
  L: 'its carrier, long after the delivery',
  O: 'a carrier, before taking it',
  K: 'a key with every permission',
  E: 'a key without «Elegir revendedor, precio y número al crear»',
  C: 'a key without «Ver teléfono, puerta e instrucciones»',
  P: 'a key without «Ver importes»',
  B: 'a key that only lists and reads orders',
} as const;
type Letter = keyof typeof LETTERS;
const WRITERS: readonly Letter[] = ['S', 'R', 'T', 'K', 'E', 'C', 'P', 'B'];
const READERS = Object.keys(LETTERS) as Letter[];

let world: World;
let people: Record<Letter, Client>;
let reseller: UserRow;
let other: UserRow;
let pack: PackRow;
/** `orderOf`: the order that a person is tested on. `open`: an order that is not paid yet. */
let orderOf: (letter: Letter) => string;
let open: string;

beforeAll(async () => {
  world = await createWorld();
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ cashOnDelivery: true }) as never })
    .execute();
  const without = (...names: string[]) => world.program(KEY_ACTION_NAMES.filter((name) => !names.includes(name)));
  const carrier = await world.as('transportista');
  const late = await world.as(await world.user({ role: 'transportista' }));
  const seller = await world.as('revendedor');
  reseller = seller.user;
  await world.db.updateTable('users').set({ contra_reembolso: true }).where('id', '=', reseller.id).execute();
  other = await world.user({ role: 'revendedor' });
  pack = await world.pack({ pack_price_cents: 1000 });
  people = {
    S: await world.as('superadmin'),
    R: seller,
    T: carrier,
    L: late,
    O: await world.as(await world.user({ role: 'transportista' })),
    K: await world.program(KEY_ACTION_NAMES),
    E: await without('pedido:create-free'),
    C: await without('pedido:contact'),
    P: await without('pedido:prices'),
    B: await world.program(['pedido:list', 'pedido:read']),
  };
  const held = await filled('a', { estado: 'completado', transportista_id: carrier.user.id });
  const old = await filled('b', { estado: 'completado', transportista_id: late.user.id, fecha_completado: '2026-01-05T10:00:00Z' });
  const offered = await filled('c', { estado: 'pendiente', transportista_id: null });
  orderOf = (letter) => ({ L: old, O: offered })[letter as 'L'] ?? held;
  open = await filled('d', { estado: 'pendiente_pago', transportista_id: null });
  return world.close;
});

const isText = (name: PedidoFieldName) => ['text', 'multiline', 'telephone', 'postcode', 'country'].includes(pedidoField(name).kind);
// Returns a word that no other field and no other order holds.
const wordOf = (order: string, name: PedidoFieldName) =>
  name === 'cliente_nif' ? nifOf(order) : `zz${order}${String(FIELDS.indexOf(name)).padStart(2, '0')}q`;
/** Returns a valid NIF that no other order has. */
function nifOf(order: string): string {
  const number = [...order].reduce((all, letter) => all * 256 + letter.charCodeAt(0), 70_000_000);
  const digits = String(number % 90_000_000).padStart(8, '0');
  return `${digits}${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23]}`;
}
const TEXTS = FIELDS.filter((name) => isText(name) && name !== 'empresa_transporte');

/** Creates an order of the reseller with a unique word in each text field. */
async function filled(letter: string, fields: Parameters<World['pedido']>[0]): Promise<string> {
  const { id } = await world.pedido({
    ...fields,
    pack,
    revendedor_id: reseller.id,
    precio_total_cents: 1222,
    fecha_estimada: '2026-06-01T10:00:00Z',
  });
  const none = fields?.transportista_id === null ? ['transportista_nombre', 'en_empresa'] : [];
  const words = Object.fromEntries(TEXTS.filter((name) => !none.includes(name)).map((name) => [name, wordOf(letter, name)]));
  await world.db
    .updateTable('pedidos')
    .set({
      ...words,
      en_empresa_at: words.en_empresa ? '2026-06-01T10:00:00Z' : null,
      metadata: { palabra: wordOf(letter, 'metadata') },
      envio_cents: 333,
      envio_fijado: true,
      descuento_cents: 111,
    })
    .where('id', '=', id)
    .execute();
  await world.db
    .updateTable('pedidos_lineas')
    .set({ producto: wordOf(letter, 'producto'), precio_total_cents: 1000 })
    .where('pedido_id', '=', id)
    .execute();
  return id;
}

type Seen = Map<PedidoFieldName, Set<string>>;
const observed = new Map<string, Seen>();
function note(what: string, name: PedidoFieldName, who: string) {
  const seen = observed.get(what) ?? new Map<PedidoFieldName, Set<string>>();
  observed.set(what, seen.set(name, (seen.get(name) ?? new Set()).add(who)));
}

const stored = async (id: string) =>
  (await world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()) as unknown as Record<string, unknown>;

/** Returns a sample value of a field, as sent and as stored. */
function sampleOf(name: PedidoFieldName, who: Letter, estado: string): [sent: unknown, stored: unknown] {
  if (name === 'estado') return [estado, estado];
  if (name === 'revendedor_id') return [other.id, other.id];
  if (name === 'pack_id') return [pack.id, pack.id];
  const { kind } = pedidoField(name);
  if (kind === 'instant') return ['2026-05-05T10:00:00.000Z', '2026-05-05T10:00:00.000Z'];
  if (kind === 'money') return [7, 700];
  if (kind === 'metadata') return [{ nueva: wordOf(`w${who}`, name) }, { nueva: wordOf(`w${who}`, name) }];
  if (kind === 'flag') return [true, true];
  return kind === 'integer' ? [3, 3] : [wordOf(`w${who}`, name), wordOf(`w${who}`, name)];
}
const same = (a: unknown, b: unknown): boolean => {
  if (typeof b === 'object' && b !== null)
    return Object.entries(b).every(([key, value]) => (a as typeof b | null)?.[key as never] === value);
  return /^\d{4}-/.test(String(b)) ? Date.parse(String(a)) === Date.parse(String(b)) : a === b;
};
const ADDRESS = { cliente_nombre: 'Base', cliente_direccion: 'Base' };
/** Returns a pack to order, or a line without pack for the fields that a pack would set (text, prices). */
const orderedWith = (name: PedidoFieldName) =>
  name === 'producto' || name === 'precio_unitario' || name === 'precio_total'
    ? { producto: 'Base', precio_total: name === 'precio_unitario' ? null : 7 }
    : { pack_id: pack.id };

it('each field of an order is tried on creation, import and edit', async () => {
  for (const who of WRITERS) {
    const person = people[who];
    const plain = await person.call(api.createPedido, { body: { ...ADDRESS, pack_id: pack.id } as never });
    const estado = plain.body?.data?.estado === 'pendiente' ? 'pendiente_pago' : 'pendiente';
    for (const name of FIELDS) {
      const [sent, expected] = sampleOf(name, who, estado);
      const made = await person.call(api.createPedido, { body: { ...ADDRESS, ...orderedWith(name), [name]: sent } as never });
      if (made.status === 201 && same((await stored(made.body.data.id))[fieldColumn(name)], expected)) note('create', name, who);

      const filas = [{ ...ADDRESS, pack_id: pack.id, [name]: sent }];
      if ((await person.call(importPedidos, { body: { filas } as never })).status === 201) {
        const last = await world.db.selectFrom('pedidos').select('id').orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow();
        if (same((await stored(last.id))[fieldColumn(name)], expected)) note('import', name, who);
      }

      const { version, ...row } = await stored(open);
      // Omits hidden fields, because a key that sends them back is refused.
      const shown = EDITABLE_FIELDS.filter((each) => who !== 'C' || pedidoField(each).seen !== 'contact');
      const body = { ...Object.fromEntries(shown.map((each) => [each, row[each]])), version, [name]: sent };
      const edited = await person.call(api.updatePedido, { params: { id: open }, body: body as never });
      if (edited.status === 200 && same((await stored(open))[fieldColumn(name)], expected) && !same(row[fieldColumn(name)], expected)) {
        note('edit', name, who);
        const [entry] = (await people.S.call(api.getHistorial, { params: { id: open } })).body.data;
        if (entry && name in entry.cambios) note('kept', name, '+');
        await world.db
          .updateTable('pedidos')
          .set({ [fieldColumn(name)]: row[fieldColumn(name)] })
          .where('id', '=', open)
          .execute();
      }
    }
  }
  expect(observed.get('create')?.size).toBe(CREATED_FIELDS.length);
  for (const name of CREATED_FIELDS)
    expect([...(observed.get('create')?.get(name) ?? [])], name).toEqual(expect.arrayContaining(['S', 'K']));
  for (const name of EDITABLE_FIELDS)
    expect([...(observed.get('edit')?.get(name) ?? [])], name).toEqual(expect.arrayContaining(['S', 'K']));
});

it('each field of an order is tried in reads, searches, history and log', async () => {
  const named = Object.fromEntries(FIELDS.map((name) => [name, ['zz', 'yy']]));
  for (const pedido_id of new Set(READERS.map(orderOf)))
    await world.db
      .insertInto('pedidos_historial')
      .values({ pedido_id, actor_role: 'sistema', actor_nombre: 'Sistema', accion: 'Prueba', cambios: JSON.stringify(named) })
      .execute();
  const logged = {
    type: 'pedido',
    action: 'update',
    entity_type: 'pedido',
    actor_role: 'sistema',
    actor_nombre: 'Sistema',
    description: 'Prueba',
  };
  await world.db
    .insertInto('audit_logs')
    .values({ ...logged, despues: JSON.stringify(named) } as never)
    .execute();
  for (const who of READERS) {
    const [person, id] = [people[who], orderOf(who)];
    const params = { id };
    const row = await stored(id);
    const [listed] = (
      who === 'O'
        ? await person.call(listDisponibles, { query: { per_page: 100 } })
        : await person.call(api.listPedidos, { query: { ids: id } })
    ).body.data.filter((each) => each.id === id);
    const shown = [(await person.call(api.getPedido, { params })).body.data, listed] as Record<string, unknown>[];
    const entry = (await person.call(api.getHistorial, { params })).body?.data?.find(({ accion }) => accion === 'Prueba');
    const log = (await person.call(listLogs, { query: { search: 'Prueba' } })).body?.data?.[0];
    for (const name of FIELDS) {
      // An empty field counts as shown if its name is present.
      const isShown = (answer: Record<string, unknown>) => name in answer && (answer[name] !== null || row[fieldColumn(name)] === null);
      expect(isShown(shown[0] ?? {}), `${name} in a list and alone, to ${LETTERS[who]}`).toBe(isShown(shown[1] ?? {}));
      if (isShown(shown[0] ?? {})) note('read', name, who);
      if (entry && name in entry.cambios) note('history', name, who);
      if (log?.despues && name in log.despues) note('log', name, who);
      if (!TEXTS.includes(name) || row[name] === null) continue;
      const search = String(row[name]);
      const found =
        who === 'O' ? await person.call(listDisponibles, { query: { search } }) : await person.call(api.listPedidos, { query: { search } });
      if (found.body.data.some((each) => each.id === id)) note('search', name, who);
    }
  }
  for (const name of FIELDS)
    expect([...(observed.get('read')?.get(name) ?? [])], name).toEqual(
      expect.arrayContaining(pedidoField(name).seen === 'programs' ? ['S', 'K'] : ['S', 'R', 'K']),
    );
});

it('each field of an order is tried in copies, exports and events', async () => {
  const id = orderOf('S');
  const [from, copy] = [await stored(id), await stored((await people.S.call(api.duplicatePedido, { params: { id } })).body.data.id)];
  for (const name of CREATED_FIELDS)
    if (from[fieldColumn(name)] !== null && same(copy[fieldColumn(name)], from[fieldColumn(name)])) note('copied', name, '+');

  // Only superadmins export; the keys check that an export omits the fields hidden from its actor.
  const key = (missing: Action): Actor => ({
    id: 'x',
    role: 'programa',
    full_name: '',
    scopes: KEY_ACTION_NAMES.filter((name) => name !== missing),
  });
  const exporters: [Letter, Actor][] = [
    ['S', SISTEMA],
    ['C', key('pedido:contact')],
    ['P', key('pedido:prices')],
  ];
  for (const [who, actor] of exporters) {
    const { header } = readSource(world.db, 'pedidos', {} as never, false, actor).sheet;
    for (const name of FIELDS) {
      const { exported, label } = pedidoField(name);
      if (exported && header.includes(exported.heading ?? label)) note('export', name, who);
    }
  }

  const receiver = await openReceiver();
  const payload = {
    tipo: 'pedido.creado',
    timestamp: new Date().toISOString(),
    data: { pedido: presentFull(SISTEMA, await findPedido(world.db, SISTEMA, id), '', []) },
  };
  for (const [con_precios, who] of [
    [true, 'W'],
    [false, 'w'],
  ] as const) {
    const secreto = encrypt(world.config.secretKey, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    await sendWebhook({ owner: SISTEMA, url: receiver.url, secreto, con_precios }, { id: 'm', payload } as never, {
      ...world.config,
      webhooksPrivate: true,
    });
    const { pedido = {} } = receiver.received.at(-1)?.body.data ?? {};
    for (const name of FIELDS) if (name in pedido) note('webhook', name, who);
  }
  await receiver.close();
  expect(observed.get('webhook')?.size).toBe(FIELDS.length);
});

const COLUMNS = ['create', 'edit', 'import', 'copied', 'read', 'search', 'kept', 'history', 'log', 'export', 'webhook'];

it('each field of an order is open to exactly the actors that fields.txt names', async () => {
  const cell = (what: string, name: PedidoFieldName) => [...(observed.get(what)?.get(name) ?? '-')].join('');
  const rows = [['', ...COLUMNS], ...FIELDS.map((name) => [name, ...COLUMNS.map((what) => cell(what, name))])];
  const widths = ['', ...COLUMNS].map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const legend = Object.entries({ ...LETTERS, W: 'a webhook', w: 'a webhook without prices' }).map(([letter, who]) => `${letter}  ${who}`);
  const head = 'Who does what with each field of an order, as test/fields.test.ts saw it; written by `npm run columns`.';
  await expect(`${[head, '', ...legend, '', ...lines].join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'fields.txt'));
});
