import { lazy, Suspense, useState } from 'react';
import type { BodyIn, Paged } from '../../../contract/kit.ts';
import { lotePedidos } from '../../../contract/pedidos.lote.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { ApiError, useMutate } from '../../api.ts';
import { confirm } from '../../ui/dialog/confirm.tsx';
import type { Filtros } from '../table/query.ts';
import classes from './bar.module.css';
import { LoteBarra } from './bar.tsx';
import type { Resultado } from './result-dialog.tsx';
import { Casilla } from './tick.tsx';
import { cuantos, pedidos, useSeleccion } from './use-selection.ts';

// The orders table is what most visits want: these come when they are asked for.
const AsignarLoteDialog = lazy(() => import('./assign-dialog.tsx'));
const ResultadoDialog = lazy(() => import('./result-dialog.tsx'));

type Body = BodyIn<typeof lotePedidos>;
const TITLE: Record<Body['accion']['tipo'], string> = {
  asignar: 'Asignar transportista',
  cancelar: 'Cancelar pedidos',
  eliminar: 'Eliminar pedidos',
};

const nombre = (pedido: Pedido) => `Seleccionar ${pedido.numero_orden}`;

/**
 * Many orders at once: what a list of them gives its table (`selection`, `casilla` for its cards), and the bar
 * and dialogs that stand under it.
 */
export function useLote(filtros: Filtros, rows: readonly Pedido[] | undefined, page: Paged<unknown> | undefined) {
  const eleccion = useSeleccion(filtros, page?.total);
  const { seleccion, filtro, elegir, quitar, marcados } = eleccion;
  const [asignando, setAsignando] = useState(false);
  const [resultado, setResultado] = useState<Resultado>();
  const run = useMutate(lotePedidos, { success: false, failure: 'No se pudieron cambiar los pedidos' });
  const n = cuantos(seleccion);
  const now = marcados(rows ?? []);

  async function go(accion: Body['accion']) {
    const { rows: chosen, todos } = seleccion;
    const which: Body['pedidos'] = todos === undefined ? { ids: chosen.map(({ id }) => id) } : { filtro, esperados: todos };
    try {
      const { data } = await run.mutateAsync({ body: { pedidos: which, accion } });
      const answered = new Set(data.map(({ id }) => id));
      const gone = chosen.filter(({ id }) => !answered.has(id));
      setResultado({
        title: TITLE[accion.tipo],
        rows: [...data, ...gone.map(({ id, numero_orden }) => ({ id, numero_orden, ok: false, message: 'El pedido ya no existe' }))],
      });
    } catch (error) {
      // Another number matches now: the person has been told, and chooses again.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
    setAsignando(false);
    quitar();
  }

  const cancelar = () =>
    confirm({
      title: TITLE.cancelar,
      message: `¿Cancelar ${pedidos(n)}? Quedarán cancelados para siempre y sus unidades volverán al stock. Los que no se puedan cancelar se quedan como están.`,
      confirm: `Cancelar ${pedidos(n)}`,
      cancel: 'Volver',
      danger: true,
      action: () => go({ tipo: 'cancelar' }),
    });

  return {
    /** Of what holds the list and the bar. */
    className: n > 0 ? classes.room : undefined,
    selection: { rows: now, onChange: elegir, label: nombre },
    casilla: (pedido: Pedido) => {
      const checked = now.some(({ id }) => id === pedido.id);
      return (
        <Casilla
          label={nombre(pedido)}
          checked={checked}
          onChange={() => elegir(checked ? now.filter(({ id }) => id !== pedido.id) : [...now, pedido])}
        />
      );
    },
    barra: (
      <>
        <LoteBarra eleccion={eleccion} busy={run.isPending} onAsignar={() => setAsignando(true)} onCancelar={() => void cancelar()} />
        <Suspense>
          {n > 0 && (
            <AsignarLoteDialog
              opened={asignando}
              n={n}
              busy={run.isPending}
              onClose={() => setAsignando(false)}
              onAsignar={(asignacion) => void go({ tipo: 'asignar', ...asignacion }).catch(() => undefined)}
            />
          )}
          {resultado && <ResultadoDialog resultado={resultado} onClose={() => setResultado(undefined)} />}
        </Suspense>
      </>
    ),
  };
}
