import { sql } from 'kysely';
import type { Answer, BodyOut } from '../../contract/kit/endpoint.ts';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import type {
  cerrarMes,
  crearAjuste,
  despagarLiquidacion,
  Ganancia,
  Liquidacion,
  PorCerrar,
  pagarLiquidacion,
  pagarLiquidaciones,
} from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, personIdOf, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, DomainError, invalid, notFound, refuseStale } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { isFuture } from '../settings/zone.ts';
import { findEarner, TODAY } from './rules.ts';

export const selectStatements = (db: Db | Tx) =>
  db
    .selectFrom('liquidaciones as l')
    .select(['l.id', 'l.numero', 'l.user_id', 'l.persona_nombre', 'l.role', 'l.total_cents', 'l.num_lineas', 'l.created_at'])
    .select(['l.cerrada_por_nombre as cerrada_por', 'l.pagada_el', 'l.pago_referencia', 'l.version'])
    .select(sql<string>`to_char(l.mes, 'YYYY-MM')`.as('mes'));
type Row = Awaited<ReturnType<ReturnType<typeof selectStatements>['executeTakeFirstOrThrow']>>;

export const toLiquidacion = ({ total_cents, ...row }: Row): Liquidacion => ({ ...row, total: toEuros(total_cents) });

type Statement = { id: string; numero: string; user_id: string; persona_nombre: string; total_cents: number; num_lineas: number };

/** Creates the missing statements of a month (yyyy-MM), and notifies their people. Idempotent. Throws 422 if the month has not ended. */
export const closeMonth = async (db: Db, actor: Actor, mes: string): Promise<Answer<typeof cerrarMes>['data']> =>
  transact(db, async (tx) => {
    const { rows } = await sql<{ ended: boolean }>`SELECT ${firstOf(mes)} + interval '1 month' <= ${TODAY} AS ended`.execute(tx);
    if (!rows[0]?.ended) throw invalid('mes', 'Solo se cierra un mes que ha terminado');
    const closed = await makeStatements(tx, mes, { id: personIdOf(actor), nombre: actor.full_name });
    for (const { id, numero, user_id } of closed) {
      const texto = `Ya está tu liquidación de ${mesEnPalabras(mes)}: ${numero}`;
      await notify(tx, { tipo: 'liquidacion_cerrada', texto, users: [user_id], enlace: `/liquidaciones/${id}`, mail: true });
    }
    const sum = (of: (statement: Statement) => number) => closed.reduce((all, statement) => all + of(statement), 0);
    const lineas = sum(({ num_lineas }) => num_lineas);
    if (closed.length) {
      await audit(tx, actor, {
        action: 'create',
        entity_type: 'liquidacion',
        description: `Liquidaciones de ${mesEnPalabras(mes)} cerradas: ${closed.map(({ numero }) => numero).join(', ')}`.slice(0, 500),
        despues: { liquidaciones: closed.length, lineas },
      });
      emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:read') });
    }
    return { liquidaciones: closed.length, lineas, total: toEuros(sum(({ total_cents }) => total_cents)) };
  });

/** Creates the missing statements of a month, numbered in the year of `at`, without notifying. */
export async function makeStatements(
  tx: Tx,
  mes: string,
  by: { id: string | null; nombre: string },
  at = sql<string>`now()`,
): Promise<Statement[]> {
  // Serialises concurrent closings; the second finds nothing to do.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('liquidaciones', 0))`.execute(tx);
  const anio = sql`extract(year FROM dia_negocio(${at}))::int`;
  await sql`INSERT INTO liquidaciones_numeros (anio, ultimo) VALUES (${anio}, 0) ON CONFLICT (anio) DO NOTHING`.execute(tx);
  // Uses a single SQL statement, so that the sum matches the lines despite concurrent earnings.
  const { rows } = await sql<Statement>`
    WITH abiertas AS (${openLines(mes)}),
    personas AS (
      SELECT a.user_id, u.full_name, u.role, sum(a.cents)::bigint AS total, count(*)::int AS lineas,
        row_number() OVER (ORDER BY normaliza(u.full_name), u.id) AS puesto
      FROM abiertas a JOIN users u ON u.id = a.user_id GROUP BY a.user_id, u.id),
    numeros AS (
      UPDATE liquidaciones_numeros SET ultimo = ultimo + (SELECT count(*) FROM personas)::int WHERE anio = ${anio}
      RETURNING anio, ultimo - (SELECT count(*) FROM personas)::int AS base),
    hechas AS (
      INSERT INTO liquidaciones (numero, user_id, persona_nombre, role, mes, total_cents, num_lineas, cerrada_por, cerrada_por_nombre, created_at)
      SELECT 'LIQ-' || n.anio || CASE WHEN n.base + p.puesto < 1000000 THEN lpad((n.base + p.puesto)::text, 6, '0') ELSE (n.base + p.puesto)::text END,
        p.user_id, p.full_name, p.role, ${firstOf(mes)}, p.total, p.lineas, ${by.id}::uuid, ${by.nombre}, ${at}
      FROM personas p, numeros n RETURNING *),
    puestas AS (
      UPDATE ganancias g SET liquidacion_id = h.id FROM hechas h WHERE h.user_id = g.user_id AND g.id IN (SELECT id FROM abiertas))
    SELECT id, numero, user_id, persona_nombre, total_cents, num_lineas FROM hechas ORDER BY numero`.execute(tx);
  return rows;
}

