import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { dropUnmatched } from '../envios/redact.ts';
import { lockClientesOf } from '../pedidos/lectura/cliente.ts';
import { LOOSE, maskElsewhereFrom, NAMED_IN, PLACES } from './inventory.ts';
import { CLAVE, UNBLOCKED } from './persona.ts';
import { ANONIMIZADO, BLOQUEADO, createRedactor, type Replacement, redactedMark, redactJson, redactTexts } from './redactor.ts';
import { type Hit, type Kept, readRows, writeRows } from './rewrite.ts';
import type { Rule } from './rules.ts';

type Order = { id: string; numero_orden: string };
/** Personal data of one order, to redact in generated texts, in typed texts about the order, and in rows without an order. */
type Known = { generated: Set<string>; named: Set<string>; loose: Set<string> };
type Redactors = { [K in keyof Known]: (text: string) => string };
type Columns = (typeof NAMED_IN)[number]['columns'];

/** Redacts these locked orders and all rows about them, with `replacement` as the name. Returns the original rows by order. */
export async function redactOrders(tx: Tx, orders: readonly Order[], replacement: Replacement): Promise<Map<string, Kept[]>> {
  const kept = new Map(orders.map(({ id }): [string, Kept[]] => [id, []]));
  const known = new Map(orders.map(({ id }): [string, Known] => [id, { generated: new Set(), named: new Set(), loose: new Set() }]));
  const ids = orders.map(({ id }) => id);
  await lockClientesOf(tx, ids);

  for (const { id, cliente_nombre } of await otherNames(tx, ids)) {
    for (const set of [known.get(id)?.generated, known.get(id)?.named])
      if (cliente_nombre.trim().length >= 3) set?.add(cliente_nombre.trim());
  }
  const found = new Map<(typeof PLACES)[number], Hit[]>();
  for (const place of PLACES) {
    const rows = await readRows(
      tx,
      place,
      sql`${sql.raw(place.order.sql)} = ANY (${ids}::${sql.raw(place.order.type)}[])`,
      place.order.sql,
    );
    found.set(place, rows);
    for (const row of rows) learn(known.get(row.order ?? ''), place.columns, row);
  }
  const redactors = new Map(
    [...known].map(([id, { generated, named, loose }]) => [id, redactorsOf({ generated, named, loose }, replacement)]),
  );
  const store = (id: string, table: string, row: Hit, after?: Hit['values']) =>
    kept.get(id)?.push({ table, key: row.key, before: row.values, ...(after && { after }) });

  for (const [{ table, columns }, rows] of found) {
    const changed = rows.flatMap((row) => {
      const redact = redactors.get(row.order ?? '');
      const values = redact && redactedByRule(columns, row, redact, replacement);
      if (!values || !row.order) return [];
      store(row.order, table, row);
      return [{ key: row.key, values }];
    });
    await writeRows(tx, table, changed);
  }
  for (const { order, envio, before, after } of await dropUnmatched(tx, orders, trackingNumbers(found)))
    store(order, 'envios', { order, key: { id: envio }, values: { sin_pareja: before } }, { sin_pareja: after });
  await redactNamed(tx, orders, { redactors, store });
  await redactLoose(tx, orders, { redactors, known, store });
  return kept;
}

function trackingNumbers(found: ReadonlyMap<unknown, readonly Hit[]>): Map<string, Set<string>> {
  const numbers = new Map<string, Set<string>>();
  for (const { order, values } of [...found.values()].flat()) {
    const number = values.numero_seguimiento ?? values.seguimiento;
    if (order && number) numbers.set(order, (numbers.get(order) ?? new Set()).add(number));
  }
  return numbers;
}

const NAMES = 50;

/** Returns names from other orders of the same person, because a payment reference can contain any of them. */
async function otherNames(tx: Tx, ids: string[]): Promise<{ id: string; cliente_nombre: string }[]> {
  const { rows } = await sql<{ id: string; cliente_nombre: string }>`
    WITH chosen AS (SELECT id, ${CLAVE} AS clave FROM pedidos WHERE id = ANY (${ids}::uuid[]) AND ${UNBLOCKED})
    SELECT chosen.id, other.cliente_nombre FROM chosen, LATERAL (
      SELECT DISTINCT cliente_nombre FROM pedidos WHERE ${CLAVE} = chosen.clave AND ${UNBLOCKED} LIMIT ${NAMES}) other`.execute(tx);
  return rows;
}

type Done = { redactors: Map<string, Redactors>; store: (id: string, table: string, row: Hit, after?: Hit['values']) => void };

// Redacts rows whose text names an order: «Pedido entregado: ORD-2026000123 (Ana Pérez)».
async function redactNamed(tx: Tx, orders: readonly Order[], { redactors, store }: Done) {
  const patterns = orders.map(({ numero_orden }) => like(`${numero_orden} (`));
  for (const place of NAMED_IN) {
    const [column = ''] = Object.keys(place.columns);
    const rows = await readRows(tx, place, sql`${sql.ref(column)}::text LIKE ANY (${patterns}::text[])`);
    const changed = rows.flatMap((row) => {
      const order = orders.find(({ numero_orden }) => isNamed(row.values[column] ?? '', numero_orden));
      const redact = order && redactors.get(order.id);
      const values = redact && redactedBy(place.columns, row, redact.generated);
      if (!values) return [];
      store(order.id, place.table, row);
      return [{ key: row.key, values }];
    });
    await writeRows(tx, place.table, changed);
  }
}

/** True if the text contains «numero (», unless `numero` is the end of a longer number. */
const isNamed = (text: string, numero: string): boolean =>
  text.split(`${numero} (`).some((before, i, parts) => i < parts.length - 1 && !/[\p{L}\p{N}-]$/u.test(before));

