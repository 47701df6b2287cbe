import { createHash } from 'node:crypto';
import type { Estado } from '../contract/pedidos/estados.ts';
import { EDITABLE_FIELDS, type EditableField } from '../contract/pedidos/fields.ts';
import { type Line, summarizeLines } from '../server/pedidos/lineas/lineas.ts';
import { type Address, randomAddress, randomInstructions } from './addresses.ts';
import { DAY, HOUR, madridYear, orderTimes, promisedAt } from './calendar.ts';
import type { Sold } from './catalogue.ts';
import { beginHistory, type Draft, simulateLife, UNPAID_HOURS } from './life.ts';
import { businessName, personName, randomPhone } from './names.ts';
import { employedPeople, type Person, printedAccount } from './people.ts';
import type { Random, Weighted } from './random.ts';

type Customer = Address & { cliente_nombre: string; cliente_telefono: string | null; instrucciones: string | null };
type Options = { random: Random; people: Person[]; catalogue: Sold[]; orders: number; start: number; now: number };

const HOUSEHOLD: Weighted<number> = [
  [1, 72],
  [2, 18],
  [3, 6],
  [4, 3],
  [5, 1],
];
const BUSINESS: Weighted<number> = [
  [1, 20],
  [2, 25],
  [3, 20],
  [4, 15],
  [6, 12],
  [10, 6],
  [12, 2],
];
const LINES: Weighted<number> = [
  [1, 68],
  [2, 20],
  [3, 9],
  [4, 3],
];
const STOPS: Estado[] = ['pendiente', 'asignado', 'en_ruta', 'pendiente', 'en_proceso', 'asignado', 'pendiente'];
const SPECIAL: Weighted<[producto: string, cents: number]> = [
  [['Cesta de empresa a medida', 8900], 3],
  [['Lote degustación para prensa', 4500], 1],
  [['Mesa de corte de jamón (evento)', 32000], 1],
];

/** Yields the orders of the period by number, each with its history up to now. */
export function* buildOrders(options: Options): Generator<Draft> {
  const { random, people, orders, start, now } = options;
  const regulars = new Map<string, Customer[]>();
  let fresh = 0;
  let recent = 0;
  let stopped = 0;

  const times = orderTimes(orders, start, now, random.next);
  const numbers = orderNumbers(times);
  for (const [i, at] of times.entries()) {
    const draft = buildOrder(options, at, numbers[i] ?? '', regulars);

    const age = now - at;
    if (sellable(draft) && age < (UNPAID_HOURS - 8) * HOUR && ++fresh % 4 === 0) {
      sell(draft, fresh % 8 === 0 ? printedAccount(people, 'revendedor') : random.weighted(employedPeople(people, 'revendedor', at)));
      simulateLife(draft, { ...options, unpaid: true });
    } else if (age < 9 * DAY && ++recent % (age < 3 * DAY ? 3 : 9) === 0) {
      const stop = STOPS[++stopped % STOPS.length];
      if (sellable(draft) && stopped % 2) sell(draft, printedAccount(people, 'revendedor'));
      const carrier = stopped % 3 ? printedAccount(people, 'transportista') : random.weighted(employedPeople(people, 'transportista', at));
      simulateLife(draft, { ...options, carrier, stop });
    } else
      simulateLife(draft, age < 3 * DAY && random.chance(0.5) ? { ...options, carrier: printedAccount(people, 'transportista') } : options);
    yield draft;
  }
}

/** Returns order numbers, padded per year so that they sort as text. */
export function orderNumbers(times: number[]): string[] {
  const years = times.map(madridYear);
  const ends = new Map(years.map((year, i) => [year, i]));
  let first = 0;
  return years.map((year, i) => {
    if (year !== years[i - 1]) first = i;
    const last = (ends.get(year) ?? i) - first + 1;
    return `ORD-${year}${String(i - first + 1).padStart(Math.max(6, String(last).length), '0')}`;
  });
}

const sellable = ({ lines }: Draft) => lines.every(({ pack_id }) => pack_id);

const UNWRITTEN = Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, null])) as Record<EditableField, null>;

