import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LISTAS, type Lista } from '../../contract/vistas.fields.ts';
import { listVistas, type Vista } from '../../contract/vistas.ts';
import { useApi } from '../api.ts';
import { today } from '../ui/format/format.ts';
import { withDays } from './consulta.ts';

/** In the address in the place of a view: all there is, though the list opens with one. */
export const TODOS = 'todos';

/**
 * The saved views of a list. Which one is chosen stands in the address (`?vista=…`) beside its filters; an address that
 * says nothing becomes that of the view with which the person opens the list.
 */
export function useVistas(lista: Lista) {
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data, isPending } = useApi(listVistas, { query: { lista } }, { staleTime: 60_000 });
  const vistas = data?.data ?? [];
  const chosen = vistas.find(({ id }) => id === search.vista);
  const preferred = vistas.find(({ al_abrir }) => al_abrir);
  // An order that is open in the address is what its link was about.
  const bare = !['vista', 'pedido', ...LISTAS[lista].claves, 'page'].some((name) => search[name] !== undefined);

  const show = (vista: Vista | undefined, { replace = false } = {}) =>
    void navigate({
      to: '.',
      replace,
      resetScroll: false,
      search: vista ? { ...withDays(vista.consulta, today()), vista: vista.id } : preferred ? { vista: TODOS } : {},
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address and view
  useEffect(() => {
    if (bare && preferred) show(preferred, { replace: true });
  }, [bare, preferred?.id]);

  return {
    lista,
    vistas,
    chosen,
    /** What the list shows is not known yet. */
    opening: bare && (isPending || preferred !== undefined),
    /** The view is named, its columns are not known yet: a table drawn in others would keep those as the view's. */
    naming: isPending && search.vista !== undefined && search.vista !== TODOS,
    /** What every change of the filters adds to the address: taking the last one away must not bring the view back. */
    stay: preferred && search.vista === undefined ? { vista: TODOS } : {},
    /** Shows a view, or all there is. */
    show,
    /** Names the view that the present filters are now. */
    name: (vista: Vista) =>
      void navigate({ to: '.', replace: true, resetScroll: false, search: (before) => ({ ...before, vista: vista.id }) }),
  };
}
export type Vistas = ReturnType<typeof useVistas>;
