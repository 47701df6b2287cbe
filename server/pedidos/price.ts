import type { CalcularTotal, CreatePedido } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { ZONAS, zonaOf } from '../../contract/zonas.ts';
import type { Db, Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';
import { toCents } from '../kit/money.ts';
import { readSettings } from '../settings/settings.ts';
import { type Line, priceLines, summaryOf } from './lineas.ts';

type Input = CalcularTotal & Partial<Pick<CreatePedido, 'producto' | 'precio_unitario' | 'precio_total'>>;
type Own = Partial<Pick<Input, 'envio' | 'descuento' | 'precio_total'>>;
export type Priced = { lines: Line[]; summary: ReturnType<typeof summaryOf> };

/**
 * What an order of these lines is, in cents: at the packs' prices for its reseller, with the shipping to its address from the settings.
 * Superadmins may give text, price, shipping and discount of their own (design, section 4.5). Throws 422 for a pack that
 * cannot be ordered.
 */
export async function priceOrder(db: Db | Tx, actor: Actor, input: Input): Promise<Priced> {
  const { lineas, pack_id } = input;
  if (lineas && pack_id) throw invalid('lineas', 'Envía las líneas o un solo pack, no ambos');
  const free = can(actor, 'pedido:create-free');
  const lines = await priceLines(db, lineas ?? [{ ...input, producto: input.producto ?? null }], {
    free,
    revendedor_id: input.revendedor_id ?? null,
    single: !lineas,
  });
  const given: Own = free ? input : {};
  // A total that is given is what the order costs.
  const shipped = given.envio ?? (!lineas && lines[0]?.pack_id === null && given.precio_total != null ? 0 : null);
  return {
    lines,
    summary: summaryOf(lines, {
      envio_cents: shipped === null ? await shippingTo(db, input) : toCents(shipped),
      descuento_cents: toCents(given.descuento ?? 0),
    }),
  };
}

/** The shipping to an address in cents, as the settings have it for its zone. */
async function shippingTo(db: Db | Tx, address: Parameters<typeof zonaOf>[0]): Promise<number> {
  const zona = zonaOf(address);
  return zona ? toCents((await readSettings(db))[ZONAS[zona].setting]) : 0;
}
