import type { PagoPublico } from '../../contract/payments.ts';
import { SISTEMA } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { applyTransition } from '../pedidos/transition.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/row.ts';
import { readSettings } from '../settings/settings.ts';
import { epcText } from './epc.ts';

const UNKNOWN = 'Este enlace de pago no existe o ya no está disponible';

async function findByToken(db: Db | Tx, token: string): Promise<PedidoRow> {
  const row = await db.selectFrom('pedidos').select(COLUMNS).where('pago_token', '=', token).where('deleted_at', 'is', null).executeTakeFirst();
  if (!row) throw notFound(UNKNOWN);
  return row;
}

/** The public page of an order: summary, how to pay while it is unpaid, progress afterwards. Throws 404 for an unknown token. */
export async function readPago(db: Db, token: string, demo: boolean): Promise<PagoPublico> {
  const row = await findByToken(db, token);
  const { companyName, companyIban, companyBic } = await readSettings(db);
  const unpaid = row.estado === 'pendiente_pago';
  const iban = companyIban.replace(/\s/g, '');
  const beneficiario = companyName || 'Enruta';
  return {
    numero_orden: row.numero_orden,
    cliente_nombre: row.cliente_nombre,
    producto: row.producto,
    cantidad: row.cantidad,
    total: toEuros(row.precio_total_cents),
    estado: row.estado,
    fecha_pedido: row.fecha_pedido,
    fecha_estimada: row.fecha_estimada,
    fecha_completado: row.fecha_completado,
    numero_seguimiento: row.numero_seguimiento,
    metodo_entrega: row.metodo_entrega,
    empresa: beneficiario,
    transferencia:
      unpaid && iban
        ? {
            beneficiario,
            iban,
            bic: companyBic || null,
            concepto: row.numero_orden,
            epc: epcText({ beneficiario, iban, bic: companyBic, importe_cents: row.precio_total_cents, concepto: row.numero_orden }),
          }
        : null,
    simulador: demo && unpaid,
  };
}

/** Demo only: the payment arrives. Throws 404 outside the demo and 409 when the order is not waiting for it. */
export async function simulatePago(db: Db, token: string, demo: boolean): Promise<void> {
  if (!demo) throw notFound();
  await transact(db, async (tx) => {
    const { id } = await findByToken(tx, token);
    const row = await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    if (row.estado !== 'pendiente_pago') throw conflict('Este pedido ya no está pendiente de pago');
    await applyTransition(tx, SISTEMA, row, 'pendiente', { referencia: `SIM-${row.numero_orden}` });
  });
}