/** Returns the ended months with open lines, oldest first, with totals in euros and the repeated attempts to check before closing. */
export async function closablePeople(db: Db): Promise<PorCerrar[]> {
  const { rows } = await sql<Omit<PorCerrar, 'total' | 'repetidos'> & { cents: number; repetidos: Repeated[] }>`
    WITH meses AS (
      SELECT DISTINCT date_trunc('month', dia)::date AS mes FROM ganancias
      WHERE liquidacion_id IS NULL AND dia < date_trunc('month', ${TODAY})),
    abiertas AS (
      SELECT m.mes, g.* FROM meses m JOIN ganancias g ON g.liquidacion_id IS NULL AND g.dia < m.mes + interval '1 month'
      WHERE NOT EXISTS (SELECT FROM liquidaciones l WHERE l.user_id = g.user_id AND l.mes = m.mes)),
    repetidos AS (
      SELECT a.mes, a.pedido_id, max(a.numero_orden) AS numero_orden, max(u.full_name) AS persona_nombre, count(*) AS intentos, sum(a.cents)::bigint AS cents
      FROM abiertas a JOIN users u ON u.id = a.user_id WHERE a.concepto = 'intento' AND a.anula_id IS NULL
        AND NOT EXISTS (SELECT FROM ganancias x WHERE x.anula_id = a.id)
      GROUP BY a.mes, a.pedido_id, a.user_id HAVING count(*) > 1)
    SELECT to_char(mes, 'YYYY-MM') AS mes, count(DISTINCT user_id) AS personas, count(*) AS lineas, sum(cents)::bigint AS cents,
      (SELECT coalesce(json_agg(to_json(r) ORDER BY r.intentos DESC, r.numero_orden), '[]') FROM repetidos r WHERE r.mes = abiertas.mes) AS repetidos
    FROM abiertas GROUP BY mes ORDER BY mes`.execute(db);
  return rows.map(({ cents, repetidos, ...row }) => ({
    ...row,
    total: toEuros(cents),
    repetidos: repetidos.map(({ cents, ...repetido }) => ({ ...repetido, importe: toEuros(cents) })),
  }));
}
type Repeated = Omit<PorCerrar['repetidos'][number], 'importe'> & { cents: number };

const firstOf = (mes: string) => sql`${`${mes}-01`}::date`;

// Includes late lines of earlier months that are already closed.
const openLines = (mes: string) => sql`
  SELECT g.id, g.user_id, g.cents FROM ganancias g
  WHERE g.liquidacion_id IS NULL AND g.dia < ${firstOf(mes)} + interval '1 month'
    AND NOT EXISTS (SELECT FROM liquidaciones l WHERE l.user_id = g.user_id AND l.mes = ${firstOf(mes)})`;

type Pay = BodyOut<typeof pagarLiquidacion> & { id: string };
type Unpay = BodyOut<typeof despagarLiquidacion> & { id: string };