function buildOrder(
  { random, people, catalogue, start, now }: Options,
  at: number,
  numero: string,
  regulars: Map<string, Customer[]>,
): Draft {
  const reseller = random.chance(0.88) ? random.weighted(employedPeople(people, 'revendedor', at)) : null;
  const office = random.weighted(employedPeople(people, 'superadmin', at));
  const business = random.chance(0.1);
  const customer = customerOf(random, regulars, reseller?.row.id ?? 'office', business);
  const instant = new Date(at).toISOString();

  const special = !reseller && random.chance(0.06) ? random.weighted(SPECIAL) : null;
  const part = (at - start) / (now - start);
  const lines = special
    ? [lineOf(1, { producto: special[0], cents: special[1], cantidad: 1 })]
    : packLines(
        random,
        catalogue.filter((sold) => part < (sold.until ?? 2)),
        business,
      );

  const id = random.uuid();
  const draft: Draft = {
    row: {
      id,
      numero_orden: numero,
      revendedor_id: null,
      revendedor_nombre: null,
      transportista_id: null,
      transportista_nombre: null,
      ...UNWRITTEN,
      ...customer,
      cliente_pais: 'España',
      franja_horaria: business ? 'De 8 a 14 h' : null,
      tienda: null,
      ...summarizeLines(lines, { envio_cents: 0, descuento_cents: 0 }),
      iva_regimen: null,
      iva_cobrado: null,
      cantidad_devuelta: 0,
      reembolsado_cents: 0,
      devuelto_cents: 0,
      entrega_parcial: false,
      cobro_empresa_cents: 0,
      cobro_en: null,
      envio_fijado: false,
      estado: 'pendiente',
      contra_reembolso: false,
      venta_aparte: false,
      fecha_pedido: instant,
      aviso_cliente: null,
      incidencia_at: null,
      recoge_at: null,
      fecha_estimada: promisedAt(at),
      fecha_estimada_fijada: false,
      vecino_at: null,
      cargado_at: null,
      intento_at: null,
      intentos: 0,
      salio_at: null,
      aplazado_at: null,
      mercancia_at: null,
      en_empresa: null,
      en_empresa_at: null,
      fecha_completado: null,
      entrega_anulada_at: null,
      fecha_pago: null,
      metodo_entrega: null,
      numero_seguimiento: null,
      empresa_transporte: 'manual',
      motivo: null,
      pago_token: createHash('sha256').update(id).digest('base64url'),
      pagado_cents: 0,
      version: 1,
      created_at: instant,
      updated_at: instant,
      deleted_at: null,
      anonimizado_at: null,
      bloqueado_at: null,
      recordatorio_at: null,
      por_reembolsar_at: null,
      transferencia_avisada_at: null,
      transferencia_recordada_at: null,
      cliente_id: null,
      metadata: null,
    },
    lines,
    steps: [],
  };
  if (reseller) sell(draft, reseller);
  else beginHistory(draft, office.actor);
  return draft;
}

type Item = { producto: string; cents: number; cantidad: number; product_id?: string; pack_id?: string; units?: number };
const lineOf = (numero: number, { producto, cents, cantidad, product_id, pack_id, units = 0 }: Item): Line => ({
  numero,
  product_id: product_id ?? null,
  pack_id: pack_id ?? null,
  producto,
  cantidad,
  precio_unitario_cents: cents,
  precio_total_cents: cents * cantidad,
  unidades: cantidad * units,
  iva: null,
});

function packLines(random: Random, offered: Sold[], business: boolean): Line[] {
  const wanted = Math.min(random.weighted(LINES), offered.length);
  const chosen = new Set<Sold>();
  while (chosen.size < wanted) chosen.add(random.weighted(offered.map((sold) => [sold, sold.weight] as const)));
  return [...chosen].map((sold, i) => {
    const { row, units } = random.weighted(sold.packs.map((pack) => [pack, pack.weight] as const));
    const cantidad = random.weighted(business ? BUSINESS : HOUSEHOLD);
    const producto = `${sold.row.name} – ${row.name}`;
    return lineOf(i + 1, { producto, cents: row.pack_price_cents, cantidad, product_id: sold.row.id, pack_id: row.id, units });
  });
}

function sell(draft: Draft, reseller: Person): void {
  const { row } = draft;
  Object.assign(row, {
    revendedor_id: reseller.row.id,
    revendedor_nombre: reseller.row.full_name,
    estado: 'pendiente_pago',
    fecha_estimada: null,
  });
  beginHistory(draft, reseller.actor);
}

function customerOf(random: Random, regulars: Map<string, Customer[]>, seller: string, business: boolean): Customer {
  const known = regulars.get(seller) ?? [];
  if (known.length > 2 && random.chance(0.17)) return random.pick(known);
  const customer = {
    cliente_nombre: business ? businessName(random) : personName(random),
    cliente_telefono: randomPhone(random),
    ...randomAddress(random, business),
    instrucciones: randomInstructions(random),
  };
  if (random.chance(0.12)) known.push(customer);
  regulars.set(seller, known);
  return customer;
}
