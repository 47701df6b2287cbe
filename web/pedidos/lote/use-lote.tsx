import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Paged } from '../../../contract/kit/endpoint.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import { METODOS_ENTREGA } from '../../../contract/pedidos/metodos.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { MAX_DESHACER } from '../../../contract/pedidos/reversals.ts';
import { plural } from '../../../contract/text/plural.ts';
import { ApiError, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { RefundDue } from '../pagos/refund-due.tsx';
import type { FilterValues } from '../table/query.ts';
import { type Chosen, countSelected, useSelection } from '../table/use-selection.ts';
import type { Accion, Lote, LoteStep } from './accion.ts';
import { AssignLoteDialog, ShipmentDialog } from './assign-dialog.tsx';
import classes from './lote-bar.module.css';
import { LoteBar } from './lote-bar.tsx';
import ResultDialog, { type LoteResult } from './result-dialog.tsx';
import { CancelLoteDialog, StepLoteDialog } from './step-dialog.tsx';
import { UndoLoteDialog } from './undo-dialog.tsx';

const TITLE: Record<Accion['tipo'], string> = {
  asignar: 'Asignar transportista',
  cancelar: 'Cancelar pedidos',
  eliminar: 'Eliminar pedidos',
  restaurar: 'Restaurar pedidos',
  pagar: 'Anotar pago',
  preparar: 'Empezar a preparar',
  volver: 'Volver a asignado',
  salir: 'Salir a reparto',
  completar: 'Completar pedidos',
};
const labelOf = (pedido: Pedido) => `Seleccionar ${pedido.numero_orden}`;

/** Sends an action on the chosen orders and shows the result of each. */
function useRunLote(choice: ReturnType<typeof useSelection>) {
  const { selection, filter, clear, keep } = choice;
  const [result, setResult] = useState<LoteResult>();
  const run = useMutate(lotePedidos, { success: false, failure: 'No se pudieron cambiar los pedidos', limit: 60_000 });
  const offerUndo = useUndoLote();
  const { rows: chosen, all } = selection;
  const which: Lote['pedidos'] = all === undefined ? { ids: chosen.map(({ id }) => id) } : { filtro: filter, esperados: all };

  async function go(accion: Accion, carrier?: string) {
    try {
      const { data } = await run.mutateAsync({ body: { pedidos: which, accion } });
      const answered = new Set(data.map(({ id }) => id));
      const gone = chosen.filter(({ id }) => !answered.has(id));
      const failed = data.filter(({ ok }) => !ok);
      const changed = data.filter(({ ok }) => ok).map(({ id }) => id);
      const message = offerUndo(accion, changed, { before: chosen, carrier }, failed.length + gone.length > 0);
      if (message === true) focusList();
      else
        setResult({
          title: TITLE[accion.tipo],
          undo: message || undefined,
          rows: [...data, ...gone.map(({ id, numero_orden }) => ({ id, numero_orden, ok: false, message: 'El pedido ya no existe' }))],
        });
      keep(failed.map((row) => chosen.find(({ id }) => id === row.id) ?? row));
    } catch (error) {
      // 409: the number of matching orders has changed. The toast says so, and the selection is cleared to choose again.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      clear();
    }
  }

  /** Shows the result of each order, and keeps the refused ones chosen. */
  function show(title: string, rows: LoteResult['rows']) {
    setResult({ title, rows });
    keep(chosen.filter(({ id }) => rows.some((row) => row.id === id && !row.ok)));
  }
  return { go, which, result, show, busy: run.isPending, onResultClosed: () => setResult(undefined) };
}

/** Bulk actions on a list of orders: `selection` for the table, `tick` for the cards, `bar` with its dialogs. */
export function useLote(filters: FilterValues, rows: readonly Pedido[] | undefined, page: Paged<unknown> | undefined) {
  const choice = useSelection(filters, page?.total_exacto === false ? undefined : page?.total);
  const { selection, choose, ticked } = choice;
  const [asking, setAsking] = useState<'asignar' | 'pagar' | 'completar' | 'cancelar' | 'deshacer' | 'envio'>();
  const { go, which, result, show, busy, onResultClosed } = useRunLote(choice);
  const asks = useMutate(calcularDevolucion, { success: false, failure: 'No se pudieron eliminar los pedidos' });
  const { envios } = useSession();
  const n = countSelected(selection);
  const now = ticked(rows ?? []);
  const { rows: chosen, all } = selection;

  const close = () => setAsking(undefined);
  const quiet = (accion: Accion, carrier?: string) => void go(accion, carrier).then(close, () => undefined);
  const start = () =>
    confirm({
      title: TITLE.salir,
      message: `${plural(n, 'pedido pasará', 'pedidos pasarán')} a «${ESTADO.en_ruta.label}». Los que no puedan salir a reparto se quedan como están.`,
      confirm: 'Salir a reparto',
      action: () => go({ tipo: 'salir' }),
    });
  /** Confirms first if paid orders are among the chosen ones. */
  async function remove() {
    const owed = await asks.mutateAsync({ body: { pedidos: which, para: 'eliminar' } }).catch(() => undefined);
    const question = {
      title: TITLE.eliminar,
      message: owed && <RefundDue paid={owed.pagados} amount={owed.importe} of={n} />,
      confirm: 'Eliminar',
      danger: true,
    };
    if (owed && (owed.pagados === 0 || (await confirm(question)))) quiet({ tipo: 'eliminar' });
  }
  function onStep(step: LoteStep) {
    if (step === 'preparar') quiet({ tipo: step });
    else if (step === 'salir') void start();
    else setAsking(step);
  }

  const dialog = (of: typeof asking) => ({ opened: asking === of, n, busy, onClose: close });

  return {
    /** Class of the element around list and bar. */
    className: n > 0 ? classes.room : undefined,
    // The table uses only the ids of the rows, so their type does not matter.
    selection: { rows: now as readonly Pedido[], onChange: choose, label: labelOf },
    /** Checkbox of a card, sized for touch. */
    tick: (pedido: Pedido) => {
      const checked = now.some(({ id }) => id === pedido.id);
      return (
        <Checkbox
          size="md"
          p={4}
          aria-label={labelOf(pedido)}
          checked={checked}
          onChange={() => choose(checked ? now.filter(({ id }) => id !== pedido.id) : [...now, pedido])}
        />
      );
    },
    bar: (
      <>
        <LoteBar
          choice={choice}
          // As listed now, because a chosen order may have moved on.
          known={all === undefined ? chosen.map((row) => rows?.find(({ id }) => id === row.id) ?? row) : []}
          busy={busy}
          onAssign={() => setAsking('asignar')}
          onShipment={envios && all === undefined ? () => setAsking('envio') : undefined}
          onStep={onStep}
          onCancel={() => setAsking('cancelar')}
          onUndo={all === undefined && n <= MAX_DESHACER ? () => setAsking('deshacer') : undefined}
          onDelete={() => void remove()}
          onRestore={filters.eliminados ? () => quiet({ tipo: 'restaurar' }) : undefined}
        />
        {n > 0 && (
          <>
            <AssignLoteDialog
              {...dialog('asignar')}
              orders={all === undefined ? chosen : []}
              onAssign={(assignment, carrier) => quiet({ tipo: 'asignar', ...assignment }, carrier)}
            />
            <ShipmentDialog {...dialog('envio')} ids={chosen.map(({ id }) => id)} />
            <CancelLoteDialog {...dialog('cancelar')} which={which} onSubmit={(motivo) => quiet({ tipo: 'cancelar', motivo })} />
            <UndoLoteDialog
              opened={asking === 'deshacer'}
              ids={chosen.map(({ id }) => id)}
              onClose={close}
              onDone={(done) => {
                close();
                show('Deshacer', done);
              }}
            />
            <StepLoteDialog
              of={asking === 'pagar' || asking === 'completar' ? asking : undefined}
              ownVan={all === undefined && chosen.every(({ empresa_transporte }) => empresa_transporte === 'manual')}
              n={n}
              busy={busy}
              onClose={close}
              onDone={quiet}
            />
          </>
        )}
        {result && <ResultDialog result={result} onClose={onResultClosed} />}
      </>
    ),
  };
}

type Undo = { ids: string[]; accion: Accion };
type Context = {
  /** Chosen orders before the action; empty if chosen by filter. */
  before: readonly Chosen[];
  /** Name of the new carrier. */
  carrier: string | undefined;
};

const UNDONE: Partial<Record<Accion['tipo'], readonly [one: string, many: string]>> = {
  restaurar: ['restaurado', 'restaurados'],
  volver: ['asignado otra vez', 'asignados otra vez'],
  asignar: ['como antes', 'como antes'],
};

/** Spanish words for the change, and the actions that undo it; undefined for an action without inverse. */
function inverseOf(accion: Accion, ids: string[], { before, carrier }: Context): { done: string; undo: Undo[] } | undefined {
  const isSingle = ids.length === 1;
  switch (accion.tipo) {
    case 'eliminar':
      return { done: isSingle ? 'eliminado' : 'eliminados', undo: [{ ids, accion: { tipo: 'restaurar' } }] };
    case 'preparar':
      return { done: 'en proceso', undo: [{ ids, accion: { tipo: 'volver' } }] };
    case 'asignar':
      return { done: carrier ? `para ${carrier}` : 'sin asignar', undo: backToCarriers(accion, ids, before) };
    default:
      return undefined;
  }
}

/** Returns one action for each former carrier and company; none unless all former carriers are known. */
function backToCarriers(accion: Extract<Accion, { tipo: 'asignar' }>, ids: string[], before: readonly Chosen[]): Undo[] {
  const groups = new Map<string, Undo>();
  for (const id of ids) {
    const was = before.find((row) => row.id === id);
    if (was?.transportista_id === undefined) return [];
    const company = METODOS_ENTREGA.find((method) => method === was.empresa_transporte) ?? null;
    const empresa_transporte = accion.empresa_transporte ? company : null;
    const key = `${was.transportista_id ?? ''} ${empresa_transporte ?? ''}`;
    const group: Undo = groups.get(key) ?? {
      ids: [],
      accion: { tipo: 'asignar', transportista_id: was.transportista_id, empresa_transporte },
    };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns a function that offers an undo in a toast; false without an inverse, and the undo itself if only `some` changed. */
function useUndoLote() {
  const back = useMutate(lotePedidos, { success: false, failure: 'No se pudo deshacer', limit: 60_000 });

  async function undoAll(undo: Undo[]) {
    for (const { ids, accion } of undo) {
      const { data } = await back.mutateAsync({ body: { pedidos: { ids }, accion } });
      const failed = data.filter(({ ok }) => !ok);
      const n = data.length - failed.length;
      const [one, many] = UNDONE[accion.tipo] ?? ['como antes', 'como antes'];
      if (n) toast.success(plural(n, `pedido ${one}`, `pedidos ${many}`));
      for (const { numero_orden, message } of failed.slice(0, 2)) toast.error(message, { title: `No se pudo deshacer en ${numero_orden}` });
    }
  }

  return (accion: Accion, ids: string[], context: Context, some: boolean): boolean | (() => void) => {
    const inverse = inverseOf(accion, ids, context);
    if (!inverse) return false;
    const { done, undo } = inverse;
    // The mutation has already reported the failure in a toast.
    const onClick = () => void undoAll(undo).catch(() => undefined);
    if (some) return ids.length > 0 && undo.length > 0 && onClick;
    if (ids.length)
      toast.success(`${plural(ids.length, 'pedido')} ${done}`, {
        ...(undo.length && { autoClose: TIME_TO_UNDO, action: { label: 'Deshacer', undo: true, onClick } }),
      });
    return true;
  };
}
