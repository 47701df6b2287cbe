import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { readPostcode } from '../../contract/text/country.ts';
import { countryCode, countryNames } from '../../contract/text/country-code.ts';
import { foldText, normalizeText } from '../../contract/text/normalize.ts';
import { isMadeUp, PREFIXES, telephoneDigits } from '../../contract/text/telephone.ts';
import { CLIENTES_THAT_DIFFER, PEDIDOS_OF_ANOTHER_CLIENTE } from '../../test/clientes.ts';
import { createWorld, type World } from '../../test/world.ts';
import { migrations } from './migrations.ts';

/* The database reads text, telephones and postcodes as contract/text does. */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

const SIGNS = [
  ...[
    '0',
    '1',
    '3',
    '4',
    '6',
    '9',
    '34',
    '28',
    '013',
    '600',
    '112233',
    ' ',
    ' ',
    '-',
    '.',
    ',',
    '/',
    '(',
    ')',
    '(0)',
    '+',
    '00',
    '+34',
    'ES',
    'a',
  ],
  ...[
    'Ñ',
    'é',
    'e\u0301',
    'ł',
    'Ø',
    'ß',
    'Æ',
    'ﬁ',
    'ș',
    'ı',
    'İ',
    '’',
    '´',
    '“',
    '–',
    '\u2011',
    '\u00a0',
    '\u202f',
    '\u200b',
    '\u202a',
    '\ufeff',
    '\u00ad',
    '６',
  ],
];
/** Two telephones of a field. */
const TWO = [
  ...['+49 30 1234567 / 911 234 567', '030 1234567 / 911 234 567', '030 1234567 / 030 7654321', '+49 30/1234567 / 911 234 567'],
  ...['+49 30 1234567 - 911 234 567', '+351 912 345 678 911 234 567', '+49 30 1234567 / 23', '+49 30/1234567', '06/12/34/56/78'],
  ...['+49 301234567 / 0049 30 7654321', '600112233/911234567/655432198', '91/234 56 78 / 600112233'],
];
/** Pseudo-random texts, the same in every run. */
function* texts(n: number): Generator<string> {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let i = 0; i < n; i += 1) yield Array.from({ length: 1 + next(14) }, () => SIGNS[next(SIGNS.length)]).join('');
}

it('the database reads five thousand random texts as contract/text does', async () => {
  const all = [
    ...texts(5000),
    '600350001 / 611350002',
    ...TWO,
    '+34 (0) 600 35 00 08',
    '1001.0',
    'ES-28013',
    '8001',
    'Łukasz',
    'O’Brien',
    '',
  ];
  const { rows } = await sql<{ limpio: string; normal: string; tel: string; cp: string }>`
    SELECT limpia(t) AS limpio, normaliza(t) AS normal, telefono(t) AS tel, codigo_postal(t) AS cp
    FROM unnest(${all}::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n`.execute(world.db);
  const expected = all.map((text) => ({
    limpio: normalizeText(text),
    normal: foldText(text),
    tel: telephoneDigits(text),
    cp: readPostcode(text),
  }));
  const differ = rows.flatMap((row, i) => (JSON.stringify(row) === JSON.stringify(expected[i]) ? [] : [[all[i], row, expected[i]]]));
  expect(differ.slice(0, 5)).toEqual([]);
});

it('the database reads telephones with the country of their order, and knows made-up ones, as contract/text does', async () => {
  const countries = [
    'España',
    '',
    'Canarias',
    'Narnia',
    'Japón',
    ...Object.keys(PREFIXES).flatMap(countryNames),
    'PT',
    'PORTUGAL',
    'Países Bajos',
  ];
  const figures = [
    '912 345 678',
    '0612345678',
    '351912345678',
    '+34 600112233',
    '600000000',
    '123456789',
    '987654321',
    '+351 900000000',
    '+351 91234',
    '312345',
    ...TWO,
  ];
  const all = [...figures, ...texts(3000)].flatMap((text, i) =>
    [i % countries.length, (i * 7) % countries.length, 0].map((at) => ({ text, country: countries[at] ?? '' })),
  );
  const named = countries.map((country) => ({ text: '0712345678', country }));
  const pairs = [...all, ...named];
  const { rows } = await sql<{ tel: string; made: boolean }>`
    SELECT telefono(t, prefijo(p)) AS tel, es_inventado(telefono(t, prefijo(p))) AS made
    FROM unnest(${pairs.map(({ text }) => text)}::text[], ${pairs.map(({ country }) => country)}::text[]) WITH ORDINALITY AS x (t, p, n) ORDER BY n`.execute(
    world.db,
  );
  const differ = pairs.flatMap(({ text, country }, i) => {
    const tel = telephoneDigits(text, country);
    const ours = { tel, made: isMadeUp(tel) };
    return JSON.stringify(ours) === JSON.stringify(rows[i]) ? [] : [[text, country, rows[i], ours, countryCode(country)]];
  });
  expect(differ.slice(0, 5)).toEqual([]);
  expect(rows.filter(({ made }) => !made).length).toBeGreaterThan(400);
});

