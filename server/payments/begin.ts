import { sql } from 'kysely';
import { type Db, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { recordPago } from '../pedidos/pagos/pagos.ts';
import { lockUnpaid, type Unpaid } from './find.ts';

type Begun = { proveedor: string; externo_id: string | undefined };

/** Payments that can be begun per order and hour, over all providers. */
const MAX_BEGUN = 20;
/** Default lifetime of a payment page; generous, as banks close their pages after minutes. */
const LIFE = sql<string>`now() + interval '1 hour'`;

/** Records a begun payment and returns its order. Throws 404 for an unknown token, 409 unless unpaid, 429 after too many attempts. */
export const beginPago = async (db: Db, token: string, { proveedor, externo_id }: Begun): Promise<Unpaid> =>
  transact(db, async (tx) => {
    const pedido = await lockUnpaid(tx, token);
    const { begun } = await tx
      .selectFrom('pagos')
      .select((eb) => eb.fn.countAll<number>().as('begun'))
      .where('pedido_id', '=', pedido.id)
      .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
      .executeTakeFirstOrThrow();
    if (begun >= MAX_BEGUN)
      throw new DomainError(429, 'Has empezado el pago demasiadas veces. Vuelve a intentarlo dentro de una hora.', {
        headers: { 'retry-after': '3600' },
      });
    await recordPago(tx, pedido, {
      proveedor,
      ...(externo_id !== undefined && { externo_id }),
      estado: 'iniciado',
      referencia: externo_id ?? '',
      importe_cents: pedido.pendiente_cents,
      vence_at: LIFE,
    });
    return pedido;
  });
