import { type RawBuilder, type SelectType, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { withoutUnwritable, writesField } from '../../../contract/pedidos/access.ts';
import type { CalcularTotal, CreatePedido } from '../../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { SETTINGS } from '../../../contract/settings/fields.ts';
import type { Settings } from '../../../contract/settings/values.ts';
import { ZONAS, zonaOf } from '../../../contract/zonas/zonas.ts';
import type { Db, Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import { toCents } from '../../kit/money.ts';
import { settingsFrom } from '../../settings/settings.ts';
import { type Line, type Packs, packsById, priceLines, selectPacks, summarizeLines } from './lineas.ts';

type Input = CalcularTotal & Partial<Pick<CreatePedido, 'producto' | 'precio_unitario' | 'precio_total'>>;
/** Inputs to pricing: packs at the reseller's price (or list price), and settings. */
export type Prices = { packs: Packs; settings: Settings };
/** `envio_fijado`: shipping, or a total that includes shipping, was set by hand. */
export type Priced = { lines: Line[]; summary: ReturnType<typeof summarizeLines>; envio_fijado: boolean };

/** Reads today's prices for orders of one reseller; evaluates `numero` in the same round trip. */
export async function readPrices<N extends string | null = null>(
  db: Db | Tx,
  inputs: readonly Pick<Input, 'lineas' | 'pack_id'>[],
  revendedor_id: string | null,
  numero: RawBuilder<N> = sql<N>`NULL`,
): Promise<Prices & { numero: SelectType<N> }> {
  const wanted = inputs.flatMap((input): readonly { pack_id?: string | null | undefined }[] => input.lineas ?? [input]);
  const { data, packs, ...read } = await db
    .selectFrom('settings')
    .select(['data', jsonArrayFrom(selectPacks(db, wanted, revendedor_id)).as('packs'), numero.as('numero')])
    .executeTakeFirstOrThrow();
  return { packs: packsById(packs), settings: settingsFrom(data), ...read };
}

/** Prices an order in cents; writers of prices override them. Throws 422: lines and pack, unavailable pack, excessive discount. */
export function priceOrder({ packs, settings }: Prices, actor: Actor, body: Input, agreed = (lines: Line[]) => lines): Priced {
  const input = withoutUnwritable(actor, body);
  const { lineas, pack_id } = input;
  if (lineas && pack_id) throw invalid('lineas', 'Envía las líneas o un solo pack, no ambos');
  const free = writesField(actor, 'precio_unitario');
  const lines = agreed(priceLines(lineas ?? [{ ...input, producto: input.producto ?? null }], { packs, free, single: !lineas }));
  // A given total includes shipping.
  const isTotal = !lineas && lines[0]?.pack_id === null && input.precio_total != null;
  const shipped = input.envio ?? (isTotal ? 0 : (shippingTo(settings, input) ?? unsaid(actor, body)));
  const amounts = { envio_cents: toCents(shipped), descuento_cents: toCents(input.descuento ?? 0) };
  return { lines, summary: summarizeLines(lines, amounts), envio_fijado: input.envio != null || isTotal };
}

/** Shipping to an address, in euros, from the settings; undefined abroad if the shop has no tariff for other countries. */
export function shippingTo(settings: Settings, address: Parameters<typeof zonaOf>[0]): number | undefined {
  const zona = zonaOf(address);
  if (zona) return settings[ZONAS[zona].setting];
  return settings.shippingAbroad === '' ? undefined : settings.shippingAbroad;
}

/** Shipping abroad without a tariff: 0 if the actor may set the shipping and sends none. Throws 422 if `envio` is null or the actor may not set it. */
function unsaid(actor: Actor, { envio, cliente_pais }: Input): number {
  const may = writesField(actor, 'envio');
  if (may && envio === undefined) return 0;
  const way = may
    ? `escribe cuánto cuesta (0, si es gratis) o pon «${SETTINGS.shippingAbroad.label}» en Configuración`
    : 'pide a la tienda que la ponga';
  throw invalid('envio', `No hay tarifa de envío a ${cliente_pais?.trim() ?? 'un país sin nombre'}: ${way}`);
}

type Shipped = Parameters<typeof zonaOf>[0] & { envio_cents: number; envio_fijado: boolean };
/** Spanish sentence about an order abroad whose shipping is 0 € only because no tariff or amount was set; undefined for others. */
export function unsaidShipping({ shippingAbroad }: Settings, order: Shipped): string | undefined {
  if (shippingAbroad !== '' || order.envio_cents !== 0 || order.envio_fijado || zonaOf(order)) return undefined;
  return `No hay tarifa de envío a ${order.cliente_pais?.trim() ?? 'un país sin nombre'} y va a 0 €: escríbelo en «Cambiar productos»`;
}
