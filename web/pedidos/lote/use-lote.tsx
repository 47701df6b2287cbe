import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Paged } from '../../../contract/kit/endpoint.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { ApiError, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { RefundDue } from '../pagos/refund-due.tsx';
import type { FilterValues } from '../table/query.ts';
import { countOf, pedidos, useSelection } from '../table/use-selection.ts';
import type { Accion, Lote, Step } from './accion.ts';
import AssignLoteDialog from './assign-dialog.tsx';
import CancelLoteDialog from './cancel-dialog.tsx';
import classes from './lote-bar.module.css';
import { LoteBar } from './lote-bar.tsx';
import ResultDialog, { type Result } from './result-dialog.tsx';
import ShipmentDialog from './shipment-dialog.tsx';
import StepLoteDialog from './step-dialog.tsx';
import { useUndoLote } from './use-undo-lote.ts';

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
  const [result, setResult] = useState<Result>();
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
      const said = offerUndo(accion, changed, { before: chosen, carrier }, failed.length + gone.length > 0);
      if (said === true) focusList();
      else
        setResult({
          title: TITLE[accion.tipo],
          undo: said || undefined,
          rows: [...data, ...gone.map(({ id, numero_orden }) => ({ id, numero_orden, ok: false, message: 'El pedido ya no existe' }))],
        });
      keep(failed);
    } catch (error) {
      // 409: the number of matching orders has changed. The toast says so, and the selection is cleared to choose again.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      clear();
    }
  }

  return { go, which, result, busy: run.isPending, onResultClosed: () => setResult(undefined) };
}

/** Bulk actions on a list of orders: `selection` for the table, `tick` for the cards, `bar` with its dialogs. */
export function useLote(filters: FilterValues, rows: readonly Pedido[] | undefined, page: Paged<unknown> | undefined) {
  const choice = useSelection(filters, page?.total_exacto === false ? undefined : page?.total);
  const { selection, choose, ticked } = choice;
  const [asking, setAsking] = useState<'asignar' | 'pagar' | 'completar' | 'cancelar' | 'envio'>();
  const { go, which, result, busy, onResultClosed } = useRunLote(choice);
  const asks = useMutate(calcularDevolucion, { success: false, failure: 'No se pudieron eliminar los pedidos' });
  const { envios } = useSession();
  const n = countOf(selection);
  const now = ticked(rows ?? []);
  const { rows: chosen, all } = selection;

  const close = () => setAsking(undefined);
  const quiet = (accion: Accion, carrier?: string) => void go(accion, carrier).then(close, () => undefined);
  const start = () =>
    confirm({
      title: TITLE.salir,
      message: `${pedidos(n)} ${n === 1 ? 'pasará' : 'pasarán'} a «${ESTADO.en_ruta.label}». Los que no puedan salir a reparto se quedan como están.`,
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
  function onStep(step: Step) {
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
          busy={busy}
          onAssign={() => setAsking('asignar')}
          onShipment={envios && all === undefined ? () => setAsking('envio') : undefined}
          onStep={onStep}
          onCancel={() => setAsking('cancelar')}
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
