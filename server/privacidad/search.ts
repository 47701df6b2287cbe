import { type SqlBool, sql } from 'kysely';
import { type Answer, asPage, type QueryOut } from '../../contract/kit/endpoint.ts';
import { EDITABLE_FIELDS, FIELDS, pedidoField, pedidoLabel } from '../../contract/pedidos/fields.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type { buscarPersonas as endpoint, PersonaEncontrada } from '../../contract/privacidad/privacidad.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict } from '../kit/errors.ts';
import { matchesWords } from '../pedidos/lectura/filter.ts';
import { fieldColumn } from '../pedidos/lectura/row.ts';
import { readSettings } from '../settings/settings.ts';
import { type Held, heldAboutOrders, heldById, searchHeldOrders } from '../tienda/office/personal.ts';
import { LOOSE, PLACES } from './inventory.ts';
import { type Chosen, CLAVE, chosenOrders, ENDED, PERSONA, UNBLOCKED } from './persona.ts';
import type { Place } from './rules.ts';

type Query = QueryOut<typeof endpoint>;

const USERS = 20;
const ORDER_LABEL = PLACES[0]?.label ?? '';

/** Finds customers, latest first, accounts, and matches outside any order, by name, telephone or e-mail. */
export async function searchPeople(db: Db, actor: Actor, { search, ...page }: Query): Promise<Answer<typeof endpoint>> {
  const people = await peopleOf(db, search, page);
  const waiting = await searchHeldOrders(db, search);
  const total = people.total + waiting.length;
  const data = [...(page.page === 1 ? waiting.map(asPerson) : []), ...people.data];
  const users = usersOf(db, search);
  const [usuarios, { n: usuarios_total }] = await Promise.all([
    users.select(['id', 'full_name', 'email', 'role', 'is_active as activo']).orderBy(sql`normaliza(full_name)`).limit(USERS).execute(),
    users.select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow(),
  ]);
  const sueltos = await looseOf(db, search);
  await transact(db, (tx) => auditSearch(tx, actor, total));
  const shown = usuarios.map((user) => ({ ...user, email: shownEmail(user.email) }));
  return { ...asPage(data, total, page), usuarios: shown, usuarios_total, sueltos };
}

/** A web order that waits is a person of its own, found by the order's id. */
const asPerson = ({ id, cliente, telefono, lugar, numero, recibido_at, ilegible }: Held): PersonaEncontrada => ({
  pedido_id: id,
  nombres: [cliente ?? 'Mensaje de la tienda que no se puede leer'],
  telefonos: telefono ? [telefono] : [],
  lugar,
  pedidos: 0,
  lista: [],
  abiertos: 0,
  primero: recibido_at,
  ultimo: recibido_at,
  coincide: ['Tienda en línea'],
  aparece: [{ lugar: ilegible ? 'Mensaje por leer de la tienda' : `Pedido ${numero} de la tienda, por revisar`, veces: 1 }],
});

const auditSearch = (tx: Tx, actor: Actor, n: number) =>
  audit(tx, actor, {
    action: 'export',
    entity_type: 'privacidad',
    description: `Datos personales buscados: ${plural(n, 'persona')}`,
  });

/** SQL text for `matchesWords`, with the joined digits of telephones if the search has five digits or more. Skips empty JSON, to save time. */
function textOf(name: string, search: string) {
  const text = sql`nullif(${sql.ref(name)}::text, '{}')`;
  const words = sql<string>`normaliza(' ' || ${text})`;
  return search.replace(/\D/g, '').length < 5 ? words : sql<string>`(${words} || ' ' || telefonos(${text}))`;
}

const searchedIn = ({ columns }: Pick<Place, 'columns'>) => Object.keys(columns).filter((name) => columns[name]?.searched);
const anyOf = (names: string[], search: string) =>
  sql.join(
    names.map((name) => matchesWords(textOf(name, search), search)),
    sql` OR `,
  );

function holding(search: string) {
  const own = sql`SELECT pedido_id, ${sql.lit(ORDER_LABEL)} AS lugar FROM pedidos_busqueda WHERE ${matchesWords(sql`texto`, search)}`;
  const others = PLACES.filter((place) => searchedIn(place).length > 0).map(
    (place) => sql`SELECT ${sql.raw(place.order.sql)}, ${sql.lit(place.label)} FROM ${sql.table(place.table)}
      WHERE ${sql.raw(place.where ?? 'true')} AND (${anyOf(searchedIn(place), search)})`,
  );
  return sql.join([own, ...others], sql` UNION ALL `);
}

