import { Checkbox } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { BodyIn, Paged } from '../../../contract/kit.ts';
import { lotePedidos } from '../../../contract/pedidos.lote.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { ApiError, useMutate } from '../../api.ts';
import { lazyPart } from '../../lazy.ts';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { focusList } from '../../ui/list/focus-list.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import type { FilterValues } from '../table/query.ts';
import classes from './bar.module.css';
import { LoteBar } from './bar.tsx';
import type { Result } from './result-dialog.tsx';
import { countOf, pedidos, useSelection } from './use-selection.ts';

// Loaded on demand: most visits only want the table.
const AssignLoteDialog = lazyPart(() => import('./assign-dialog.tsx'));
const StepLoteDialog = lazyPart(() => import('./step-dialog.tsx'));
const ResultDialog = lazyPart(() => import('./result-dialog.tsx'));

type Body = BodyIn<typeof lotePedidos>;
export type Accion = Body['accion'];
export type Step = 'pagar' | 'preparar' | 'salir' | 'completar';
const TITLE: Record<Accion['tipo'], string> = {
  asignar: 'Asignar transportista',
  cancelar: 'Cancelar pedidos',
  eliminar: 'Eliminar pedidos',
  restaurar: 'Restaurar pedidos',
  pagar: 'Marcar como pagados',
  preparar: 'Empezar a preparar',
  volver: 'Volver a asignado',
  salir: 'Salir a reparto',
  completar: 'Completar pedidos',
};
/** What takes another action back; such a one is done without asking. */
const TAKEN_BACK_BY: Partial<Record<Accion['tipo'], 'restaurar' | 'volver'>> = { eliminar: 'restaurar', preparar: 'volver' };
const DONE: Partial<Record<Accion['tipo'], string>> = { eliminar: 'Eliminados', preparar: 'En proceso' };

const labelOf = (pedido: Pedido) => `Seleccionar ${pedido.numero_orden}`;

/**
 * Bulk actions on a list of orders: `selection` for its table, `tick` for its cards, and `bar` with its dialogs
 * to render under it.
 */
export function useLote(filters: FilterValues, rows: readonly Pedido[] | undefined, page: Paged<unknown> | undefined) {
  const choice = useSelection(filters, page?.total_exacto === false ? undefined : page?.total);
  const { selection, filter, choose, clear, keep, ticked } = choice;
  const [assigning, setAssigning] = useState(false);
  const [asking, setAsking] = useState<'pagar' | 'completar'>();
  const [result, setResult] = useState<Result>();
  const run = useMutate(lotePedidos, { success: false, failure: 'No se pudieron cambiar los pedidos', limit: 60_000 });
  const n = countOf(selection);
  const now = ticked(rows ?? []);

  const send = (pedidos: Body['pedidos'], accion: Accion) => run.mutateAsync({ body: { pedidos, accion } });

  async function go(accion: Accion) {
    const { rows: chosen, all } = selection;
    const which: Body['pedidos'] = all === undefined ? { ids: chosen.map(({ id }) => id) } : { filtro: filter, esperados: all };
    try {
      const { data } = await send(which, accion);
      const answered = new Set(data.map(({ id }) => id));
      const gone = chosen.filter(({ id }) => !answered.has(id));
      const failed = data.filter(({ ok }) => !ok);
      const back = TAKEN_BACK_BY[accion.tipo];
      if (back) offerUndo(accion, back, data);
      if (!back || failed.length + gone.length > 0)
        setResult({
          title: TITLE[accion.tipo],
          rows: [...data, ...gone.map(({ id, numero_orden }) => ({ id, numero_orden, ok: false, message: 'El pedido ya no existe' }))],
        });
      else focusList();
      keep(failed);
    } catch (error) {
      // 409: another number of orders matches now. The toast has said so; the person chooses again.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      clear();
    }
    setAssigning(false);
    setAsking(undefined);
  }

  function offerUndo(accion: Accion, back: 'restaurar' | 'volver', data: readonly { id: string; ok: boolean }[]) {
    const ids = data.filter(({ ok }) => ok).map(({ id }) => id);
    const undo = () =>
      void send({ ids }, { tipo: back }).then(
        ({ message }) => toast.success(message),
        () => undefined,
      );
    if (ids.length === 0) return;
    toast.success(`${DONE[accion.tipo]}: ${pedidos(ids.length)}`, {
      autoClose: TIME_TO_UNDO,
      action: { label: 'Deshacer', undo: true, onClick: undo },
    });
  }

  const quiet = (accion: Accion) => void go(accion).catch(() => undefined);
  const start = () =>
    confirm({
      title: TITLE.salir,
      message: `${pedidos(n)} ${n === 1 ? 'pasará' : 'pasarán'} a «En Ruta». Los que no puedan salir a reparto se quedan como están.`,
      confirm: 'Salir a reparto',
      action: () => go({ tipo: 'salir' }),
    });
  function onStep(step: Step) {
    if (step === 'preparar') quiet({ tipo: step });
    else if (step === 'salir') void start();
    else setAsking(step);
  }

  const cancel = () =>
    confirm({
      title: TITLE.cancelar,
      message: `¿Cancelar ${pedidos(n)}? Quedarán cancelados para siempre y sus unidades volverán al stock. Los que no se puedan cancelar se quedan como están.`,
      confirm: `Cancelar ${pedidos(n)}`,
      cancel: 'Volver',
      danger: true,
      action: () => go({ tipo: 'cancelar' }),
    });

  return {
    /** Class of the element that wraps list and bar. */
    className: n > 0 ? classes.room : undefined,
    // The table looks at no more than their ids.
    selection: { rows: now as readonly Pedido[], onChange: choose, label: labelOf },
    /** Sized for touch. */
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
          busy={run.isPending}
          onAssign={() => setAssigning(true)}
          onStep={onStep}
          onCancel={() => void cancel()}
          onDelete={() => quiet({ tipo: 'eliminar' })}
        />
        <Suspense>
          {n > 0 && (
            <AssignLoteDialog
              opened={assigning}
              n={n}
              busy={run.isPending}
              onClose={() => setAssigning(false)}
              onAssign={(assignment) => quiet({ tipo: 'asignar', ...assignment })}
            />
          )}
          {n > 0 && <StepLoteDialog of={asking} n={n} busy={run.isPending} onClose={() => setAsking(undefined)} onDone={quiet} />}
          {result && <ResultDialog result={result} onClose={() => setResult(undefined)} />}
        </Suspense>
      </>
    ),
  };
}
