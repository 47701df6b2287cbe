import { type SqlBool, sql } from 'kysely';
import type { Cliente, ClienteEntero, Ficha, listClientes as listEndpoint } from '../../contract/clientes/clientes.ts';
import { asCountedPage, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import type { Metadata } from '../../contract/kit/fields.ts';
import { sees, seesField } from '../../contract/pedidos/access.ts';
import { CLIENTE_FIELDS, FIELDS } from '../../contract/pedidos/fields.ts';
import { isSearch } from '../../contract/pedidos/search.ts';
import { type Actor, accessCondition, type ClienteAction, mayEver } from '../../contract/policy/policy.ts';
import { countRows, type Db, onPage, type Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { forbidden, notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { matchesWords } from '../pedidos/lectura/filter.ts';
import { conditionSql } from '../pedidos/lectura/scope.ts';

type Query = QueryOut<typeof listEndpoint>;

/** Query of the customers `c` on which `actor` may do `action`; joined records are separate rows. */
export const allowedClientes = (db: Db | Tx, actor: Actor, action: ClienteAction) =>
  db.selectFrom('clientes as c').where(conditionSql(accessCondition(actor, action), actor, 'c'));

export async function listClientes(db: Db, actor: Actor, query: Query): Promise<Paged<Cliente>> {
  // Sorting by the total would reveal who spends more.
  if (query.sort === 'total' && !sees(actor, 'prices')) throw forbidden('pedido:prices');
  const matching = customersFor(db, actor, query);
  const page = matching.select(['c.id', 'c.ultimo_pedido']).orderBy(orderOf(query)).$call(onPage(query));
  const [rows, n] = await Promise.all([
    selectClientes(db)
      // ARRAY is evaluated once, even without table statistics.
      .where((eb) => sql<SqlBool>`c.id = ANY (ARRAY(${eb.selectFrom(page.as('page')).select('page.id')}))`)
      .orderBy(orderOf(query))
      .execute(),
    countRows(db, matching.select('c.id'), query.contar),
  ]);
  return asCountedPage(
    rows.map((row) => toCliente(actor, row)),
    n,
    query,
  );
}

/** Returns the customers among `ids` that the actor may see; leaves out joined records. */
export async function clientesAmong(db: Db, actor: Actor, ids: string[]): Promise<Cliente[]> {
  const mine = allowedClientes(db, actor, 'cliente:read').select('c.id').where('c.unido_a', 'is', null).where('c.id', 'in', ids);
  return (await selectClientes(db).where('c.id', 'in', mine).execute()).map((row) => toCliente(actor, row));
}

const LETTER = /^[\p{L}\p{N}]$/u;

function customersFor(db: Db, actor: Actor, { ids, search, revendedor_id, ver }: Query) {
  let matching = allowedClientes(db, actor, 'cliente:read').where('c.unido_a', 'is', null);
  // Blocked customers are listed even when all their orders are deleted.
  if (ver === 'bloqueados') matching = matching.where(anyOf(sql<SqlBool>`g.bloqueado_motivo IS NOT NULL`));
  else matching = matching.where('c.ultimo_pedido', 'is not', null);
  if (ids) matching = matching.where('c.id', 'in', ids);
  // Joined only by a made-up telephone, as before migration 170.
  if (ver === 'separar')
    matching = matching.where(
      anyOf(sql<SqlBool>`g.unido_a IS NOT NULL AND length(telefono(g.telefono)) >= 9 AND es_inventado(telefono(g.telefono))`),
    );
  if (ver === 'avisar') matching = matching.where(anyOf(sql<SqlBool>`g.avisar_antes`));
  if (revendedor_id)
    matching = matching.where('c.revendedor_id', revendedor_id === 'sin' ? 'is' : '=', revendedor_id === 'sin' ? null : revendedor_id);
  if (search && (isSearch(search) || LETTER.test(search))) {
    matching = matching.where(anyOf(matchesWords(sql`g.busqueda`, search)));
    // `busqueda` contains the telephone: for actors who may not see telephones, the text without digits must match too.
    if (!sees(actor, 'contact')) matching = matching.where(anyOf(matchesWords(sql`regexp_replace(g.busqueda, '[0-9]', '', 'g')`, search)));
  }
  return matching;
}
const anyOf = (condition: ReturnType<typeof matchesWords>) => sql<SqlBool>`c.id IN (SELECT g.principal FROM clientes g WHERE ${condition})`;

function orderOf({ sort, dir }: Pick<Query, 'sort' | 'dir'>) {
  const column = {
    ultimo_pedido: sql`c.ultimo_pedido`,
    nombre: sql`c.nombre COLLATE nombres`,
    pedidos: sql`c.pedidos`,
    total: sql`c.total_cents`,
  };
  return sql`${column[sort]} ${sql.raw(dir)}, c.id ${sql.raw(dir)}`;
}

const selectClientes = (db: Db | Tx) =>
  db
    .selectFrom('clientes as c')
    .leftJoin('users as r', 'r.id', 'c.revendedor_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('clientes as g')
          .select(sql<string[]>`array_agg(g.id)`.as('ids'))
          .select(sql<string | null>`string_agg(g.nota, E'\n' ORDER BY g.unido_a IS NOT NULL, g.created_at, g.id)`.as('nota'))
          .select(sql<boolean>`bool_or(g.avisar_antes)`.as('avisar_antes'))
          .select(sql<string | null>`string_agg(DISTINCT g.bloqueado_motivo, ' · ')`.as('bloqueado_motivo'))
          .whereRef('g.principal', '=', 'c.id')
          .as('f'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('pedidos as p')
          .select(CLIENTE_FIELDS.map((name) => `p.${name}` as const))
          .where(sql<SqlBool>`p.cliente_id = ANY (f.ids)`)
          .where('p.deleted_at', 'is', null)
          .orderBy('p.fecha_pedido', 'desc')
          .orderBy('p.id', 'desc')
          .limit(1)
          .as('u'),
      (join) => join.onTrue(),
    )
    .select(CLIENTE_FIELDS.map((name) => `u.${name}` as const))
    .select(['c.id', 'c.nombre', 'c.telefono', 'c.ciudad', 'c.codigo_postal', 'c.revendedor_id', 'r.full_name as revendedor_nombre'])
    .select(['c.metadata', 'c.pedidos', 'c.total_cents', 'c.ultimo_pedido', 'f.nota', 'f.avisar_antes', 'f.bloqueado_motivo']);
type Row = Awaited<ReturnType<ReturnType<typeof selectClientes>['executeTakeFirstOrThrow']>>;

function toCliente(actor: Actor, read: Row): Cliente {
  const { nombre, telefono, ciudad, codigo_postal, total_cents, metadata, cliente_nombre, cliente_direccion, ...row } = read;
  const cliente = {
    ...row,
    // Fallback for a customer whose orders are all deleted.
    cliente_nombre: cliente_nombre ?? nombre,
    cliente_direccion: cliente_direccion ?? '',
    ...(cliente_nombre === null && { cliente_telefono: telefono, cliente_ciudad: ciudad, cliente_codigo_postal: codigo_postal }),
  };
  return { ...cliente, ...nullFor(actor, cliente), ...metadataFor(actor, metadata), ...totalFor(actor, total_cents) };
}

/** Overwrites the fields hidden from `actor` with null. */
const nullFor = (actor: Actor, values: object) =>
  Object.fromEntries(FIELDS.filter((name) => name in values && !seesField(actor, name)).map((name) => [name, null]));
const metadataFor = (actor: Actor, metadata: Metadata | null) => ({
  metadata: mayEver(actor, 'cliente:metadata') ? metadata : null,
});
const totalFor = (actor: Actor, cents: number) => (sees(actor, 'prices') ? { total: toEuros(cents) } : {});

/** Returns the customer that the record `id` belongs to. Throws 404 outside the actor's scope. */
export async function readCliente(db: Db | Tx, actor: Actor, id: string): Promise<ClienteEntero> {
  // Uses a single statement, because the customer could be joined to another customer between two statements.
  const own = allowedClientes(db, actor, 'cliente:read').select('c.principal').where('c.id', '=', id);
  const row = await selectClientes(db).where('c.id', '=', own).executeTakeFirst();
  if (!row) throw notFound();
  const fichas = await fichasOf(db, actor, row.id);
  const { nota, avisar_antes, bloqueado_motivo, version } = fichas.find((ficha) => ficha.id === row.id) ?? MISSING;
  return {
    ...toCliente(actor, row),
    propia: { nota, avisar_antes, bloqueado_motivo, version },
    direcciones: (await addressesOf(db, row.id)).map((address) => ({ ...address, ...nullFor(actor, address) })),
    unidos: fichas.filter((ficha) => ficha.id !== row.id),
  };
}
// equivalent 2: the main record is always there
const MISSING = { nota: null, avisar_antes: false, bloqueado_motivo: null, version: 1 };

async function fichasOf(db: Db | Tx, actor: Actor, principal: string): Promise<Ficha[]> {
  const rows = await db
    .selectFrom('clientes')
    .select(['id', 'nombre', 'telefono', 'ciudad', 'pedidos', 'total_cents', 'ultimo_pedido'])
    .select(['nota', 'avisar_antes', 'bloqueado_motivo', 'metadata', 'version'])
    .where('principal', '=', principal)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ total_cents, telefono, metadata, ...row }) => ({
    ...row,
    ...metadataFor(actor, metadata),
    telefono: seesField(actor, 'cliente_telefono') ? telefono : null,
    ...totalFor(actor, total_cents),
  }));
}

const SHOWN = 50;

/** Latest 50 delivery addresses of a customer, newest first; case and accents make no difference. */
async function addressesOf(db: Db | Tx, principal: string): Promise<ClienteEntero['direcciones']> {
  const place = sql`normaliza(cliente_direccion), normaliza(coalesce(cliente_direccion2, '')), normaliza(coalesce(cliente_ciudad, '')), coalesce(cliente_codigo_postal, '')`;
  const { rows } = await sql<ClienteEntero['direcciones'][number]>`
    SELECT * FROM (
      SELECT DISTINCT ON (${place}) cliente_direccion, cliente_direccion2, cliente_ciudad, cliente_provincia, cliente_codigo_postal, cliente_pais,
        count(*) OVER (PARTITION BY ${place}) AS pedidos, fecha_pedido AS ultimo_pedido
      FROM pedidos WHERE cliente_id IN (SELECT id FROM clientes WHERE principal = ${principal}) AND deleted_at IS NULL
      ORDER BY ${place}, fecha_pedido DESC) d
    ORDER BY ultimo_pedido DESC LIMIT ${SHOWN}`.execute(db);
  return rows;
}

/** Creates customers for orders loaded without triggers. */
export async function rebuildClientes(tx: Tx): Promise<void> {
  await withoutTimeout(tx, () => sql`SELECT rehacer_clientes()`.execute(tx));
}
