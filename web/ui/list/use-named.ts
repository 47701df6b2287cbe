import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { toast } from '../page/toast.tsx';

/** For a parameter that is on or absent: `?nuevo=si`. */
export const ON = [{ id: 'si' }];

/** Opens the row whose id is in the address under `param`, once loaded, and clears it; `open` may return parameters to set. */
export function useNamed<T extends { id: string }>(
  param: string,
  rows: readonly T[] | undefined,
  open: (row: T) => Record<string, string> | undefined,
): void {
  const { [param]: wanted }: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const handled = useRef<unknown>(undefined);
  useEffect(() => {
    if (!rows || !wanted || handled.current === wanted) return;
    handled.current = wanted;
    const row = rows.find(({ id }) => id === wanted);
    const also = row && open(row);
    if (!row) toast.info('Eso ya no está: se eliminó');
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: ({ [param]: _, ...before }: Record<string, unknown>) => ({ ...before, ...also }) as never,
    });
  });
  useEffect(() => {
    if (!wanted) handled.current = undefined;
  }, [wanted]);
}