/** CTEs of the people with matching orders. MATERIALIZED, so that slow conditions are evaluated once per row. */
const keysOf = (search: string) => sql`WITH RECURSIVE h AS MATERIALIZED (${holding(search)}), c AS MATERIALIZED (
  SELECT ${CLAVE} AS clave, array_agg(DISTINCT h.lugar) AS lugares
  FROM h JOIN pedidos ON pedidos.id = h.pedido_id WHERE ${UNBLOCKED} GROUP BY 1), ${PERSONA},
  p AS MATERIALIZED (SELECT persona.claves, array_agg(DISTINCT l.lugar ORDER BY l.lugar) AS coincide
    FROM persona JOIN c ON c.clave = persona.clave, unnest(c.lugares) AS l (lugar) GROUP BY 1)`;

async function countPeople(db: Db, search: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`${keysOf(search)} SELECT count(*) AS n FROM p`.execute(db);
  return rows[0]?.n ?? 0;
}

async function peopleOf(db: Db, search: string, { page, per_page }: Omit<Query, 'search'>) {
  const { rows } = await sql<Omit<PersonaEncontrada, 'aparece'> & { ids: string[]; total: number }>`${keysOf(search)}
    SELECT o.*, p.coincide, (SELECT count(*) FROM p) AS total FROM p, LATERAL (
      SELECT (array_agg(id ORDER BY fecha_pedido DESC, id))[1] AS pedido_id, array_agg(id::text) AS ids,
        array_agg(DISTINCT cliente_nombre) AS nombres,
        coalesce(array_agg(DISTINCT cliente_telefono) FILTER (WHERE cliente_telefono IS NOT NULL), '{}') AS telefonos,
        (array_agg(concat_ws(', ', cliente_ciudad, cliente_provincia) ORDER BY fecha_pedido DESC, id))[1] AS lugar,
        json_agg(json_build_object('id', id, 'numero_orden', numero_orden, 'cliente_nombre', cliente_nombre, 'fecha_pedido', fecha_pedido)
          ORDER BY fecha_pedido DESC, id) AS lista,
        count(*) AS pedidos, count(*) FILTER (WHERE NOT ${ENDED}) AS abiertos,
        min(fecha_pedido) AS primero, max(fecha_pedido) AS ultimo
      FROM pedidos WHERE ${CLAVE} = ANY (p.claves) AND ${UNBLOCKED}) o
    ORDER BY o.ultimo DESC, o.pedido_id LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`.execute(db);
  const counts = await heldAbout(
    db,
    rows.flatMap(({ ids }) => ids),
  );
  const data = rows.map(({ ids, total: _, ...person }): PersonaEncontrada => ({ ...person, aparece: countsOf(ids, counts) }));
  // A page beyond the last has no row with the total.
  return { data, total: rows[0]?.total ?? (page === 1 ? 0 : await countPeople(db, search)) };
}

async function heldAbout(db: Db, ids: string[]): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  if (ids.length === 0) return counts;
  for (const { label, table, where = 'true', order } of PLACES.slice(1)) {
    const expression = sql.raw(order.sql);
    const { rows } = await sql<{ pedido: string; n: number }>`
      SELECT (${expression})::text AS pedido, count(*) AS n FROM ${sql.table(table)}
      WHERE ${sql.raw(where)} AND ${expression} = ANY (${ids}::${sql.raw(order.type)}[]) GROUP BY 1`.execute(db);
    counts.set(label, new Map(rows.map(({ pedido, n }) => [pedido, n])));
  }
  return counts;
}

const countsOf = (ids: string[], counts: Map<string, Map<string, number>>) =>
  [...counts].flatMap(([lugar, by]) => {
    const n = ids.reduce((sum, id) => sum + (by.get(id) ?? 0), 0);
    return n ? [{ lugar, veces: n }] : [];
  });

const usersOf = (db: Db, search: string) =>
  db
    .selectFrom('users')
    .where(
      matchesWords(sql`normaliza(' ' || full_name || ' ' || email || ' ' || coalesce(username, ''))`, search) as ReturnType<
        typeof sql<SqlBool>
      >,
    );

