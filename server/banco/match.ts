import {
  bareText,
  type Expected,
  type ExpectedOrder,
  type Index,
  indexExpected,
  isNamed,
  keysIn,
  type Match,
  nameWords,
  wordsIn,
} from './expected-index.ts';

/* Where the credits of a bank statement belong: a pure function of the movements and of what the shop waits for. Amounts in cents. */

export type Movement = { fecha: string; importe_cents: number; texto: string };
type Read = Movement & { words: readonly string[]; keys: ReadonlySet<string>; wordSet: ReadonlySet<string> };

const DAY_MS = 86_400_000;
const daysBetween = (a: string, b: string) => Math.round((Date.parse(a) - Date.parse(b)) / DAY_MS);
const sumOf = (some: readonly { cents: number }[]) => some.reduce((sum, { cents }) => sum + cents, 0);
/** All of a list, and each two of it. */
const together = <T>(own: readonly T[]): (readonly T[])[] => [own, ...own.flatMap((a, i) => own.slice(i + 1).map((b) => [a, b]))];

/** Days by which a payment noted by hand may differ from the bank's. */
const NOTED_DAYS = 5;
const isNear = (a: string, b: string) => Math.abs(daysBetween(a, b)) <= NOTED_DAYS;
/** Days before a payout in which its card payments were made, and the most that a provider keeps: 4 % and 35 cents a payment. */
const PAYOUT_DAYS = 14;
const mostFee = (cents: number, payments: number) => cents * 0.04 + 35 * payments;
const isBefore = (day: string, fecha: string) => daysBetween(fecha, day) >= 0 && daysBetween(fecha, day) <= PAYOUT_DAYS;
/** Words by which a bank names the providers of card payouts, and cash that somebody paid in. */
const PROVIDERS = Object.entries({ stripe: /\bstripe\b/, redsys: /\b(?:redsys|tpv|comercios?)\b/ });
const PAID_IN = /\b(?:ingreso|efectivo|caja)\b/;

/**
 * Matches movements in their order; undefined for one that nothing explains. First those that are sure, which a proposal must not take away:
 * the number of an order, or of a remittance, with its amount.
 */
export function matchMovements(movements: readonly Movement[], expected: Expected): (Match | undefined)[] {
  const index = indexExpected(expected);
  const read = movements.map((movement): Read => {
    const words = wordsIn(movement.texto);
    return { ...movement, words, keys: keysIn(words), wordSet: new Set(words) };
  });
  const sure = read.map((each) => (each.importe_cents > 0 ? byNumber(each, index) : undefined));
  return read.map((each, i) => sure[i] ?? (each.importe_cents > 0 ? propose(each, index) : undefined));
}

function byNumber({ importe_cents, fecha, keys }: Read, index: Index): Match | undefined {
  const { isFree, take, part } = index;
  const [remittance, ...others] = index.remittancesByNumber(keys).filter((each) => isFree(each) && each.cents === importe_cents);
  if (remittance && others.length === 0) return take('liquidacion', true, [part(remittance)]);
  const [orders, payments] = [index.ordersByNumber(keys), index.paymentsByNumber(keys)];
  if (new Set([...orders, ...payments].map(({ numero }) => numero)).size !== 1) return undefined;
  const noted = payments.filter((each) => isFree(each) && each.cents === importe_cents);
  const near = noted.find((each) => isNear(fecha, each.fecha));
  if (near) return take('cobros', true, [part(near)]);
  const [order] = orders;
  return order && noted.length === 0 && index.dueOf(order) === importe_cents ? take('pedidos', true, [index.orderPart(order)]) : undefined;
}

const propose = (each: Read, index: Index): Match | undefined =>
  payNamed(index.ordersByNumber(each.keys), each, index) ??
  ofProvider(each, index) ??
  ofPerson(each, index) ??
  payNamed(
    index
      .ordersByExternal(each.keys)
      .filter((order) => index.dueOf(order) === each.importe_cents)
      .slice(0, 1),
    each,
    index,
  ) ??
  ofCash(each, index) ??
  ofCompany(each, index);

/** Pays named orders one after another; what is left of the amount waits. */
function payNamed(orders: readonly ExpectedOrder[], { importe_cents }: Read, { dueOf, orderPart, take }: Index): Match | undefined {
  let left = importe_cents;
  const partes = orders.flatMap((order) => {
    const cents = Math.min(left, dueOf(order));
    left -= cents;
    return cents > 0 ? [orderPart(order, cents)] : [];
  });
  return partes.length > 0 ? take('pedidos', false, partes) : undefined;
}

/** An order, or several of one customer, with the payer's name and the amount; or what the office noted of that name before. */
function ofPerson({ importe_cents, fecha, wordSet }: Read, index: Index): Match | undefined {
  const { dueOf, isFree, orderPart, part, take } = index;
  const orders = index.ordersByName(wordSet).filter((order) => dueOf(order) > 0 && isNamed(order, wordSet));
  const same = orders.find((order) => dueOf(order) === importe_cents);
  if (same) return take('pedidos', false, [orderPart(same)]);
  const [noted, another] = index
    .paymentsByName(wordSet)
    .filter((each) => isFree(each) && each.cents === importe_cents && isNear(fecha, each.fecha) && isNamed(each, wordSet));
  // Recognised without asking only where nothing else can be meant.
  if (noted) return take('cobros', !another && nameWords(noted).length > 1, [part(noted)]);
  for (const own of Map.groupBy(orders, ({ cliente, nombre }) => cliente ?? nombre).values()) {
    const sum = together(own).find((some) => some.length > 1 && some.reduce((cents, order) => cents + dueOf(order), 0) === importe_cents);
    if (sum)
      return take(
        'pedidos',
        false,
        sum.map((order) => orderPart(order)),
      );
  }
  return undefined;
}

/** The card payments of neighbouring days whose sum, less a fee, is a payout; the oldest days first. */
function ofProvider({ importe_cents, fecha, words }: Read, { cards, isFree, part, take }: Index): Match | undefined {
  const text = words.join(' ');
  const [proveedor] = PROVIDERS.find(([, named]) => named.test(text)) ?? [];
  const open = cards.filter((each) => each.proveedor === proveedor && isFree(each) && isBefore(each.fecha, fecha));
  const days = [...Map.groupBy(open, (each) => each.fecha)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => of);
  for (const first of days.keys()) {
    let some: typeof open = [];
    for (const day of days.slice(first)) {
      some = [...some, ...day];
      const fee = sumOf(some) - importe_cents;
      if (fee >= 0 && fee <= mostFee(sumOf(some), some.length)) return take('pasarela', false, some.map(part), fee);
    }
  }
  return undefined;
}

function ofCash({ importe_cents, fecha, wordSet, words }: Read, { cash, isFree, part, take }: Index): Match | undefined {
  const isPaidIn = PAID_IN.test(words.join(' '));
  const boxes = cash.filter((each) => isFree(each) && each.cents === importe_cents && isBefore(each.dia, fecha));
  const box = boxes.find((each) => isPaidIn || isNamed(each, wordSet));
  return box && take('caja', false, [part(box)]);
}

function ofCompany({ importe_cents, wordSet }: Read, { remittances, isFree, part, take }: Index): Match | undefined {
  const open = remittances.filter(isFree);
  const named = Map.groupBy(
    open.filter(({ empresa }) => wordSet.has(bareText(empresa))),
    ({ empresa }) => empresa,
  );
  const sums = [...[...named.values()].flatMap(together), ...open.map((each) => [each])];
  const sum = sums.find((some) => sumOf(some) === importe_cents);
  return sum && take('liquidacion', false, sum.map(part));
}
