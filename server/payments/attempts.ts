import type { PagoPublico } from '../../contract/pagar.ts';
import { failedReason } from '../../contract/pedidos.attempts.ts';
import { EN_MANOS } from '../../contract/pedidos.estados.ts';
import { TRANSITIONS } from '../../contract/pedidos.flow.ts';
import type { Db } from '../db/open.ts';
import { readPromised } from '../pedidos/promised.ts';
import type { PedidoRow } from '../pedidos/row.ts';

type Attempts = Pick<PagoPublico, 'intentos' | 'proximo_intento'>;

/** Returns failed deliveries, oldest first, and the day of the next try. Leaves out those of deleted carriers. */
export async function readAttempts(db: Db, { id, estado, fecha_estimada }: PedidoRow): Promise<Attempts> {
  const rows = await db
    .selectFrom('pedidos_historial')
    .select(['created_at', 'nota'])
    .where('pedido_id', '=', id)
    .where('accion', '=', TRANSITIONS.fallar.label)
    .where('actor_user_id', 'is not', null)
    .orderBy('created_at')
    .execute();
  const intentos = rows.map(({ created_at, nota }) => ({ fecha: created_at, causa: failedReason(nota) }));
  const last = rows.at(-1);
  if (!last || !EN_MANOS.includes(estado)) return { intentos, proximo_intento: null };
  // A missed next try counts for today.
  const from = new Date(Math.max(Date.parse(last.created_at), Date.now() - DAY_MS)).toISOString();
  const next = await readPromised(db, from, 1);
  return { intentos, proximo_intento: fecha_estimada && fecha_estimada > next ? fecha_estimada : next };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Promised date if an order that waits for its payment is paid now; null for others. */
export const promisedIfPaid = async (db: Db, { estado, fecha_estimada }: PedidoRow): Promise<string | null> =>
  estado === 'pendiente_pago' ? (fecha_estimada ?? (await readPromised(db))) : null;
