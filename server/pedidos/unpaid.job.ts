import { type SelectQueryBuilder, sql } from 'kysely';
import { SISTEMA } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { readSettings } from '../settings/settings.ts';
import { COLUMNS, type PedidoRow } from './row.ts';
import { applyTransition } from './transition.ts';

/**
 * Reminds resellers of unpaid orders and cancels those that stay unpaid, returning their units: after 24 and 72
 * hours unless the settings say otherwise (design, section 4.3); 0 disables either. Skips orders with a reported
 * transfer, which a superadmin must check. One paid in part, or whose payment at a bank is under way, is not cancelled:
 * the payment may end until its `vence_at`, or until the provider, if it is one of `asked`, says what came of it. Each order has its own transaction, so a killed run resumes where it
 * was and one failure does not hold up the rest; the failures are thrown together at the end.
 */
export async function tendUnpaid(db: Db, asked: readonly string[] = []): Promise<{ reminded: number; cancelled: number }> {
  const { unpaidReminderHours, unpaidExpiryHours } = await readSettings(db);
  const errors = new Map<string, unknown>();
  const cancelled = unpaidExpiryHours ? await each(db, unpaidExpiryHours, 'cancel', errors, asked) : 0;
  const reminded = unpaidReminderHours ? await each(db, unpaidReminderHours, 'remind', errors, asked) : 0;
  if (errors.size)
    throw new AggregateError([...errors.values()], `unpaid orders that could not be tended: ${[...errors.keys()].join(', ')}`);
  return { reminded, cancelled };
}

async function each(
  db: Db,
  hours: number,
  what: 'remind' | 'cancel',
  errors: Map<string, unknown>,
  asked: readonly string[],
): Promise<number> {
  for (let done = 0; ; ) {
    let id: string | undefined;
    try {
      const found = await transact(db, async (tx) => {
        const row = await tx
          .selectFrom('pedidos')
          .select(COLUMNS)
          .where('estado', '=', 'pendiente_pago')
          .where('deleted_at', 'is', null)
          .where('transferencia_avisada_at', 'is', null)
          .where('created_at', '<', sql<string>`now() - make_interval(hours => ${hours})`)
          .$if(what === 'remind', (query) => query.where('recordatorio_at', 'is', null))
          .$if(what === 'cancel', (query) =>
            query.where('pagado_cents', '=', 0).where(({ not, exists, selectFrom }) => not(exists(underWay(selectFrom('pagos'), asked)))),
          )
          .$if(errors.size > 0, (query) => query.where('id', 'not in', [...errors.keys()]))
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        id = row?.id;
        if (!row) return false;
        if (what === 'cancel') await applyTransition(tx, SISTEMA, row, { name: 'cancelar', motivo: `Sin pagar después de ${hours} horas` });
        else await remind(tx, row);
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
    users: [row.revendedor_id],
    pedido_id: row.id,
    enlace: `/mis-pedidos?estado=pendiente_pago&search=${encodeURIComponent(row.numero_orden)}`,
    mail: true,
  });
}

type Pagos = SelectQueryBuilder<Tables, 'pedidos' | 'pagos', object>;
/** The payments of `pedidos` that have begun and may still end. */
const underWay = (pagos: Pagos, asked: readonly string[]) =>
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
