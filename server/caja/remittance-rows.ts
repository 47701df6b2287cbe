import type { ClaseFila, FormaFila } from '../../contract/caja/fields.ts';
import { bareReferencia } from '../../contract/envios/fields.ts';
import { inEuros } from '../kit/money.ts';

/* What each row of a company's sheet of remittance is: a pure function of the rows and of what we know. Amounts in cents. */

export type SheetRow = { referencia: string; seguimiento: string | null; cents: number };
/** Money that a company collected for an order. `remesa`: number of the remittance that brought it. */
export type HeldPayment = { id: string; empresa: string; cents: number; remesa: number | null; reversible: boolean };
/** An order that a row may be of. `keys`: bare references and tracking numbers. `due`: to be collected if it can still be delivered. */
export type Candidate = {
  id: string;
  numero: string;
  keys: readonly string[];
  en_empresa: string | null;
  due: number | null;
  pagos: HeldPayment[];
};
export type Classified = {
  clase: ClaseFila;
  message: string;
  formas: readonly FormaFila[];
  order?: Candidate;
  pago?: HeldPayment;
};

const LEFT: readonly FormaFila[] = ['aparte', 'fuera'];

/** Returns what each row of `empresa` is. Positive rows come first, so that a reversal finds what it reverses in the same file. */
export function classifyRows(empresa: string, rows: readonly SheetRow[], candidates: readonly Candidate[]): Classified[] {
  const byKey = new Map<string, Candidate[]>();
  for (const candidate of candidates) for (const key of new Set(candidate.keys)) byKey.set(key, [...(byKey.get(key) ?? []), candidate]);
  const used = new Set<string>();
  const results: Classified[] = [];
  const decide = (wanted: (row: SheetRow) => boolean, of: (row: SheetRow, order: Candidate) => Classified) => {
    for (const [i, row] of rows.entries()) {
      if (!wanted(row)) continue;
      const found = find(empresa, row, byKey);
      const result = typeof found === 'string' ? { clase: 'desconocida' as const, message: found, formas: LEFT } : of(row, found);
      if (result.pago) used.add(result.pago.id);
      results[i] = result;
    }
  };
  // Rows that agree take their payments before a wrong row of the same order does.
  const agrees = (row: SheetRow) => {
    const order = find(empresa, row, byKey);
    return typeof order !== 'string' && ownOf(empresa, order).some(({ cents }) => cents === row.cents);
  };
  decide(agrees, (row, order) => positive(empresa, row, order, used));
  decide(
    (row) => row.cents > 0 && !agrees(row),
    (row, order) => positive(empresa, row, order, used),
  );
  const undone = new Set<string>();
  decide(
    ({ cents }) => cents < 0,
    (row, order) => reversal(row, order, used, undone),
  );
  return results;
}

const ownOf = (empresa: string, { pagos }: Candidate) => pagos.filter((pago) => pago.empresa === empresa && pago.remesa === null);

/** Order of a row, or why there is none. Our number decides before the tracking number, and the company's own orders before others. */
function find(
  empresa: string,
  { referencia, seguimiento, cents }: SheetRow,
  byKey: ReadonlyMap<string, readonly Candidate[]>,
): Candidate | string {
  for (const text of [referencia, seguimiento ?? '']) {
    const hits = byKey.get(bareReferencia(text)) ?? [];
    const narrowed = [
      hits.filter((hit) => ownOf(empresa, hit).some((pago) => pago.cents === cents)),
      hits.filter((hit) => hit.en_empresa === empresa || hit.pagos.some((pago) => pago.empresa === empresa)),
      hits,
    ].find((some) => some.length > 0);
    const [order, another] = narrowed ?? [];
    if (order) return another ? `Varios pedidos tienen el número «${text}»` : order;
  }
  return 'Ningún pedido tiene ese número';
}

function positive(empresa: string, { cents }: SheetRow, order: Candidate, used: ReadonlySet<string>): Classified {
  const own = ownOf(empresa, order);
  const free = own.filter(({ id }) => !used.has(id));
  const exact = free.find((pago) => pago.cents === cents);
  if (exact) return { clase: 'exacta', message: `Cobrado ${inEuros(cents)}`, formas: [], order, pago: exact };
  const [pago] = free;
  if (pago)
    return {
      clase: 'distinta',
      message: `Cobró ${inEuros(pago.cents)}, y paga ${inEuros(cents)}`,
      // equivalent `(cents <= pago.cents)`: a payment of the same sum has agreed above
      formas: cents < pago.cents ? ['comision', 'apuntar', 'fuera'] : ['aparte', 'apuntar', 'fuera'],
      order,
      pago,
    };
  if (own.length > 0) return { clase: 'repetida', message: 'Ese pedido ya está en el fichero', formas: ['fuera', 'aparte'], order };
  const paid = order.pagos.find(({ remesa }) => remesa !== null);
  if (paid)
    return {
      clase: 'ya_pagada',
      // equivalent paid.remesa: what a company has paid stands in a remittance
      message: `Ya lo pagó ${paid.empresa} en la liquidación ${paid.remesa ?? ''}`,
      formas: ['fuera', 'aparte'],
      order,
    };
  const other = order.pagos.find(({ id }) => !used.has(id));
  if (other) {
    const same = other.cents === cents;
    const message = `Según lo apuntado, ${inEuros(other.cents)} los tiene ${other.empresa}`;
    return { clase: 'otra_empresa', message, formas: same ? ['apuntar', 'aparte'] : LEFT, order, ...(same && { pago: other }) };
  }
  if (order.due === null) return { clase: 'sin_cobro', message: 'De ese pedido ninguna empresa ha cobrado nada', formas: LEFT, order };
  return {
    clase: 'sin_entregar',
    message: order.due === cents ? 'Aquí no está entregado' : `Aquí no está entregado, y había que cobrar ${inEuros(order.due)}`,
    formas: order.due === cents ? ['apuntar', 'aparte'] : LEFT,
    order,
  };
}

/** A company takes back what it paid before, or in the same file. */
function reversal({ cents }: SheetRow, order: Candidate, used: ReadonlySet<string>, undone: Set<string>): Classified {
  const isPaid = ({ id, remesa }: HeldPayment) => remesa !== null || used.has(id);
  const pago = order.pagos.find((each) => each.reversible && each.cents === -cents && isPaid(each) && !undone.has(each.id));
  if (!pago) return { clase: 'negativa', message: 'No hay ningún pago de ese importe que descontar', formas: LEFT, order };
  undone.add(pago.id);
  return { clase: 'negativa', message: 'La empresa descuenta lo que pagó de ese pedido', formas: ['apuntar', 'aparte'], order, pago };
}
