import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { rolesOf, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import type { Tables } from '../../db/schema.ts';
import { notify } from '../../notifications/notify.ts';
import { readSettings } from '../../settings/settings.ts';
import { COLUMNS, type PedidoRow } from '../lectura/row.ts';
import { applyTransition } from './transition.ts';

/**
 * Reminds resellers of unpaid orders and later cancels the orders (design, section 4.3). A reported transfer gets `transferExpiryDays`, and a
 * warning a day before. Orders paid in part, or with a payment under way at a provider, stay. One transaction per order; failures are
 * thrown together at the end.
 */
export async function tendUnpaid(db: Db, asked: readonly string[] = []): Promise<{ reminded: number; cancelled: number }> {
  const { unpaidReminderHours, unpaidExpiryHours, transferExpiryDays } = await readSettings(db);
  const run: Run = { db, asked, errors: new Map() };
  let [cancelled, reminded] = [0, 0];
  if (unpaidExpiryHours) cancelled += await each(run, expired(unpaidExpiryHours));
  if (transferExpiryDays) cancelled += await each(run, neverCame(transferExpiryDays));
  if (unpaidReminderHours) reminded += await each(run, due(unpaidReminderHours));
  if (transferExpiryDays) reminded += await each(run, nearlyLate(transferExpiryDays));
  const { errors } = run;
  if (errors.size)
    throw new AggregateError([...errors.values()], `unpaid orders that could not be tended: ${[...errors.keys()].join(', ')}`);
  return { reminded, cancelled };
}

type Run = { db: Db; asked: readonly string[]; errors: Map<string, unknown> };
/** `cancels` excludes orders with a payment made or under way. */
type Task = { which: Expression<SqlBool>; cancels?: true; work: (tx: Tx, row: PedidoRow) => Promise<unknown> };

const before = (column: string, age: string) => sql<SqlBool>`${sql.ref(column)} < now() - ${age}::interval`;
const isSaid = sql<SqlBool>`transferencia_avisada_at IS NOT NULL`;
const isNotSaid = sql<SqlBool>`transferencia_avisada_at IS NULL`;
const all = (...conditions: Expression<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
const cancel = (motivo: string) => (tx: Tx, row: PedidoRow) => applyTransition(tx, SISTEMA, row, { name: 'cancelar', motivo });

const expired = (hours: number): Task => ({
  which: all(isNotSaid, before('created_at', `${hours} hours`)),
  cancels: true,
  work: cancel(`No se ha pagado en ${hours} horas`),
});
const neverCame = (days: number): Task => ({
  which: all(isSaid, before('transferencia_avisada_at', `${days} days`), before('transferencia_recordada_at', '1 day')),
  cancels: true,
  work: cancel(days === 1 ? 'La transferencia avisada no ha llegado en un día' : `La transferencia avisada no ha llegado en ${days} días`),
});
const due = (hours: number): Task => ({
  which: all(isNotSaid, before('created_at', `${hours} hours`), sql<SqlBool>`recordatorio_at IS NULL`),
  work: remind,
});
const nearlyLate = (days: number): Task => ({
  which: all(isSaid, before('transferencia_avisada_at', `${days - 1} days`), sql<SqlBool>`transferencia_recordada_at IS NULL`),
  work: warn,
});

async function each({ db, asked, errors }: Run, { which, cancels, work }: Task): Promise<number> {
  for (let done = 0; ; ) {
    let id: string | undefined;
    try {
      const found = await transact(db, async (tx) => {
        const row = await tx
          .selectFrom('pedidos')
          .select(COLUMNS)
          .where('estado', '=', 'pendiente_pago')
          .where('deleted_at', 'is', null)
          // The web shop itself cancels its unpaid orders.
          .where(sql<SqlBool>`NOT EXISTS (SELECT FROM tienda_pedidos t WHERE t.pedido_id = pedidos.id)`)
          .where(which)
          .$if(cancels === true, (query) =>
            query.where('pagado_cents', '=', 0).where(({ not, exists, selectFrom }) => not(exists(underWay(selectFrom('pagos'), asked)))),
          )
          .$if(errors.size > 0, (query) => query.where('id', 'not in', [...errors.keys()]))
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        id = row?.id;
        if (!row) return false;
        await work(tx, row);
        return true;
      });
      if (!found) return done;
      done += 1;
    } catch (error) {
      if (!id) throw error;
      errors.set(id, error);
    }
  }
}

async function remind(tx: Tx, row: PedidoRow): Promise<void> {
  await tx.updateTable('pedidos').set({ recordatorio_at: sql`now()` }).where('id', '=', row.id).execute();
  await notify(tx, {
    tipo: 'pago_recordado',
    texto: `El pedido ${row.numero_orden} (${row.cliente_nombre}) sigue sin pagar`,
    ...toReseller(row),
  });
}

async function warn(tx: Tx, row: PedidoRow): Promise<void> {
  await tx.updateTable('pedidos').set({ transferencia_recordada_at: sql`now()` }).where('id', '=', row.id).execute();
  const texto = `La transferencia del pedido ${row.numero_orden} (${row.cliente_nombre}) no ha llegado${row.pagado_cents ? '' : ': mañana se cancelará'}`;
  await notify(
    tx,
    { tipo: 'transferencia_por_vencer', texto, ...toReseller(row) },
    {
      tipo: 'transferencia_por_vencer',
      texto,
      roles: [...rolesOf('pago:manage')],
      enlace: `/pedidos/${row.id}`,
      pedido_id: row.id,
      mail: true,
    },
  );
}

const toReseller = ({ id, numero_orden, revendedor_id }: PedidoRow) => ({
  users: [revendedor_id],
  pedido_id: id,
  enlace: `/mis-pedidos?estado=pendiente_pago&search=${encodeURIComponent(numero_orden)}`,
  mail: true,
});

const underWay = (pagos: SelectQueryBuilder<Tables, 'pedidos' | 'pagos', object>, asked: readonly string[]) =>
  pagos
    .select('pagos.id')
    .whereRef('pagos.pedido_id', '=', 'pedidos.id')
    .where('pagos.estado', '=', 'iniciado')
    .where(({ or, and, eb }) =>
      or([
        eb('pagos.vence_at', '>', sql<string>`now()`),
        ...(asked.length ? [and([eb('pagos.proveedor', 'in', asked), eb('pagos.externo_id', 'is not', null)])] : []),
      ]),
    );
