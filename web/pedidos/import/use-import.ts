import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import type { Pack } from '../../../contract/products/products.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { queryClient, SESSION_KEY, useMutate } from '../../api.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { toast } from '../../ui/page/toast.tsx';
import { newKey } from '../create/draft.ts';
import { filaOf } from './check.ts';
import { matchColumns } from './columns.ts';
import { type Import, keepDraft, readDraft, startImport } from './draft.ts';
import { withoutRow, withTyped } from './groups.ts';
import { knownColumns, rememberColumns, rememberNoCantidad, rememberPack } from './memory.ts';
import { quantityAsked } from './questions.ts';
import type { Row } from './row.ts';
import type { Sheet } from './sheet.ts';
import { type Columns, columnsFor, REQUIRED_TARGETS, type Target } from './target.ts';
import { useOrders } from './use-orders.ts';
import { LIMIT_MS, type Refused, refusedRows, type Sent, useServerCheck } from './use-server-check.ts';
import { shown } from './view.ts';

const KEEP_MS = 300;

/** Nothing is stored after sign-out. */
const isSignedIn = (owner: string) => queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id === owner;

/** Stores the draft, debounced because it may be large; asks before leaving if it does not fit. */
function useKept(owner: string, state: Import | undefined) {
  const latest = useRef(state);
  const fits = useRef(true);
  useEffect(() => {
    latest.current = state;
    const keep = () => {
      if (isSignedIn(owner)) fits.current = keepDraft(owner, latest.current);
    };
    if (!state) return keep();
    const timer = setTimeout(keep, KEEP_MS);
    addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
  }, [owner, state]);
  // Flushes the draft on unmount.
  useEffect(
    () => () => {
      if (isSignedIn(owner) && latest.current) keepDraft(owner, latest.current);
    },
    [owner],
  );
  useUnsaved(() => !!state && !fits.current);
}

const NONE: Refused = new Map();
const NO_PACKS: readonly Pack[] = [];