it('the database knows every invisible character and every space', async () => {
  const all = Array.from({ length: 0x110000 - 1 }, (_, code) => code + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => /[\p{Cf}\p{Zs}]/u.test(sign));
  const { rows } = await sql<{
    limpio: string;
  }>`SELECT limpia('a' || t) AS limpio FROM unnest(${all}::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n`.execute(world.db);
  expect(rows.map(({ limpio }) => limpio)).toEqual(all.map((sign) => normalizeText(`a${sign}`)));
});

it('migration 085 merges customers that differ only in spelling, and corrects the data of stored orders', async () => {
  const { db } = world;
  const revendedor_id = (await world.user({ role: 'revendedor' })).id;
  const first = await world.pedido({ revendedor_id, cliente_nombre: 'Una Sola', cliente_telefono: '600330001' });
  const second = await world.pedido({ revendedor_id, cliente_nombre: 'Una Sola', cliente_telefono: '600339999' });
  const other = await world.pedido({ revendedor_id, cliente_nombre: 'Otra', cliente_telefono: '600330002' });
  const run = (statement: string) => sql.raw(statement).execute(db);
  // Writes the values as earlier versions stored them.
  await run('ALTER TABLE pedidos DISABLE TRIGGER USER');
  await sql`UPDATE pedidos SET cliente_telefono = ${'\u202a+34 600 33 00 01\u202c / 611350002'}, cliente_codigo_postal = 'ES-28.013', cliente_pais = 'Spain'
    WHERE id = ${second.id}`.execute(db);
  await sql`UPDATE pedidos SET cliente_codigo_postal = '1000', cliente_pais = 'Bélgica' WHERE id = ${other.id}`.execute(db);
  await run('ALTER TABLE pedidos ENABLE TRIGGER USER');
  await sql`UPDATE clientes SET clave = 't:34600330001611350002' WHERE id = (SELECT cliente_id FROM pedidos WHERE id = ${second.id})`.execute(
    db,
  );
  await db.transaction().execute((tx) => migrations['085-one-reading-of-text']?.up(tx) ?? Promise.resolve());

  const { rows } = await sql<{ id: string; telefono: string; postal: string; pais: string; principal: string; pedidos: number }>`
    SELECT p.id, p.cliente_telefono AS telefono, p.cliente_codigo_postal AS postal, p.cliente_pais AS pais, c.principal,
      (SELECT pedidos FROM clientes m WHERE m.id = c.principal) AS pedidos
    FROM pedidos p JOIN clientes c ON c.id = p.cliente_id`.execute(db);
  const of = (id: string) => rows.find((row) => row.id === id);
  expect(of(second.id)).toMatchObject({ telefono: '+34 600 33 00 01 / 611350002', postal: '28013', pais: 'España' });
  expect(of(other.id)).toMatchObject({ postal: '1000', pais: 'Bélgica' });
  expect(of(second.id)?.principal).toBe(of(first.id)?.principal);
  expect(of(first.id)?.pedidos).toBe(2);
  expect(of(other.id)?.principal).not.toBe(of(first.id)?.principal);
  const { description } = await db
    .selectFrom('audit_logs')
    .select('description')
    .where('entity_type', '=', 'cliente')
    .executeTakeFirstOrThrow();
  expect(description).toMatch(/^1 cliente unido a otro al actualizar/);

  const third = await world.pedido({ revendedor_id, cliente_nombre: 'Una Sola', cliente_telefono: '600330001 (Ana)' });
  const { cliente_id } = await db.selectFrom('pedidos').select('cliente_id').where('id', '=', third.id).executeTakeFirstOrThrow();
  const { principal } = await db
    .selectFrom('clientes')
    .select('principal')
    .where('id', '=', cliente_id ?? '')
    .executeTakeFirstOrThrow();
  expect(principal).toBe(of(first.id)?.principal);
});