// Redacts rows without an order. Several orders can each rewrite the same row.
async function redactLoose(tx: Tx, orders: readonly Order[], { redactors, known, store }: Done & { known: Map<string, Known> }) {
  const values = [...new Set([...known.values()].flatMap(({ loose }) => [...loose]))];
  if (values.length === 0) return;
  const words = values.filter((value) => !isPhone(value)).map(like);
  const digits = values.filter(isPhone).map((value) => like(value.replace(/\D/g, '').slice(-9)));
  for (const place of LOOSE) {
    const any = Object.keys(place.columns).map(
      (name) => sql`normaliza(${sql.ref(name)}::text) LIKE ANY (SELECT normaliza(w) FROM unnest(${words}::text[]) AS w)
        OR regexp_replace(${sql.ref(name)}::text, '[^0-9]', '', 'g') LIKE ANY (${digits}::text[])`,
    );
    const changed = new Map<Hit, Hit['values']>();
    const rows = await readRows(tx, place, sql`(${sql.join(any, sql` OR `)})`);
    for (const { id } of orders) {
      const redact = redactors.get(id)?.loose;
      for (const row of rows) {
        const now = { ...row, values: changed.get(row) ?? row.values };
        const after = redact && redactedBy(place.columns, now, redact);
        if (!after) continue;
        store(id, place.table, now, after);
        changed.set(row, after);
      }
    }
    await writeRows(
      tx,
      place.table,
      [...changed].map(([{ key }, masked]) => ({ key, values: masked })),
    );
  }
}

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const isPhone = (value: string) => /^[+\d\s().-]+$/.test(value);

function learn(known: Known | undefined, columns: Columns, { values }: Hit): void {
  if (!known) return;
  for (const [name, { rule, maskElsewhere }] of Object.entries(columns)) {
    const value = values[name];
    if (!value) continue;
    if (rule === 'json') for (const [field, text] of stringsOf(JSON.parse(value))) remember(known, field, text, maskElsewhereFrom(field));
    else remember(known, name, value, maskElsewhere);
  }
}

function remember(known: Known, field: string, value: string, maskElsewhere: number | undefined): void {
  const text = value.trim();
  if (maskElsewhere === undefined || text.length < maskElsewhere) return;
  known.generated.add(text);
  if (field !== 'cliente_nombre' && field !== 'cliente_telefono') return;
  known.named.add(text);
  // Single names are too common to redact elsewhere; replacement words are not personal.
  const telling = isPhone(text) ? text.replace(/\D/g, '').length >= 9 : /\S\s+\S/.test(text) && text.length >= 7;
  if (telling && text !== ANONIMIZADO && text !== BLOQUEADO) known.loose.add(text);
}

function* stringsOf(value: unknown, field = ''): Generator<[field: string, text: string]> {
  if (typeof value === 'string') yield [field, value];
  else if (Array.isArray(value)) for (const item of value) yield* stringsOf(item, field);
  else if (typeof value === 'object' && value !== null) for (const [name, item] of Object.entries(value)) yield* stringsOf(item, name);
}

const redactorsOf = ({ generated, named, loose }: Known, replacement: Replacement): Redactors => ({
  generated: createRedactor([...generated], replacement),
  named: createRedactor([...named], replacement),
  loose: createRedactor([...loose], replacement),
});

function redactedByRule(columns: Columns, { values }: Hit, redact: Redactors, replacement: Replacement): Hit['values'] | undefined {
  const become = (rule: Rule, value: string): string | null => {
    if (rule === 'nombre') return replacement;
    if (rule === 'vacio') return '';
    if (rule === 'nulo') return null;
    if (rule === 'escrito') return redactedMark(replacement);
    if (rule === 'mascara') return redact.named(value);
    if (rule === 'aviso') return redact.generated(value);
    return rule === 'json' ? asJson(value, (json) => redactJson(json, redact.generated, replacement)) : value;
  };
  return differing(columns, values, become);
}

const redactedBy = (columns: Columns, { values }: Hit, redact: (text: string) => string): Hit['values'] | undefined =>
  differing(columns, values, (rule, value) => (rule === 'json' ? asJson(value, (json) => redactTexts(json, redact)) : redact(value)));

function differing(columns: Columns, values: Hit['values'], become: (rule: Rule, value: string) => string | null) {
  const after = Object.fromEntries(
    Object.entries(columns).map(([name, { rule }]) => {
      const value = values[name] ?? null;
      return [name, value === null ? null : become(rule, value)];
    }),
  );
  return Object.keys(columns).some((name) => after[name] !== values[name]) ? after : undefined;
}

// Unchanged JSON keeps PostgreSQL's formatting, so that the value compares equal.
function asJson(value: string, change: (json: unknown) => unknown): string {
  const before: unknown = JSON.parse(value);
  const after = JSON.stringify(change(before));
  return after === JSON.stringify(before) ? value : after;
}

/** Restores the rows that `redactOrders` redacted, except shared rows that have changed since. */
export async function restoreOrder(tx: Tx, kept: readonly Kept[]): Promise<void> {
  const rows = kept.map(({ table, key, before, after }) => ({ table, key, values: before, ...(after && { after }) }));
  // Restores shared rows in reverse order, one at a time, because a row can have been rewritten twice.
  for (const row of rows.filter(({ after }) => after).toReversed()) await writeRows(tx, row.table, [row]);
  for (const [table, some] of Map.groupBy(
    rows.filter(({ after }) => !after),
    (row) => row.table,
  ))
    await writeRows(tx, table, some);
}
