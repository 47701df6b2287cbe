import { useCallback, useEffect, useRef, useState } from 'react';
import type { Answer, BodyIn } from '../../../contract/kit/endpoint.ts';
import { checkImport } from '../../../contract/pedidos/import.ts';
import { ApiError, call } from '../../api.ts';
import { money } from '../../ui/format/format.ts';
import type { CheckedOrder, Doubt } from './check.ts';
import { parsePayment, totalSaid } from './payment.ts';
import { isTarget, type Row, type Target } from './target.ts';

/** Body of a request, and the orders from which the body was made. */
export type Sent = { body: BodyIn<typeof checkImport>; orders: readonly CheckedOrder[] };
export type Refused = ReadonlyMap<Row, Partial<Record<Target, string>>>;

/** Request timeout in ms, enough for two thousand orders on a busy server. */
export const CHECK_LIMIT_MS = 120_000;
const DEBOUNCE_MS = 500;

/** Server errors by row, from keys such as `filas.3.pack_id` and `filas.3.lineas.1.pack_id`. */
export function refusedRows({ orders }: Sent, errors: ApiError['errors']): Refused {
  const refused = new Map<Row, Partial<Record<Target, string>>>();
  for (const [path, [text = '']] of Object.entries(errors)) {
    const [, at, line = 0, field] = /^filas\.(\d+)(?:\.lineas\.(\d+))?\.(\w+)/.exec(path) ?? [];
    const row = orders[Number(at)]?.[Number(line)]?.row;
    if (row) refused.set(row, { ...refused.get(row), [isTarget(field) ? field : 'pack']: text });
  }
  return refused;
}

type Found = {
  sent: Sent;
  data?: Answer<typeof checkImport>['data'];
  /** Warnings of the server by the id of an order's first row: repeated orders and differing totals. */
  doubts: ReadonlyMap<string, readonly Doubt[]>;
  error?: ApiError;
};

/** Checks valid rows on the server: totals, missing stock, and duplicates. */
export function useServerCheck(sent: Sent | undefined, onRefused: (refused: Refused) => void) {
  const [found, setFound] = useState<Found>();
  const latest = useRef(sent);
  const ask = useCallback(
    async (sent: Sent, signal?: AbortSignal) => {
      const store = (answer: Omit<Found, 'sent'>) => latest.current === sent && setFound({ sent, ...answer });
      try {
        const { data } = await call(checkImport, { body: sent.body, limit: CHECK_LIMIT_MS, ...(signal && { signal }) });
        store({ data, doubts: doubtsOf(sent, data) });
      } catch (error) {
        if (signal?.aborted || !(error instanceof ApiError)) return;
        const refused = refusedRows(sent, error.errors);
        if (refused.size) onRefused(refused);
        else store({ error, doubts: new Map() });
      }
    },
    [onRefused],
  );
  useEffect(() => {
    latest.current = sent;
    if (!sent) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void ask(sent, stop.signal), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [sent, ask]);
  // Keeps the warnings of the previous answer until the next one.
  const current = found?.sent === sent ? found : undefined;
  const again = () => {
    setFound(undefined);
    if (sent) void ask(sent);
  };
  return { data: current?.data, error: current?.error, doubts: found?.doubts, again };
}

type Data = Answer<typeof checkImport>['data'];

function doubtsOf({ orders }: Sent, { repetidas, totales }: Data): Map<string, Doubt[]> {
  const who = (fila: number) => (orders[fila]?.[0]?.values.cliente_telefono ? 'Mismo teléfono y pack' : 'Mismo nombre, dirección y pack');
  const sentence = ({ fila, numero_orden, como_fila, por_referencia }: Data['repetidas'][number]) => {
    if (por_referencia) return `Este nº de pedido ya está en el pedido ${numero_orden ?? ''}`;
    return numero_orden
      ? `${who(fila)} que el pedido ${numero_orden}, de hace menos de tres días`
      : `${who(fila)} que la fila ${orders[como_fila ?? 0]?.[0]?.row.n ?? ''}`;
  };
  const doubts = new Map<string, Doubt[]>();
  const note = (fila: number, doubt: Doubt | undefined) => {
    const id = orders[fila]?.[0]?.row.id;
    if (doubt && id !== undefined) doubts.set(id, [...(doubts.get(id) ?? []), doubt]);
  };
  for (const each of repetidas) note(each.fila, { target: 'cliente_nombre', text: sentence(each) });
  for (const [fila, total] of totales.entries()) note(fila, totalDoubt(orders[fila], total));
  return doubts;
}

/** Warning about a total of the sheet that differs from the total of the order. */
function totalDoubt(order: CheckedOrder | undefined, total: number): Doubt | undefined {
  const [first] = order ?? [];
  const inSheet = first && totalSaid(first.values);
  if (!first || inSheet === undefined || Math.abs(inSheet - total) < 0.005) return undefined;
  const { pago, total: written } = first.values;
  const payment = parsePayment(pago);
  const booked =
    typeof payment === 'object' ? `; se anotaría pagado ${payment.importe === undefined ? 'entero' : money(payment.importe)}` : '';
  return {
    target: written ? 'total' : pago ? 'pago' : 'contra_reembolso',
    text: `La hoja dice ${money(inSheet)} y el pedido suma ${money(total)}${booked}`,
  };
}
