import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { failedReason } from '../../contract/pedidos/attempts.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import type { Db } from '../db/open.ts';
import { attemptsOf } from '../pedidos/historia/attempts.ts';
import { readPromised } from '../pedidos/lectura/promised.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';

type Attempts = Pick<PagoPublico, 'intentos' | 'proximo_intento' | 'espera_respuesta'>;

/** Returns failed deliveries, oldest first, and the day of the next try; null without a failure, an answer or a carrier. */
export async function readAttempts(db: Db, { id, estado, fecha_estimada, incidencia_at }: PedidoRow): Promise<Attempts> {
  const espera_respuesta = incidencia_at !== null;
  const rows = await attemptsOf(db, id).execute();
  const intentos = rows.map(({ created_at, motivo }) => ({ fecha: created_at, causa: failedReason(motivo) }));
  const last = rows.at(-1);
  if (!last || espera_respuesta || !EN_MANOS.includes(estado)) return { intentos, proximo_intento: null, espera_respuesta };
  // If the next working day has passed without another try, announces today or the next working day.
  const from = new Date(Math.max(Date.parse(last.created_at), Date.now() - DAY_MS)).toISOString();
  const next = await readPromised(db, from, 1);
  return { intentos, espera_respuesta, proximo_intento: fecha_estimada && fecha_estimada > next ? fecha_estimada : next };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the promised date if an unpaid order is paid now; null for an order that does not wait for payment. */
export const promisedIfPaid = async (db: Db, { estado, fecha_estimada }: PedidoRow): Promise<string | null> =>
  estado === 'pendiente_pago' ? (fecha_estimada ?? (await readPromised(db))) : null;
