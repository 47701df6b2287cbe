import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LISTAS, type Lista } from '../../contract/vistas/fields.ts';
import { listVistas, type Vista } from '../../contract/vistas/vistas.ts';
import { useApi } from '../api.ts';
import { today } from '../ui/format/format.ts';
import { withDays } from './consulta.ts';

/** Value of `vista` that shows the whole list in spite of a default view. */
export const TODOS = 'todos';

/** Saved views of a list. The address has the chosen one (`?vista=…`), or gets the default view if it has no filters. */
export function useVistas(lista: Lista) {
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data, isPending } = useApi(listVistas, { query: { lista } }, { staleTime: 60_000 });
  const vistas = data?.data ?? [];
  const chosen = vistas.find(({ id }) => id === search.vista);
  const preferred = vistas.find(({ al_abrir }) => al_abrir);
  // A link to an order opens no view.
  const bare = !['vista', 'pedido', ...LISTAS[lista].claves, 'page'].some((name) => search[name] !== undefined);

  const show = (vista: Vista | undefined, { replace = false } = {}) =>
    void navigate({
      to: '.',
      replace,
      resetScroll: false,
      search: vista ? { ...withDays(vista.consulta, today()), vista: vista.id } : preferred ? { vista: TODOS } : {},
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per address and default view
  useEffect(() => {
    if (bare && preferred) show(preferred, { replace: true });
  }, [bare, preferred?.id]);

  return {
    lista,
    vistas,
    chosen,
    /** True until the view to open is known. */
    opening: bare && (isPending || preferred !== undefined),
    /** True while the view's columns load: a table rendered now would store its own columns as the view's. */
    naming: isPending && search.vista !== undefined && search.vista !== TODOS,
    /** Parameters to add to every change of filters, so that removing the last filter does not reopen the default view. */
    stay: preferred && search.vista === undefined ? { vista: TODOS } : {},
    /** Shows a view, or the whole list. */
    show,
    /** Marks the current filters as the filters of a view. */
    name: (vista: Vista) =>
      void navigate({ to: '.', replace: true, resetScroll: false, search: (before) => ({ ...before, vista: vista.id }) }),
  };
}
export type Vistas = ReturnType<typeof useVistas>;
