import { createHash } from 'node:crypto';
import { type Actor, rolesOf } from '../../../contract/policy/policy.ts';
import { MAX_PIN_FALLOS } from '../../../contract/pruebas/fields.ts';
import type { ReglasEntrega } from '../../../contract/pruebas/pruebas.ts';
import type { Tx } from '../../db/open.ts';
import { DomainError } from '../../kit/errors.ts';
import { notify } from '../../notifications/notify.ts';
import type { StoredPedido } from '../lectura/row.ts';

export const NO_MORE_TRIES = 'No quedan intentos de PIN: indica por qué se entrega sin él';

type Order = Pick<StoredPedido, 'id' | 'numero_orden'>;

/** Returns the PIN of an order: four digits derived from the customer's secret link, which no carrier sees. Null without a link. */
export function pinOf({ pago_token }: Pick<StoredPedido, 'pago_token'>): string | null {
  if (!pago_token) return null;
  const number = createHash('sha256').update(`pin ${pago_token}`).digest().readUInt32BE() % 10_000;
  return String(number).padStart(4, '0');
}

/** True if any form of delivery asks for the PIN. */
export const usesPin = (reglas: ReglasEntrega): boolean => Object.values(reglas).some(({ pin }) => pin && pin !== 'no');

/** Counts a wrong PIN of a locked order after `fallos` earlier ones, and notifies superadmins. Returns the refusal, to be thrown after the commit. */
export async function countWrong(tx: Tx, actor: Actor, { id: pedido_id, numero_orden }: Order, fallos: number): Promise<DomainError> {
  const pin_fallos = fallos + 1;
  await tx
    .insertInto('entregas')
    .values({ pedido_id, pin_fallos })
    .onConflict((at) => at.column('pedido_id').doUpdateSet({ pin_fallos }))
    .execute();
  const left = MAX_PIN_FALLOS - pin_fallos;
  await notify(tx, {
    tipo: 'diferencia_entrega',
    texto: `${actor.full_name} ha escrito un PIN incorrecto al entregar ${numero_orden}${pin_fallos > 1 ? ` (${pin_fallos} veces)` : ''}`,
    roles: [...rolesOf('caja:confirm')],
    except: actor.id,
    enlace: `/pedidos/${pedido_id}`,
    pedido_id,
    mail: true,
    renews: true,
  });
  const wrong =
    left === 0 ? 'El PIN no es correcto' : `El PIN no es correcto: ${left === 1 ? 'queda 1 intento' : `quedan ${left} intentos`}`;
  const errors = { pin: [wrong], ...(left === 0 && { motivo: [NO_MORE_TRIES] }) };
  return new DomainError(422, left === 0 ? NO_MORE_TRIES : wrong, { errors, counted: true });
}
