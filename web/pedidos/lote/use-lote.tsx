import { Checkbox } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { BodyIn, Paged } from '../../../contract/kit.ts';
import { lotePedidos } from '../../../contract/pedidos.lote.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { ApiError, useMutate } from '../../api.ts';
import { lazyPart } from '../../lazy.ts';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { focusList } from '../../ui/list/focus-list.ts';
import type { FilterValues } from '../table/query.ts';
import classes from './bar.module.css';
import { LoteBar } from './bar.tsx';
import type { Result } from './result-dialog.tsx';
import { countOf, pedidos, useSelection } from './use-selection.ts';
import { useUndoLote } from './use-undo-lote.ts';

// Loaded on demand: most visits only want the table.
const AssignLoteDialog = lazyPart(() => import('./assign-dialog.tsx'));
const CancelLoteDialog = lazyPart(() => import('./cancel-dialog.tsx'));
const ResultDialog = lazyPart(() => import('./result-dialog.tsx'));

type Body = BodyIn<typeof lotePedidos>;
const TITLE: Record<Body['accion']['tipo'], string> = {
  asignar: 'Asignar transportista',
  cancelar: 'Cancelar pedidos',
  eliminar: 'Eliminar pedidos',
  restaurar: 'Restaurar pedidos',
};

const labelOf = (pedido: Pedido) => `Seleccionar ${pedido.numero_orden}`;

/**
 * Bulk actions on a list of orders: `selection` for its table, `tick` for its cards, and `bar` with its dialogs
 * to render under it.
 */
export function useLote(filters: FilterValues, rows: readonly Pedido[] | undefined, page: Paged<unknown> | undefined) {
  const choice = useSelection(filters, page?.total_exacto === false ? undefined : page?.total);
  const { selection, filter, choose, clear, ticked } = choice;
  const [asking, setAsking] = useState<'asignar' | 'cancelar'>();
  const [result, setResult] = useState<Result>();
  const run = useMutate(lotePedidos, { success: false, failure: 'No se pudieron cambiar los pedidos', limit: 60_000 });
  const offerUndo = useUndoLote();
  const n = countOf(selection);
  const now = ticked(rows ?? []);

  const { rows: chosen, all } = selection;
  const which: Body['pedidos'] = all === undefined ? { ids: chosen.map(({ id }) => id) } : { filtro: filter, esperados: all };

  async function go(accion: Body['accion']) {
    try {
      const { data } = await run.mutateAsync({ body: { pedidos: which, accion } });
      const answered = new Set(data.map(({ id }) => id));
      const gone = chosen.filter(({ id }) => !answered.has(id));
      const done = data.filter(({ ok }) => ok).map(({ id }) => id);
      if (accion.tipo === 'eliminar' && done.length) offerUndo(done);
      // Deleting is done often: the notice says it, unless something was not.
      if (accion.tipo !== 'eliminar' || done.length < data.length + gone.length)
        setResult({
          title: TITLE[accion.tipo],
          rows: [...data, ...gone.map(({ id, numero_orden }) => ({ id, numero_orden, ok: false, message: 'El pedido ya no existe' }))],
        });
    } catch (error) {
      // 409: another number of orders matches now. The toast has said so; the person chooses again.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
    setAsking(undefined);
    clear();
  }

  const remove = () =>
    confirm({
      title: TITLE.eliminar,
      message: `¿Eliminar ${pedidos(n)}? Dejarán de aparecer en las listas y en las cifras. Se puede deshacer, y los encontrarás en «Eliminados».`,
      confirm: `Eliminar ${pedidos(n)}`,
      danger: true,
      action: () => go({ tipo: 'eliminar' }),
    }).then((gone) => gone && focusList());
  // What failed has been said by its toast.
  const submit = (accion: Body['accion']) => void go(accion).catch(() => undefined);
  const dialog = (of: typeof asking) => ({ opened: asking === of, n, busy: run.isPending, onClose: () => setAsking(undefined) });

  return {
    /** Class of the element that wraps list and bar. */
    className: n > 0 ? classes.room : undefined,
    selection: { rows: now, onChange: choose, label: labelOf },
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
          onAssign={() => setAsking('asignar')}
          onCancel={() => setAsking('cancelar')}
          onDelete={() => void remove()}
          onRestore={filters.eliminados ? () => submit({ tipo: 'restaurar' }) : undefined}
        />
        <Suspense>
          {n > 0 && (
            <>
              <AssignLoteDialog {...dialog('asignar')} onAssign={(assignment) => submit({ tipo: 'asignar', ...assignment })} />
              <CancelLoteDialog {...dialog('cancelar')} which={which} onSubmit={(motivo) => submit({ tipo: 'cancelar', motivo })} />
            </>
          )}
          {result && <ResultDialog result={result} onClose={() => setResult(undefined)} />}
        </Suspense>
      </>
    ),
  };
}
