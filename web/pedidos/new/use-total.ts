import { useDebouncedValue } from '@mantine/hooks';
import { calcularTotal } from '../../../contract/pedidos.ts';
import type { Pack } from '../../../contract/products.ts';
import { useApi } from '../../api.ts';

export type Total = {
  /** Euros. */
  unitario: number;
  total: number;
  /** `estimado`: the server did not say, and this is the pack's price by the quantity. */
  status: 'calculando' | 'calculado' | 'estimado';
};

/** What the order costs, asked of the server at each change; a superseded question is cancelled. */
export function useTotal(pack: Pack | undefined, cantidad: number | undefined): Total | undefined {
  const [settled] = useDebouncedValue(cantidad, 250);
  const { data, isError, failureCount } = useApi(
    calcularTotal,
    { body: { pack_id: pack?.id ?? '', cantidad: settled ?? 1 } },
    { enabled: !!pack && settled !== undefined, staleTime: 30_000 },
  );
  if (!pack || cantidad === undefined) return undefined;
  if (data && settled === cantidad) return { unitario: data.data.precio_unitario, total: data.data.total, status: 'calculado' };
  const total = (Math.round(pack.pack_price * 100) * cantidad) / 100;
  // The first failure is enough to say so; another answer may still come.
  return { unitario: pack.pack_price, total, status: isError || failureCount > 0 ? 'estimado' : 'calculando' };
}