it('migration 170 gives strangers under a made-up telephone a record each, joined to the latest, and leaves others alone', async () => {
  const { db } = world;
  const revendedor_id = (await world.user({ role: 'revendedor' })).id;
  const phone = { revendedor_id, cliente_telefono: '600000000', cliente_codigo_postal: '28013' };
  const made = (cliente_nombre: string, fecha_pedido: string, more = {}) =>
    world.pedido({ ...phone, cliente_nombre, fecha_pedido, ...more });
  const adela = await made('Adela', '2026-11-01T10:00:00Z');
  const clara = await made('Clara', '2026-11-02T10:00:00Z');
  const again = await made('CLARA', '2026-11-03T10:00:00Z');
  const real = await made('Real', '2026-11-03T10:00:00Z', { cliente_telefono: '600330077' });
  const known = await made('Adela', '2026-10-01T10:00:00Z', { cliente_telefono: null, cliente_codigo_postal: '08001' });
  const late = await made('Adela', '2026-10-02T10:00:00Z', { cliente_codigo_postal: '08001' });
  // As earlier versions had joined them.
  await sql`ALTER TABLE pedidos DISABLE TRIGGER USER`.execute(db);
  const [one, ...rest] = [clara, adela, again, late].map(({ id }) => id);
  const { rows: old } = await sql<{ id: string }>`UPDATE clientes SET clave = 't:600000000', nota = 'Vecina' WHERE id = (
    SELECT cliente_id FROM pedidos WHERE id = ${one}) RETURNING id`.execute(db);
  await sql`UPDATE pedidos SET cliente_id = ${old[0]?.id}::uuid WHERE id = ANY (${rest}::uuid[])`.execute(db);
  await sql`ALTER TABLE pedidos ENABLE TRIGGER USER`.execute(db);
  await sql`DELETE FROM clientes c WHERE NOT EXISTS (SELECT FROM pedidos p WHERE p.cliente_id = c.id)`.execute(db);
  await db.transaction().execute((tx) => migrations['170-who-a-person-is']?.up(tx) ?? Promise.reject());

  const { rows } = await sql<{ id: string; cliente: string; principal: string; nota: string | null; pedidos: number }>`
    SELECT p.id, c.id AS cliente, c.principal, m.nota, m.pedidos FROM pedidos p JOIN clientes c ON c.id = p.cliente_id
    JOIN clientes m ON m.id = c.principal`.execute(db);
  const of = (order: { id: string }) => rows.find(({ id }) => id === order.id);
  expect(of(again)).toMatchObject({ cliente: old[0]?.id, nota: 'Vecina', pedidos: 3 });
  expect(of(clara)?.cliente).toBe(of(again)?.cliente);
  expect(of(adela)).toMatchObject({ principal: of(clara)?.cliente });
  expect(of(adela)?.cliente).not.toBe(of(clara)?.cliente);
  // A record of the same name and postcode is known already: nothing is asked.
  expect(of(late)).toMatchObject({ cliente: of(known)?.cliente, principal: of(known)?.cliente, pedidos: 2 });
  expect(of(real)?.pedidos).toBe(1);
  expect((await sql.raw(PEDIDOS_OF_ANOTHER_CLIENTE).execute(db)).rows).toEqual([]);
  expect((await sql.raw(CLIENTES_THAT_DIFFER).execute(db)).rows).toEqual([]);
  const { rows: logged } = await sql<{ d: string }>`SELECT description AS d FROM audit_logs WHERE description LIKE '%inventado%'`.execute(
    db,
  );
  expect(logged).toEqual([{ d: '1 cliente compartía ficha con otro por un teléfono inventado: en «Clientes» están «Por separar»' }]);
});

it('migration 272 gives an order whose two telephones were one the customer of the first', async () => {
  const { db } = world;
  const revendedor_id = (await world.user({ role: 'revendedor' })).id;
  const made = (cliente_telefono: string) => world.pedido({ revendedor_id, cliente_nombre: 'Uwe', cliente_telefono });
  const [known, joined] = [await made('+49 30 1234567'), await made('+49 30 7777777')];
  // As earlier versions had read the field.
  await sql`ALTER TABLE pedidos DISABLE TRIGGER USER`.execute(db);
  await sql`UPDATE pedidos SET cliente_telefono = '+49 30 1234567 / 911 234 567' WHERE id = ${joined.id}`.execute(db);
  await sql`ALTER TABLE pedidos ENABLE TRIGGER USER`.execute(db);
  await sql`UPDATE clientes SET clave = 't:49301234567911' WHERE clave = 't:49307777777'`.execute(db);
  await db.transaction().execute((tx) => migrations['272-two-telephones']?.up(tx) ?? Promise.reject());
  const { rows } = await sql<{ n: number }>`
    SELECT count(DISTINCT cliente_id)::int AS n FROM pedidos WHERE id IN (${known.id}, ${joined.id})`.execute(db);
  expect(rows).toEqual([{ n: 1 }]);
  expect((await sql.raw(PEDIDOS_OF_ANOTHER_CLIENTE).execute(db)).rows).toEqual([]);
});
