import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { notify } from '../notifications/notify.ts';
import { readSettings } from '../settings/settings.ts';
import { COLUMNS } from './row.ts';
import { applyTransition } from './transition.ts';

/**
 * Reminds resellers of unpaid orders and cancels those that stay unpaid, giving their units back: after 24
 * and 72 hours unless the settings say otherwise (design, section 4.3); 0 switches either off. An order whose
 * customer says that the transfer is made is neither: it waits for a superadmin to look at the account. Each order
 * is a transaction of its own, so a run killed in the middle goes on where it was.
 */
export async function tendUnpaid(db: Db): Promise<{ reminded: number; cancelled: number }> {
  const { unpaidReminderHours, unpaidExpiryHours } = await readSettings(db);
  const cancelled = unpaidExpiryHours ? await each(db, unpaidExpiryHours, false, 'cancel') : 0;
  const reminded = unpaidReminderHours ? await each(db, unpaidReminderHours, true, 'remind') : 0;
  return { reminded, cancelled };
}

async function each(db: Db, hours: number, onlyNew: boolean, what: 'remind' | 'cancel'): Promise<number> {
  for (let done = 0; ; done += 1) {
    const found = await transact(db, async (tx) => {
      const row = await tx
        .selectFrom('pedidos')
        .select(COLUMNS)
        .where('estado', '=', 'pendiente_pago')
        .where('deleted_at', 'is', null)
        .where('transferencia_avisada_at', 'is', null)
        .where('created_at', '<', sql<string>`now() - make_interval(hours => ${hours})`)
        .$if(onlyNew, (query) => query.where('recordatorio_at', 'is', null))
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!row) return false;
      if (what === 'cancel') {
        await applyTransition(tx, SISTEMA, row, 'cancelado', { motivo: `Sin pagar después de ${hours} horas` });
      } else {
        await tx.updateTable('pedidos').set({ recordatorio_at: sql`now()` }).where('id', '=', row.id).execute();
        await notify(tx, {
          tipo: 'pago_recordado',
          texto: `El pedido ${row.numero_orden} (${row.cliente_nombre}) sigue sin pagar`,
          users: [row.revendedor_id],
          enlace: `/mis-pedidos?estado=pendiente_pago&search=${encodeURIComponent(row.numero_orden)}`,
          mail: true,
        });
      }
      return true;
    });
    if (!found) return done;
  }
}
