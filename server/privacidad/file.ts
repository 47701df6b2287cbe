import { sql } from 'kysely';
import { EDITABLE_FIELDS, FIELDS, pedidoField, pedidoLabel } from '../../contract/pedidos/fields.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict } from '../kit/errors.ts';
import { columnOf } from '../pedidos/lectura/row.ts';
import { readSettings } from '../settings/settings.ts';
import { type Held, heldAboutOrders, heldById } from '../tienda/personal.ts';
import { PLACES, type Place } from './inventory.ts';
import { type Chosen, chosenOrders } from './persona.ts';

/* Everything held about a person, as a Spanish file (RGPD art. 15 and 20); without blocked or anonymised data. */

type Values = Record<string, unknown>;
const NAMED_NUMBERS = 20;

/** Returns name and text of the file. Throws 404 or 409 like `chosenOrders`, and 409 if nothing is held. */
export async function personFile(
  db: Db,
  actor: Actor,
  chosen: Chosen,
  { secretKey }: { secretKey: string },
): Promise<{ name: string; content: string }> {
  const waiting = chosen.persona && (await heldById(db, secretKey, chosen.persona));
  if (waiting) return fileOf(db, actor, [], [waiting]);
  const ids = await chosenOrders(db, chosen);
  if (ids.length === 0) throw conflict('No hay nada de esa persona');
  const orders = await db
    .selectFrom('pedidos')
    .select(['id', ...FIELDS.filter((name) => name !== 'id').map(columnOf)])
    .where('id', 'in', ids)
    .orderBy('fecha_pedido', 'desc')
    .execute();
  const held = new Map<string, Map<string, Values[]>>();
  for (const place of PLACES.slice(1).filter(hasLabels)) held.set(place.label, await heldIn(db, place, ids));
  const web = await heldAboutOrders(db, secretKey, orders as { id: string; cliente_telefono: string | null }[]);
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
    const value = order[columnOf(name)];
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
    Object.entries(value).map(([name, one]) => [
      (EDITABLE_FIELDS as readonly string[]).includes(name) ? pedidoLabel(name) : name,
      typeof one === 'object' && one !== null ? withLabels(one) : one,
    ]),
  );
}
