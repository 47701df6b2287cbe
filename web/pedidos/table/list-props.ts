import type { Paged } from '../../../contract/kit/endpoint.ts';

type List<T> = {
  data: Paged<T> | undefined;
  error: { message: string } | null;
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
};
type Set = (patch: { search?: string; page?: number }, options?: { replace: boolean }) => void;

/** Props of an order list's search box and DataTable. `set` writes to the address. `errorTitle`: title of a failure. */
export const listProps = <T>({ data, error, isPlaceholderData, refetch }: List<T>, search: string, set: Set, errorTitle: string) => ({
  search: { value: search, onChange: (search: string) => set({ search }, { replace: true }) },
  table: {
    rows: data?.data,
    busy: isPlaceholderData,
    error: { title: errorTitle, cause: error, onRetry: () => void refetch() },
    pages: { of: data, noun: 'pedidos', onPage: (page: number) => set({ page }) },
  },
});