async function looseOf(db: Db, search: string) {
  const counts = new Map<string, number>();
  for (const place of LOOSE) {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(place.table)}
      WHERE ${sql.raw(place.where ?? 'true')} AND (${anyOf(searchedIn(place), search)})`.execute(db);
    const n = rows[0]?.n ?? 0;
    if (n) counts.set(place.label, (counts.get(place.label) ?? 0) + n);
  }
  return [...counts].map(([lugar, veces]) => ({ lugar, veces }));
}

/* Everything held about a person, as a Spanish file (RGPD art. 15 and 20); without blocked or anonymised data. */

type Values = Record<string, unknown>;
const NAMED_NUMBERS = 20;

/** Returns name and text of the file. Throws 404 or 409 like `chosenOrders`, and 409 if nothing is held. */
export async function personFile(db: Db, actor: Actor, chosen: Chosen): Promise<{ name: string; content: string }> {
  const waiting = chosen.persona && (await heldById(db, chosen.persona));
  if (waiting) return fileOf(db, actor, [], [waiting]);
  const ids = await chosenOrders(db, chosen);
  if (ids.length === 0) throw conflict('No hay nada de esa persona');
  const orders = await db
    .selectFrom('pedidos')
    .select(['id', ...FIELDS.filter((name) => name !== 'id').map(fieldColumn)])
    .where('id', 'in', ids)
    .orderBy('fecha_pedido', 'desc')
    .execute();
  const held = new Map<string, Map<string, Values[]>>();
  for (const place of PLACES.slice(1).filter(hasLabels)) held.set(place.label, await heldIn(db, place, ids));
  const web = await heldAboutOrders(db, orders as { id: string; cliente_telefono: string | null }[]);
  const listed = orders.map((order) => ({
    numero: order.numero_orden,
    datos: {
      ...orderOf(order),
      ...Object.fromEntries([...held].flatMap(([label, by]) => (by.has(order.id) ? [[label, by.get(order.id)]] : []))),
    },
  }));
  return fileOf(db, actor, listed, web);
}

async function fileOf(db: Db, actor: Actor, orders: readonly { numero: string; datos: object }[], web: readonly Held[]) {
  const { companyName, companyEmail } = await readSettings(db);
  const content = {
    'Qué es': 'Datos personales de un cliente: todo lo que hay en Enruta de estos pedidos. Importes en euros, instantes en hora UTC.',
    Responsable: [companyName, shownEmail(companyEmail)].filter(Boolean).join(', '),
    Generado: new Date().toISOString(),
    'Por quién': actor.full_name,
    Pedidos: orders.map(({ datos }) => datos),
    ...(web.length > 0 && {
      'Pedidos de la tienda en línea por revisar': web.map(({ numero, recibido_at, datos }) => ({
        Número: numero,
        Recibido: recibido_at,
        ...datos,
      })),
    }),
  };
  const numbers = [...orders.map(({ numero }) => numero), ...web.map(({ numero }) => `${numero} de la tienda`)];
  await transact(db, (tx) => audit(tx, actor, entryOf(numbers)));
  const name = `datos-personales-${new Date().toISOString().slice(0, 10)}.json`;
  return { name, content: JSON.stringify(content, null, 2) };
}

const entryOf = (numbers: string[]) => {
  const more = numbers.length > NAMED_NUMBERS ? ` y ${numbers.length - NAMED_NUMBERS} más` : '';
  return {
    type: 'exportacion',
    action: 'export',
    entity_type: 'privacidad',
    description: `Datos personales exportados de ${numbers.slice(0, NAMED_NUMBERS).join(', ')}${more}`,
  } as const;
};

// Ids and internal counters mean nothing to a customer.
const LEFT_OUT: readonly string[] = ['id', 'revendedor_id', 'transportista_id', 'pack_id', 'version', 'unidades_retenidas', 'num_lineas'];

function orderOf(order: Values): Values {
  const shown = FIELDS.filter((name) => !LEFT_OUT.includes(name)).flatMap((name) => {
    const { label, kind, words = (value: unknown) => value } = pedidoField(name);
    const value = order[fieldColumn(name)];
    if (value === null || value === undefined) return [];
    return [[label, kind === 'money' ? Number(value) / 100 : words(value as never)]];
  });
  return Object.fromEntries(shown);
}

const hasLabels = ({ columns }: Place): boolean => Object.values(columns).some(({ label }) => label);

async function heldIn(db: Db, { table, where = 'true', order, columns, shown = {} }: Place, ids: string[]): Promise<Map<string, Values[]>> {
  const labels = [
    ...Object.entries(shown),
    ...Object.entries(columns).flatMap(([name, { label }]) => (label ? [[name, label] as const] : [])),
  ];
  const { rows } = await sql<Values & { pedido: string }>`
    SELECT (${sql.raw(order.sql)})::text AS pedido, ${sql.join(labels.map(([name]) => sql.ref(name)))} FROM ${sql.table(table)}
    WHERE ${sql.raw(where)} AND ${sql.raw(order.sql)} = ANY (${ids}::${sql.raw(order.type)}[])
    ORDER BY ${sql.ref(labels[0]?.[0] ?? '')}`.execute(db);
  const found = rows.map((row): [string, Values] => [
    row.pedido,
    Object.fromEntries(labels.flatMap(([name, label]) => (row[name] === null ? [] : [[label, shownAs(name, row[name])]]))),
  ]);
  return new Map([...Map.groupBy(found, ([pedido]) => pedido)].map(([pedido, some]) => [pedido, some.map(([, values]) => values)]));
}

function shownAs(name: string, value: unknown): unknown {
  if (name.endsWith('_cents')) return Number(value) / 100;
  return typeof value === 'object' && value !== null ? withLabels(value) : value;
}

function withLabels(value: object): unknown {
  if (Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      (EDITABLE_FIELDS as readonly string[]).includes(name) ? pedidoLabel(name) : name,
      typeof item === 'object' && item !== null ? withLabels(item) : item,
    ]),
  );
}
