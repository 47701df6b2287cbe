import { useState } from 'react';
import { MAX_PER_PAGE } from '../../../contract/kit.ts';
import { MAX_LOTE } from '../../../contract/pedidos.lote.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { toast } from '../../ui/page/toast.tsx';
import { type FilterValues, queryOf } from '../table/query.ts';

/** The chosen orders: the ticked ones of every page, or `all`, the number that matched the filter when all were chosen. */
export type Selection = { rows: readonly Chosen[]; all: number | undefined };
export type Chosen = Pick<Pedido, 'id' | 'numero_orden'>;
const NONE: Selection = { rows: [], all: undefined };

/** The filter as the server takes it, without sort and page. */
export function filterOf(filters: FilterValues) {
  const { page: _, per_page: __, sort: ___, dir: ____, ...filter } = queryOf(filters);
  return filter;
}

export const countOf = ({ rows, all }: Selection): number => all ?? rows.length;
/** Most ids that fit in one address and one page of the list. */
export const MAX_IDS = MAX_PER_PAGE;
export const idsOf = ({ rows }: Selection): string => rows.map(({ id }) => id).join(',');
/** «1 pedido», «240 pedidos». */
export const pedidos = (n: number): string => (n === 1 ? '1 pedido' : `${n} pedidos`);

/** Selection of a list of orders. Survives a change of page or sort; a change of filter clears it. */
export function useSelection(filters: FilterValues, total: number | undefined) {
  const filter = filterOf(filters);
  const key = JSON.stringify(filter);
  const [state, setState] = useState({ key, now: NONE });
  const selection = state.key === key ? state.now : NONE;
  const set = (now: Selection) => setState({ key, now });
  const n = countOf(selection);

  return {
    selection,
    filter,
    choose: (rows: readonly Chosen[]) => {
      // Rows of other pages were never loaded, so only this page can stay chosen.
      if (selection.all !== undefined && rows.length) toast.info(`Quedan elegidos los de esta página: ${pedidos(rows.length)}`);
      set({ rows, all: undefined });
    },
    clear: () => set(NONE),
    /** Leaves these chosen: what could not be done is tried again. */
    keep: (rows: readonly Chosen[]) => set({ rows, all: undefined }),
    /** Chooses every match; undefined when all are chosen already. */
    chooseAll: total !== undefined && total > n ? () => set({ rows: [], all: total }) : undefined,
    total,
    /** True above what the server changes in one call. */
    tooMany: n > MAX_LOTE,
    /** Rows to show ticked on the page on screen. */
    ticked: (page: readonly Chosen[]) => (selection.all === undefined ? selection.rows : page),
  };
}
export type UseSelection = ReturnType<typeof useSelection>;
