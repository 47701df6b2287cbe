import { useState } from 'react';
import { MAX_PER_PAGE } from '../../../contract/kit/pages.ts';
import { MAX_LOTE } from '../../../contract/pedidos/fields.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { plural } from '../../../contract/text/plural.ts';
import { toast } from '../../ui/page/toast.tsx';
import { type FilterValues, pedidosQuery } from './query.ts';

/** Chosen orders: selected rows of any page, or in `all` the number of matches if all matching orders were chosen. */
export type Selection = { rows: readonly Chosen[]; all: number | undefined };
export type Chosen = Pick<Pedido, 'id' | 'numero_orden'> & Partial<Pedido>;
const NONE: Selection = { rows: [], all: undefined };

/** Filters as sent to the server, without sort and page. */
export function sentFilters(filters: FilterValues) {
  const { page: _, per_page: __, sort: ___, dir: ____, ...filter } = pedidosQuery(filters);
  return filter;
}

export const countSelected = ({ rows, all }: Selection): number => all ?? rows.length;
/** Maximum number of ids in an address, and rows in a page. */
export const MAX_IDS = MAX_PER_PAGE;
export const selectedIds = ({ rows }: Selection): string => rows.map(({ id }) => id).join(',');

/** Selection in a list of orders. A change of page or sort keeps the selection; a change of filter clears it. */
export function useSelection(filters: FilterValues, total: number | undefined) {
  const filter = sentFilters(filters);
  const key = JSON.stringify(filter);
  const [state, setState] = useState({ key, now: NONE });
  const selection = state.key === key ? state.now : NONE;
  const set = (now: Selection) => setState({ key, now });
  const n = countSelected(selection);

  return {
    selection,
    filter,
    choose: (rows: readonly Chosen[]) => {
      // Rows of other pages are not loaded, so only this page stays chosen.
      if (selection.all !== undefined && rows.length) toast.info(`Quedan elegidos los de esta página: ${plural(rows.length, 'pedido')}`);
      set({ rows, all: undefined });
    },
    clear: () => set(NONE),
    /** Keeps only these rows chosen, to retry the failed ones. */
    keep: (rows: readonly Chosen[]) => set({ rows, all: undefined }),
    /** Chooses all matches; undefined if all are chosen already or their number is unknown. */
    chooseAll: total !== undefined && total > n ? () => set({ rows: [], all: total }) : undefined,
    total,
    /** True above the limit of one request. */
    tooMany: n > MAX_LOTE,
    /** Rows to show as selected: the chosen rows, or the whole `page` if all matches are chosen. */
    ticked: (page: readonly Chosen[]) => (selection.all === undefined ? selection.rows : page),
  };
}
export type UseSelection = ReturnType<typeof useSelection>;