/** An import from what was read to the orders that it creates. */
export function useImport(actor: SessionUser, packs: readonly Pack[] | undefined) {
  const owner = actor.id;
  const [state, setState] = useState(() => readDraft(owner));
  const [created, setCreated] = useState<number>();
  const [refused, setRefused] = useState(NONE);
  useKept(owner, state);

  const { columns = [], accepted = {}, revendedor_id, cobrar = false, juntar } = state ?? {};
  const missing = REQUIRED_TARGETS.filter((target) => !columns.includes(target));
  const { group, orders, checked, unknown, customers } = useOrders(state, packs ?? NO_PACKS);

  const quantity = useMemo(() => state && quantityAsked(state), [state]);
  const asksCustomers = customers.length > 0 && juntar === undefined;
  const unanswered = Number(quantity !== undefined) + Number(asksCustomers);

  const clean =
    !!packs &&
    checked.length > 0 &&
    missing.length === 0 &&
    checked.every(({ row, errors }) => Object.keys(errors).length === 0 && !refused.has(row));
  const sent = useMemo<Sent | undefined>(
    () => (clean ? { orders, body: { filas: orders.map(filaOf), cobrar, ...(revendedor_id && { revendedor_id }) } } : undefined),
    [clean, orders, cobrar, revendedor_id],
  );
  const server = useServerCheck(sent, setRefused);
  const views = orders.flatMap((order) =>
    order.map((line) => {
      const { row } = line;
      return shown(line, order, { refused: refused.get(row), repeats: server.repeated?.get(row.id), accepted: accepted[row.id] });
    }),
  );
  const wrong = views.filter(({ isWrong }) => isWrong);
  const doubtful = views.filter(({ open }) => open.length > 0);

  const change = useCallback((make: (state: Import) => Partial<Import>) => {
    setState((before) => before && { ...before, ...make(before) });
  }, []);
  const replace = useCallback(
    (id: string, make: (row: Row) => Row) => change((now) => ({ rows: now.rows.map((row) => (row.id === id ? make(row) : row)) })),
    [change],
  );

  const type = useCallback(
    (id: string, target: Target, text: string) => change(({ rows }) => ({ rows: withTyped(rows, group(rows), { id, target, text }) })),
    [change, group],
  );
  const pick = useCallback((id: string, pack_id: string) => replace(id, (row) => ({ ...row, pack_id })), [replace]);
  const remove = useCallback((id: string) => change(({ rows }) => ({ rows: withoutRow(rows, group(rows), id) })), [change, group]);

  const create = useMutate(importPedidos, {
    success: false,
    failure: 'No se pudieron crear los pedidos',
    limit: LIMIT_MS,
    onSuccess: ({ creados }) => {
      setCreated(creados);
      setState(undefined);
    },
    onError: (error) => {
      if (error.code === 'idempotency') {
        // The answer was lost and rows have changed since, but the first request did create orders.
        change(() => ({ key: newKey() }));
        toast.error('El envío anterior sí creó los pedidos. Compruébalos en la lista antes de crear otros.');
      } else if (sent) {
        setRefused(refusedRows(sent, error.errors));
        if (error.status === 422) server.again();
      }
    },
  });

  const ready = !!sent && !server.error && !server.data?.faltan.length && doubtful.length === 0 && unanswered === 0;
  // A press during the server's check is remembered: creates if the check passes, else shows the problems.
  const [pressed, setPressed] = useState<Sent>();
  const { mutate } = create;
  const key = state?.key;
  useEffect(() => {
    if (!pressed || pressed !== sent || !key || !(server.data || server.error)) return;
    setPressed(undefined);
    if (ready) mutate({ body: pressed.body, headers: { 'idempotency-key': key } });
  }, [pressed, sent, key, server.data, server.error, ready, mutate]);

  return {
    state,
    created,
    missing,
    unknown,
    views,
    wrong,
    doubtful,
    orders: orders.length,
    /** Column asked about. */
    quantity,
    customers,
    /** Number of questions without an answer. */
    unanswered,
    /** No column says how many. */
    ones: !columns.includes('cantidad') && checked.every(({ values }) => values.cantidad === '1'),
    server,
    sending: create.isPending,
    ready,
    pressed: !!pressed && pressed === sent,
    start: (sheet: Sheet, file: string) => {
      setCreated(undefined);
      setState(startImport(actor, sheet, file));
    },
    restart: () => {
      setState(undefined);
      setCreated(undefined);
    },
    set: (given: Partial<Pick<Import, 'revendedor_id' | 'cobrar' | 'juntar'>>) => {
      setRefused(NONE);
      change(() => given);
    },
    setColumns: (next: Columns) => {
      setRefused(NONE);
      rememberColumns(owner, state?.titles ?? null, next);
      change(() => ({ columns: next }));
    },
    /** Notes that this column is not the quantity. */
    notQuantity: (at: number) =>
      change(({ titles, noCantidad = [], columns }) => {
        const all = [...noCantidad, at];
        rememberNoCantidad(owner, titles, columns.length, all);
        return { noCantidad: all };
      }),
    /** Takes the headings for a row, or the first row for the headings. */
    toggleTitles: () => change((now) => toggled(actor, now)),
    choosePack: (key: string, pack_id: string) => {
      setRefused(NONE);
      rememberPack(owner, key, pack_id);
      change((now) => ({ chosen: { ...now.chosen, [key]: pack_id } }));
    },
    /** Takes in the rows that the sheet leaves out, at their places. */
    takeIn: () =>
      change(({ rows, fuera = [] }) => ({
        rows: [...rows, ...fuera.map(({ row }) => row)].sort((a, b) => Number(a.id) - Number(b.id)),
        fuera: [],
      })),
    type,
    pick,
    remove,
    /** Accepts the warnings of these rows. */
    accept: (these: typeof views) =>
      change((now) => ({
        accepted: { ...now.accepted, ...Object.fromEntries(these.map(({ id, doubts }) => [id, doubts.map(({ text }) => text)])) },
      })),
    create: () => setPressed(sent),
  };
}

function toggled(actor: SessionUser, { titles, columns, rows }: Import): Partial<Import> {
  if (titles) return { titles: null, rows: [{ id: 'títulos', n: Math.max(1, (rows[0]?.n ?? 2) - 1), cells: titles, typed: {} }, ...rows] };
  const [first, ...others] = rows;
  if (!first) return {};
  const matched = columnsFor(actor, knownColumns(actor.id, first.cells, columns.length) ?? matchColumns(first.cells));
  return { titles: first.cells, rows: others, columns: columns.map((column, i) => column || (matched[i] ?? '')) };
}