/** Marks a statement as paid and notifies its person. Throws 404; 409 if already paid or stale; 422 for a future day. */
export const markPaid = async (db: Db | Tx, actor: Actor, { id, referencia, fecha, version }: Pay): Promise<Liquidacion> =>
  transact(db, async (tx) => {
    const row = await lock(tx, id, version);
    if (row.pagada_el) throw conflict(`La liquidación ${row.numero} ya está pagada`, 'already_paid');
    if (await isFuture(tx, fecha)) throw invalid('fecha', 'El pago no puede ser de un día por venir');
    await write(tx, actor, row, { pagada_el: fecha, pago_referencia: referencia }, `Liquidación pagada: ${row.numero}`);
    const texto = `Tu liquidación ${row.numero}, de ${mesEnPalabras(row.mes)}, está pagada`;
    await notify(tx, { tipo: 'liquidacion_pagada', texto, users: [row.user_id], enlace: `/liquidaciones/${id}`, mail: true });
    return read(tx, id);
  });

/** Marks statements as paid with one reference, all or none. Throws like `markPaid`. */
export async function markAllPaid(db: Db, actor: Actor, { liquidaciones, referencia, fecha }: BodyOut<typeof pagarLiquidaciones>) {
  // Locks in the order of the ids, so that concurrent requests cannot deadlock.
  const inOrder = liquidaciones.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return transact(db, async (tx) => {
    let cents = 0;
    for (const statement of inOrder) cents += toCents((await markPaid(tx, actor, { ...statement, referencia, fecha })).total);
    return { liquidaciones: inOrder.length, total: toEuros(cents) };
  });
}

/** Marks a statement as unpaid and audits the reason. Throws 404; 409 if unpaid or stale. */
export const markUnpaid = async (db: Db, actor: Actor, { id, motivo, version }: Unpay): Promise<Liquidacion> =>
  transact(db, async (tx) => {
    const row = await lock(tx, id, version);
    if (!row.pagada_el) throw conflict('Esta liquidación no está pagada');
    const description = `Liquidación ${row.numero} vuelta a poner por pagar: ${motivo}`;
    await write(tx, actor, row, { pagada_el: null, pago_referencia: null }, description);
    return read(tx, id);
  });

const read = async (tx: Tx, id: string) => toLiquidacion(await selectStatements(tx).where('l.id', '=', id).executeTakeFirstOrThrow());

async function lock(tx: Tx, id: string, version: number | undefined) {
  const row = await selectStatements(tx).where('l.id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  refuseStale(row, version, 'esta liquidación');
  return row;
}

type LockedRow = Awaited<ReturnType<typeof lock>>;
type Payment = { pagada_el: string | null; pago_referencia: string | null };

async function write(tx: Tx, actor: Actor, row: LockedRow, despues: Payment, description: string): Promise<void> {
  await tx
    .updateTable('liquidaciones')
    .set({ ...despues, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  const { pagada_el, pago_referencia } = row;
  await audit(tx, actor, {
    type: row.role,
    action: 'update',
    entity_type: 'liquidacion',
    entity_id: row.id,
    description,
    antes: { pagada_el, pago_referencia },
    despues,
  });
  emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:manage'), users: [row.user_id] });
}

/** Adds a manual line (euros) to the person's next statement. Throws 422 unless the person is a reseller or a carrier. */
export const adjustEarnings = async (db: Db, actor: Actor, { user_id, importe, nota }: BodyOut<typeof crearAjuste>): Promise<Ganancia> =>
  transact(db, async (tx) => {
    const person = await findEarner(tx, user_id).catch((error: unknown) => {
      throw error instanceof DomainError ? invalid('user_id', 'Elige un revendedor o un transportista') : error;
    });
    const cents = toCents(importe);
    const { id, dia } = await tx
      .insertInto('ganancias')
      .values({ user_id, concepto: 'ajuste', cents, nota })
      .returning(['id', 'dia'])
      .executeTakeFirstOrThrow();
    await audit(tx, actor, {
      type: person.role,
      action: 'create',
      entity_type: 'liquidacion',
      description: `Ajuste de ${person.full_name}: ${nota}`,
      despues: { importe_cents: cents },
    });
    emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:manage'), users: [user_id] });
    const line = { numero_orden: null, pedido_id: null, ciudad: null, zona: null, detalle: null };
    return { id, dia, concepto: 'ajuste', ...line, nota, importe: toEuros(cents) };
  });
