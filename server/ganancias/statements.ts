import { sql } from 'kysely';
import type { Liquidacion } from '../../contract/liquidaciones/liquidaciones.ts';
import type { Db, Tx } from '../db/open.ts';
import { toEuros } from '../kit/money.ts';

export const selectStatements = (db: Db | Tx) =>
  db
    .selectFrom('liquidaciones as l')
    .select(['l.id', 'l.numero', 'l.user_id', 'l.persona_nombre', 'l.role', 'l.total_cents', 'l.num_lineas', 'l.created_at'])
    .select(['l.cerrada_por_nombre as cerrada_por', 'l.pagada_el', 'l.pago_referencia', 'l.version'])
    .select(sql<string>`to_char(l.mes, 'YYYY-MM')`.as('mes'));
type Row = Awaited<ReturnType<ReturnType<typeof selectStatements>['executeTakeFirstOrThrow']>>;

export const toLiquidacion = ({ total_cents, ...row }: Row): Liquidacion => ({ ...row, total: toEuros(total_cents) });
