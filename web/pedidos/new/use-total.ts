import { useDebouncedValue } from '@mantine/hooks';
import { calcularTotal } from '../../../contract/pedidos.ts';
import type { Pack } from '../../../contract/products.ts';
import { useApi } from '../../api.ts';

export type Total = {
  /** Euros. */
  unitPrice: number;
  total: number;
  /** `estimated`: the server did not answer; pack price times quantity. */
  status: 'pending' | 'exact' | 'estimated';
};

/** Cost of the order as the server computes it; each change supersedes the previous request. */
export function useTotal(pack: Pack | undefined, cantidad: number | undefined): Total | undefined {
  const [settled] = useDebouncedValue(cantidad, 250);
  const { data, isError, failureCount } = useApi(
    calcularTotal,
    { body: { pack_id: pack?.id ?? '', cantidad: settled ?? 1 } },
    { enabled: !!pack && settled !== undefined, staleTime: 30_000 },
  );
  if (!pack || cantidad === undefined) return undefined;
  if (data && settled === cantidad) return { unitPrice: data.data.precio_unitario, total: data.data.total, status: 'exact' };
  const total = (Math.round(pack.pack_price * 100) * cantidad) / 100;
  // Reported on the first failure; a retry may still bring the exact total.
  return { unitPrice: pack.pack_price, total, status: isError || failureCount > 0 ? 'estimated' : 'pending' };
}
