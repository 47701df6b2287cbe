import { type SqlBool, sql } from 'kysely';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { readTermInForce } from '../settings/settings.ts';
import { anonymiseLocked } from './block.ts';
import { ENDED } from './persona.ts';

/** At 2:40 UTC, when few people work. */
export const CRON = '40 2 * * *';

export function nextRun(now: Date): Date {
  const next = new Date(now);
  next.setUTCHours(2, 40, 0, 0);
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1);
  return next;
}

const BATCH = 50;

// A cancelled order has its date of cancellation only in the history.
const END = sql<string>`(CASE WHEN fecha_completado IS NOT NULL THEN fecha_completado
  WHEN estado = 'cancelado' THEN coalesce((SELECT max(h.created_at) FROM pedidos_historial h
    WHERE h.pedido_id = pedidos.id AND h.estado_nuevo = 'cancelado'), updated_at)
  ELSE deleted_at END)`;
const isDue = (months: number) => {
  const since = sql`(now() - make_interval(months => ${months}::int))`;
  return sql<SqlBool>`(anonimizado_at IS NULL AND created_at < ${since} AND ${ENDED} AND ${END} < ${since})`;
};

/** Counts orders past the term that still have personal data. */
export async function countDue(db: Db, months: number): Promise<number> {
  const { n } = await db.selectFrom('pedidos').select(sql<number>`count(*)`.as('n')).where(isDue(months)).executeTakeFirstOrThrow();
  return n;
}

/** Anonymises orders past the term in batches; returns how many. The next run takes orders that a crash or a lock left. */
export async function anonymiseDue(db: Db): Promise<number> {
  const { value: months } = await readTermInForce(db, 'anonymizeMonths');
  if (months === 0) return 0;
  const motivo = `Han pasado ${months} meses desde que terminó`;
  let last = '00000000-0000-0000-0000-000000000000';
  for (let done = 0; ; ) {
    const orders = await transact(db, async (tx) => {
      const due = await tx
        .selectFrom('pedidos')
        .select(['id', 'numero_orden'])
        .where('id', '>', last)
        .where(isDue(months))
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      if (due.length) await anonymiseLocked(tx, SISTEMA, due, motivo);
      return due;
    });
    const [end] = orders.slice(-1);
    if (!end) return done;
    done += orders.length;
    last = end.id;
  }
}
