import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { type Db, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { DomainError, notFound } from '../kit/errors.ts';
import { encrypt } from '../kit/secrets.ts';
import { readSecretSettings } from '../settings/settings.ts';
import { readPlain } from './plain.ts';
import { readWoo } from './woo.ts';

const WOO_SIGNATURE = 'x-wc-webhook-signature';
const PLAIN_SIGNATURE = 'x-enruta-signature';

/**
 * Stores a shop's message for the job, so that the response is quick: WooCommerce disables a webhook after five failures. Returns true for
 * an order. Throws 404 while the shop is off, 400 for a wrong signature, 422 for any other content.
 */
export async function receive(db: Db, secretKey: string, raw: Buffer, headers: IncomingHttpHeaders): Promise<boolean> {
  const { storeActive, storeSecret } = await readSecretSettings(db, secretKey);
  if (!storeActive || !storeSecret) throw notFound();
  // WooCommerce pings with an unsigned form when a webhook is saved. Refusing the ping would leave the webhook disabled.
  if (/^webhook_id=\d+$/.test(raw.toString('latin1'))) return false;
  const isWoo = headers[WOO_SIGNATURE] !== undefined;
  const signature = String(headers[WOO_SIGNATURE] ?? headers[PLAIN_SIGNATURE] ?? '');
  if (!isSigned(raw, storeSecret, signature)) throw new DomainError(400, 'La firma no es válida', { code: 'signature_invalid' });
  const order = (isWoo ? readWoo : readPlain)(parsed(raw));
  await transact(db, async (tx) => {
    const contenido = encrypt(secretKey, JSON.stringify(order));
    await tx
      .insertInto('tienda_pedidos')
      .values({ externo_id: order.externo_id, numero: order.numero, modificado_at: order.modificado, contenido })
      .onConflict((conflict) =>
        conflict
          .column('externo_id')
          // Messages can arrive repeatedly and in any order, so an older message is ignored.
          .doUpdateSet({ modificado_at: order.modificado, contenido, estado: 'recibido', updated_at: sql`now()` })
          .where('tienda_pedidos.modificado_at', '<=', order.modificado),
      )
      .execute();
    emitJob(tx, 'tienda');
  });
  return true;
}

function isSigned(raw: Buffer, secret: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(raw).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}
