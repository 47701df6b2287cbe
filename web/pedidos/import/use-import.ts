import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Provinces } from '../../../contract/doubts/towns.ts';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import type { Pack } from '../../../contract/products/products.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { queryClient, SESSION_KEY, useMutate } from '../../api.ts';
import { newKey } from '../../keys.ts';
import { useKeptAnswers } from '../../sheets/kept.ts';
import type { Book } from '../../sheets/open-file.ts';
import type { Answers } from '../../sheets/reading.ts';
import type { Table } from '../../sheets/table.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { toast } from '../../ui/page/toast.tsx';
import { loadProvinces } from '../cliente/poblaciones.ts';
import { createChecker, importFila, unknownPacks } from './check.ts';
import { type Import, readImportDraft, startImport, storeImportDraft } from './draft.ts';
import { createGrouper } from './groups.ts';
import { postcodePrefixes } from './place.ts';
import { ordersIn, readSheet } from './read-orders.ts';
import type { Reading, Row } from './target.ts';
import { useRows } from './use-rows.ts';
import { CHECK_LIMIT_MS, type Refused, refusedRows, type Sent, useServerCheck } from './use-server-check.ts';
import { checkedView } from './view.ts';

const NONE: Refused = new Map();
const NO_PACKS: readonly Pack[] = [];

