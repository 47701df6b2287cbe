import { useState } from 'react';
import { MAX_PER_PAGE } from '../../../contract/kit.ts';
import { MAX_LOTE } from '../../../contract/pedidos.lote.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { toast } from '../../ui/page/toast.tsx';
import { consultaDe, type Filtros } from '../table/query.ts';

/** The chosen orders: those ticked, on whichever page, or the `todos` that matched the filter when it was asked for. */
export type Seleccion = { rows: readonly Pedido[]; todos: number | undefined };
const NADA: Seleccion = { rows: [], todos: undefined };

/** The filter alone, as the server takes it: what narrows a list, without its sort and page. */
export function filtroDe(filtros: Filtros) {
  const { page: _, per_page: __, sort: ___, dir: ____, ...filtro } = consultaDe(filtros);
  return filtro;
}

export const cuantos = ({ rows, todos }: Seleccion): number => todos ?? rows.length;
/** As many ticked one by one can be named in an address. */
export const MAX_IDS = MAX_PER_PAGE;
export const idsOf = ({ rows }: Seleccion): string => rows.map(({ id }) => id).join(',');
/** «1 pedido», «240 pedidos». */
export const pedidos = (n: number): string => (n === 1 ? '1 pedido' : `${n} pedidos`);

/** What is chosen of a list of orders. It outlives a change of page or sort, and another filter forgets it. */
export function useSeleccion(filtros: Filtros, total: number | undefined) {
  const filtro = filtroDe(filtros);
  const key = JSON.stringify(filtro);
  const [state, setState] = useState({ key, now: NADA });
  const seleccion = state.key === key ? state.now : NADA;
  const set = (now: Seleccion) => setState({ key, now });
  const n = cuantos(seleccion);

  return {
    seleccion,
    filtro,
    elegir: (rows: readonly Pedido[]) => {
      // Those of the other pages are not known one by one.
      if (seleccion.todos !== undefined && rows.length) toast.info(`Quedan elegidos los de esta página: ${pedidos(rows.length)}`);
      set({ rows, todos: undefined });
    },
    quitar: () => set(NADA),
    /** Chooses all that match, when there are more than those chosen. */
    elegirTodos: total !== undefined && total > n ? () => set({ rows: [], todos: total }) : undefined,
    total,
    /** More than one call can change. */
    demasiados: n > MAX_LOTE,
    /** What is ticked on the page on screen. */
    marcados: (page: readonly Pedido[]) => (seleccion.todos === undefined ? seleccion.rows : page),
  };
}
export type UseSeleccion = ReturnType<typeof useSeleccion>;
