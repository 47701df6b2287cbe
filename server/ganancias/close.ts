import { sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import type { cerrarMes, PorCerrar } from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, personIdOf, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { TODAY } from './rules.ts';

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
    const sum = (of: (statement: Statement) => number) => closed.reduce((all, one) => all + of(one), 0);
    if (closed.length) {
      await audit(tx, actor, {
        type: 'configuracion',
        action: 'create',
        entity_type: 'liquidacion',
        description: `Liquidaciones de ${mesEnPalabras(mes)} cerradas: ${closed.map(({ numero }) => numero).join(', ')}`.slice(0, 500),
        despues: { liquidaciones: closed.length, lineas: sum((one) => one.num_lineas) },
      });
      emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:read') });
    }
    return { liquidaciones: closed.length, lineas: sum((one) => one.num_lineas), total: toEuros(sum((one) => one.total_cents)) };
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
export async function closable(db: Db): Promise<PorCerrar[]> {
  const { rows } = await sql<Omit<PorCerrar, 'total' | 'repetidos'> & { cents: number; repetidos: Repeated[] }>`
    WITH meses AS (
      SELECT DISTINCT date_trunc('month', dia)::date AS mes FROM ganancias
      WHERE liquidacion_id IS NULL AND dia < date_trunc('month', ${TODAY})),
    abiertas AS (
      SELECT m.mes, g.* FROM meses m JOIN ganancias g ON g.liquidacion_id IS NULL AND g.dia < m.mes + interval '1 month'
      WHERE NOT EXISTS (SELECT FROM liquidaciones l WHERE l.user_id = g.user_id AND l.mes = m.mes)),
    repetidos AS (
      SELECT a.mes, a.pedido_id, max(a.numero_orden) AS numero_orden, max(u.full_name) AS persona_nombre, count(*) AS intentos, sum(a.cents)::bigint AS cents
      FROM abiertas a JOIN users u ON u.id = a.user_id WHERE a.concepto = 'intento'
      GROUP BY a.mes, a.pedido_id, a.user_id HAVING count(*) > 1)
    SELECT to_char(mes, 'YYYY-MM') AS mes, count(DISTINCT user_id) AS personas, count(*) AS lineas, sum(cents)::bigint AS cents,
      (SELECT coalesce(json_agg(to_json(r) ORDER BY r.intentos DESC, r.numero_orden), '[]') FROM repetidos r WHERE r.mes = abiertas.mes) AS repetidos
    FROM abiertas GROUP BY mes ORDER BY mes`.execute(db);
  return rows.map(({ cents, repetidos, ...row }) => ({
    ...row,
    total: toEuros(cents),
    repetidos: repetidos.map(({ cents, ...one }) => ({ ...one, importe: toEuros(cents) })),
  }));
}
type Repeated = Omit<PorCerrar['repetidos'][number], 'importe'> & { cents: number };

const firstOf = (mes: string) => sql`${`${mes}-01`}::date`;

// Includes late lines of earlier months that are already closed.
const openLines = (mes: string) => sql`
  SELECT g.id, g.user_id, g.cents FROM ganancias g
  WHERE g.liquidacion_id IS NULL AND g.dia < ${firstOf(mes)} + interval '1 month'
    AND NOT EXISTS (SELECT FROM liquidaciones l WHERE l.user_id = g.user_id AND l.mes = ${firstOf(mes)})`;