/** State and actions of an import, from the sheet to the created orders. */
export function useImport(actor: SessionUser, packs: readonly Pack[] | undefined) {
  const [state, setState] = useState(() => readImportDraft(actor.id));
  const [created, setCreated] = useState<number>();
  const [refused, setRefused] = useState(NONE);
  const [book, setBook] = useState<Book>();
  const kept = useKeptAnswers('pedidos');
  useStored(actor.id, state);

  const { accepted = {}, revendedor_id, cobrar = false } = state ?? {};
  const { sheet, group, split, orders, checked, unknown, customers, loading } = useOrders(actor, state, packs ?? NO_PACKS);
  const missing = sheet?.missing ?? [];

  const asksCustomers = customers.length > 0 && state?.answers.joined === undefined;
  const unanswered =
    Number((sheet?.asked.length ?? 0) > 0) +
    (sheet?.words.filter(({ meaning }) => meaning === undefined).length ?? 0) +
    [missing.length > 0, asksCustomers, sheet?.day !== undefined, split.unsure.length > 0].filter(Boolean).length;

  const clean =
    !!packs &&
    !loading &&
    checked.length > 0 &&
    missing.length === 0 &&
    checked.every(({ row, errors }) => Object.keys(errors).length === 0 && !refused.has(row));
  const sent = useMemo<Sent | undefined>(
    () => (clean ? { orders, body: { filas: orders.map(importFila), cobrar, ...(revendedor_id && { revendedor_id }) } } : undefined),
    [clean, orders, cobrar, revendedor_id],
  );
  const server = useServerCheck(sent, setRefused);
  const places = useMemo(() => new Map(split.kept.map(({ id }, at) => [id, at])), [split.kept]);
  const views = orders
    .flatMap((order) =>
      order.map((line) => {
        const { row } = line;
        return checkedView(line, order, { refused: refused.get(row), doubts: server.doubts?.get(row.id), accepted: accepted[row.id] });
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

  const payments = sent ? sent.body.filas.flatMap(({ pago }, fila) => (pago ? [{ pago, total: server.data?.totales[fila] }] : [])) : [];
  const partly = payments.filter(({ pago, total }) => pago.importe != null && total !== undefined && Number(pago.importe) < total).length;

  return {
    state,
    sheet,
    split,
    created,
    missing,
    unknown,
    views,
    wrong,
    doubtful,
    orders: orders.length,
    /** Numbers of orders that are paid already, paid in part, and paid on delivery. */
    paid: payments.length - partly,
    partly,
    onDelivery: sent ? sent.body.filas.filter(({ contra_reembolso }) => contra_reembolso).length : 0,
    customers,
    /** Number of unanswered questions. */
    unanswered,
    /** True if no column is the quantity and every quantity is 1. */
    ones: !sheet?.reading.columns.includes('cantidad') && checked.every(({ values }) => values.cantidad === '1'),
    server,
    ready,
    ...creating,
    /** Workbook of this import, to choose other tabs; undefined for text, and after a reload of the page. */
    book,
    known: kept.known,
    start: (table: Table, file: string, from?: Book) => {
      setCreated(undefined);
      setBook(from);
      setState(startImport(table, file, kept.answersFor(table.titles, table.lines[0]?.cells.length ?? 0)));
    },
    /** Stores an answer for this sheet and later ones of its format. */
    answer: (make: (answers: Answers) => Answers) => {
      setRefused(NONE);
      if (!state) return;
      const answers = make(state.answers);
      kept.keep(state.titles, state.lines[0]?.cells.length ?? 0, answers);
      change(() => ({ answers }));
    },
    restart: ({ keepBook = false } = {}) => {
      setState(undefined);
      if (!keepBook) setBook(undefined);
      setCreated(undefined);
    },
    set: (changes: Partial<Pick<Import, 'revendedor_id' | 'cobrar' | 'included' | 'titles' | 'lines' | 'rows'>>) => {
      setRefused(NONE);
      change(() => changes);
    },
    ...useRows(change, sheet, group),
  };
}

const KEEP_MS = 300;

/** False after sign-out, when nothing may be stored. */
const isSignedIn = (owner: string) => queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id === owner;

/** Stores the draft, debounced because a draft may be large. Asks before leaving if the draft does not fit into storage. */
function useStored(owner: string, state: Import | undefined) {
  const latest = useRef(state);
  const fits = useRef(true);
  useEffect(() => {
    latest.current = state;
    const store = () => {
      if (isSignedIn(owner)) fits.current = storeImportDraft(owner, latest.current);
    };
    if (!state) return store();
    const timer = setTimeout(store, KEEP_MS);
    addEventListener('pagehide', store);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', store);
    };
  }, [owner, state]);
  // Flushes the draft on unmount.
  useEffect(
    () => () => {
      if (isSignedIn(owner) && latest.current) storeImportDraft(owner, latest.current);
    },
    [owner],
  );
  useUnsaved(() => !!state && !fits.current);
}

type Options = {
  sent: Sent | undefined;
  server: ReturnType<typeof useServerCheck>;
  ready: boolean;
  key: string | undefined;
  onCreated: (creados: number) => void;
  onRefused: (refused: Refused) => void;
  /** Called if an earlier request with a lost answer created orders, and rows have changed since. */
  onLost: () => void;
};

/** Creates the orders once the server has checked them. */
function useCreate({ sent, server, ready, key, onCreated, onRefused, onLost }: Options) {
  const create = useMutate(importPedidos, {
    success: false,
    failure: 'No se pudieron crear los pedidos',
    limit: CHECK_LIMIT_MS,
    onSuccess: ({ creados }) => onCreated(creados),
    onError: (error) => {
      if (error.code === 'idempotency') {
        // An earlier request, whose answer was lost, did create the orders.
        onLost();
        toast.error('El envío anterior sí creó los pedidos. Compruébalos en la lista antes de crear otros.');
      } else if (sent) {
        onRefused(refusedRows(sent, error.errors));
        if (error.status === 422) server.again();
      }
    },
  });
  // Remembers a press during the server's check, and creates the orders if the check passes.
  const [pressed, setPressed] = useState<Sent>();
  const { mutate } = create;
  useEffect(() => {
    if (!pressed || pressed !== sent || !key || !(server.data || server.error)) return;
    setPressed(undefined);
    if (ready) mutate({ body: pressed.body, headers: { 'idempotency-key': key } });
  }, [pressed, sent, key, server.data, server.error, ready, mutate]);
  return { sending: create.isPending, pressed: !!pressed && pressed === sent, create: () => setPressed(sent) };
}

const NO_READING: Reading = { columns: [], words: {} };
const NOTHING: ReturnType<typeof ordersIn> = { kept: [], out: [], unsure: [] };

/** Reads the rows of an import, groups them into orders and checks them; unchanged orders are not checked again. */
function useOrders(actor: SessionUser, state: Import | undefined, packs: readonly Pack[]) {
  const { titles = null, lines, rows, answers, included, removed } = state ?? {};
  const sheet = useMemo(
    () => (lines && answers && included ? readSheet(actor, { titles, lines, answers, included }) : undefined),
    [actor, titles, lines, answers, included],
  );
  const split = useMemo(
    () => (sheet && rows && answers && included && removed ? ordersIn(sheet, { titles, rows, answers, included, removed }) : NOTHING),
    [sheet, titles, rows, answers, included, removed],
  );
  const reading = sheet?.reading ?? NO_READING;
  const byCustomer = useMemo(() => createGrouper(reading, true), [reading]);
  const group = useMemo(() => (answers?.joined ? byCustomer : createGrouper(reading)), [byCustomer, reading, answers?.joined]);
  const { provinces, loading } = useProvinces(split.kept, reading);
  const chosen = answers?.packs;
  const check = useMemo(() => createChecker({ reading, packs, chosen: chosen ?? {}, provinces }), [reading, packs, chosen, provinces]);
  const orders = useMemo(() => group(split.kept).map(check), [split.kept, group, check]);
  const checked = useMemo(() => orders.flat(), [orders]);
  const unknown = useMemo(() => unknownPacks(checked, packs), [checked, packs]);
  /** Customers with several lines, in a sheet without order numbers. */
  const customers = useMemo(
    () =>
      reading.columns.includes('pedido') ? [] : byCustomer(split.kept).filter((each) => new Set(each.rows.map(({ n }) => n)).size > 1),
    [reading, byCustomer, split.kept],
  );
  return { sheet, split, group, orders, checked, unknown, customers, loading };
}

/** Towns of the provinces in the sheet. `loading` until all of them have come or failed. */
function useProvinces(rows: readonly Row[], reading: Reading): { provinces: Provinces; loading: boolean } {
  const prefixesIn = useMemo(() => postcodePrefixes(reading), [reading]);
  const wanted = useMemo(() => prefixesIn(rows).join(' '), [prefixesIn, rows]);
  const [found, setFound] = useState<{ wanted: string; provinces: Provinces }>({ wanted: '', provinces: new Map() });
  useEffect(() => {
    let latest = true;
    if (wanted) void loadProvinces(wanted.split(' ')).then((provinces) => latest && setFound({ wanted, provinces }));
    return () => {
      latest = false;
    };
  }, [wanted]);
  return { provinces: found.provinces, loading: wanted !== found.wanted && wanted !== '' };
}
