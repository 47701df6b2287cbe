import type { Destino } from '../../contract/banco/fields.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { linkCaja, unlinkCajas } from '../caja/caja.ts';
import { linkRemesas, unlinkRemesas } from '../caja/companies.ts';
import type { Tx } from '../db/open.ts';
import { conflict, DomainError, invalid } from '../kit/errors.ts';
import { takePayments } from '../pedidos/escritura/cobrar.ts';
import { lockPedidos } from '../pedidos/lectura/row.ts';
import { linkPagos, unlinkPagos } from '../pedidos/pagos/bank.ts';
import type { PaidPart } from './expected-index.ts';

/** A movement of the bank, and what it pays. */
export type Booking = { id: string; fecha: string; texto: string; destino: Destino; partes: readonly PaidPart[] };

const TAKEN = () => conflict('Algo de eso ya no se puede apuntar: vuelve a mirar la lista', 'lista');
/** Length of the bank's text in a payment's reference. */
const REFERENCE = 120;

/** Books movements; returns the refusal of each that could not be. Orders are locked together, so that two persons cannot deadlock. */
export async function bookMovements(tx: Tx, actor: Actor, bookings: readonly Booking[]): Promise<Map<string, DomainError>> {
  const refused = await bookOrders(
    tx,
    actor,
    bookings.flatMap(({ partes, ...booking }) => (booking.destino === 'pedidos' ? partes.map((part) => ({ ...booking, ...part })) : [])),
  );
  for (const { id, destino, partes } of bookings) {
    const ids = partes.map(({ clave }) => clave);
    if (destino === 'caja') for (const caja of ids) await linkCaja(tx, actor, caja, id);
    else if (destino !== 'pedidos') {
      const linked = await (destino === 'liquidacion' ? linkRemesas : linkPagos)(tx, ids, id);
      if (linked < ids.length) refused.set(id, TAKEN());
    }
  }
  return refused;
}

type OrderPart = Omit<Booking, 'partes'> & PaidPart;
async function bookOrders(tx: Tx, actor: Actor, parts: readonly OrderPart[]): Promise<Map<string, DomainError>> {
  const refused = new Map<string, DomainError>();
  if (parts.length === 0) return refused;
  const numbers = [...new Set(parts.map(({ clave }) => clave))];
  const rows = await tx.selectFrom('pedidos').select(['id', 'numero_orden']).where('numero_orden', 'in', numbers).execute();
  const byNumber = Map.groupBy(parts, ({ clave }) => clave);
  const known = new Set(rows.map(({ numero_orden }) => numero_orden));
  for (const { id, clave } of parts) if (!known.has(clave)) refused.set(id, invalid('partes', `Ningún pedido tiene el número ${clave}`));
  // Books one payment of each order in a turn, as `takePayments` does.
  for (let turn = 0; ; turn += 1) {
    const partOf = new Map(
      rows.flatMap(({ id, numero_orden }) => {
        const part = byNumber.get(numero_orden)?.[turn];
        return part ? [[id, part] as const] : [];
      }),
    );
    if (partOf.size === 0) return refused;
    const locked = await lockPedidos(tx, actor, [...partOf.keys()]);
    const pagoOf = ({ id }: { id: string }) => {
      const { cents, fecha, texto, id: movimiento_id } = partOf.get(id) as OrderPart;
      return { proveedor: 'transferencia', referencia: texto.slice(0, REFERENCE), importe_cents: cents, fecha, movimiento_id };
    };
    for (const [id, outcome] of await takePayments(tx, actor, locked, pagoOf, () => 'Extracto del banco'))
      if (outcome instanceof DomainError) refused.set(partOf.get(id)?.id ?? '', outcome);
  }
}

/** Takes back all that was booked of a movement. Throws 409 for a payment that has been refunded since. */
export async function unbookMovement(tx: Tx, actor: Actor, id: string, nota: string): Promise<void> {
  await unlinkPagos(tx, actor, id, nota);
  await unlinkRemesas(tx, id);
  await unlinkCajas(tx, id);
}
