import { useCallback, useMemo, useState } from 'react';
import type { Pack } from '../../../contract/products/products.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { newKey } from '../../keys.ts';
import { filaOf } from './check.ts';
import { type Import, readDraft, startImport } from './draft.ts';
import { quantityAsked } from './questions.ts';
import type { Sheet } from './sheet.ts';
import type { Book } from './tabs.ts';
import { REQUIRED_TARGETS } from './target.ts';
import { useCreate } from './use-create.ts';
import { useKept } from './use-kept.ts';
import { useOrders } from './use-orders.ts';
import { columnActions, useRows } from './use-rows.ts';
import { type Refused, type Sent, useServerCheck } from './use-server-check.ts';
import { shown } from './view.ts';

const NONE: Refused = new Map();
const NO_PACKS: readonly Pack[] = [];

/** State and actions of an import, from the sheet to the created orders. */
export function useImport(actor: SessionUser, packs: readonly Pack[] | undefined) {
  const [state, setState] = useState(() => readDraft(actor.id));
  const [created, setCreated] = useState<number>();
  const [refused, setRefused] = useState(NONE);
  const [book, setBook] = useState<Book>();
  useKept(actor.id, state);

  const { columns = [], accepted = {}, revendedor_id, cobrar = false, juntar } = state ?? {};
  const missing = REQUIRED_TARGETS.filter((target) => !columns.includes(target));
  const { group, orders, checked, unknown, customers, loading } = useOrders(state, packs ?? NO_PACKS);

  const quantity = useMemo(() => state && quantityAsked(state), [state]);
  const asksCustomers = customers.length > 0 && juntar === undefined;
  const unanswered = Number(quantity !== undefined) + Number(asksCustomers);

  const clean =
    !!packs &&
    !loading &&
    checked.length > 0 &&
    missing.length === 0 &&
    checked.every(({ row, errors }) => Object.keys(errors).length === 0 && !refused.has(row));
  const sent = useMemo<Sent | undefined>(
    () => (clean ? { orders, body: { filas: orders.map(filaOf), cobrar, ...(revendedor_id && { revendedor_id }) } } : undefined),
    [clean, orders, cobrar, revendedor_id],
  );
  const server = useServerCheck(sent, setRefused);
  const places = useMemo(() => new Map(state?.rows.map(({ id }, at) => [id, at])), [state?.rows]);
  const views = orders
    .flatMap((order) =>
      order.map((line) => {
        const { row } = line;
        return shown(line, order, { refused: refused.get(row), said: server.doubts?.get(row.id), accepted: accepted[row.id] });
      }),
    )
    // Sorts the rows as in the sheet, where the rows of an order may not be adjacent.
    .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  const wrong = views.filter(({ isWrong }) => isWrong);
  const doubtful = views.filter(({ open }) => open.length > 0);

  const change = useCallback((make: (state: Import) => Partial<Import>) => {
    setState((before) => before && { ...before, ...make(before) });
  }, []);
  const ready = !!sent && !server.error && !server.data?.faltan.length && doubtful.length === 0 && unanswered === 0;
  const creating = useCreate({
    sent,
    server,
    ready,
    key: state?.key,
    onCreated: (creados) => {
      setCreated(creados);
      setState(undefined);
      setBook(undefined);
    },
    onRefused: setRefused,
    onLost: () => change(() => ({ key: newKey() })),
  });

  return {
    state,
    created,
    missing,
    unknown,
    views,
    wrong,
    doubtful,
    orders: orders.length,
    /** Numbers of orders that are paid already, and that are paid on delivery. */
    paid: sent ? sent.body.filas.filter(({ pago }) => pago).length : 0,
    onDelivery: sent ? sent.body.filas.filter(({ contra_reembolso }) => contra_reembolso).length : 0,
    /** Index of a column that may be the quantity, to ask about; undefined if none. */
    quantity,
    customers,
    /** Number of unanswered questions. */
    unanswered,
    /** True if no column is the quantity and every quantity is 1. */
    ones: !columns.includes('cantidad') && checked.every(({ values }) => values.cantidad === '1'),
    server,
    ready,
    ...creating,
    /** Workbook of this import, to choose other tabs; undefined for text, and after a reload of the page. */
    book,
    start: (sheet: Sheet, file: string, from?: Book) => {
      setCreated(undefined);
      setBook(from);
      setState(startImport(actor, sheet, file));
    },
    restart: ({ keepBook = false } = {}) => {
      setState(undefined);
      if (!keepBook) setBook(undefined);
      setCreated(undefined);
    },
    set: (given: Partial<Pick<Import, 'revendedor_id' | 'cobrar' | 'juntar'>>) => {
      setRefused(NONE);
      change(() => given);
    },
    ...columnActions(actor, change, () => setRefused(NONE)),
    ...useRows(change, group),
  };
}
