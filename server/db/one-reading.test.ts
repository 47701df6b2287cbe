import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { readPostcode } from '../../contract/text/country.ts';
import { fold, normalizeText } from '../../contract/text/normalize.ts';
import { telephoneDigits } from '../../contract/text/telephone.ts';
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
  const all = [...texts(5000), '600350001 / 611350002', '+34 (0) 600 35 00 08', '1001.0', 'ES-28013', '8001', 'Łukasz', 'O’Brien', ''];
  const { rows } = await sql<{ limpio: string; normal: string; tel: string; cp: string }>`
    SELECT limpia(t) AS limpio, normaliza(t) AS normal, telefono(t) AS tel, codigo_postal(t) AS cp
    FROM unnest(${all}::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n`.execute(world.db);
  const expected = all.map((text) => ({
    limpio: normalizeText(text),
    normal: fold(text),
    tel: telephoneDigits(text),
    cp: readPostcode(text),
  }));
  const differ = rows.flatMap((row, i) => (JSON.stringify(row) === JSON.stringify(expected[i]) ? [] : [[all[i], row, expected[i]]]));
  expect(differ.slice(0, 5)).toEqual([]);
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
