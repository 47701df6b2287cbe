import { useDebouncedValue } from '@mantine/hooks';
import { isWhole, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { telephoneDigits } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { presetRange } from '../../ui/form/date-range.presets.ts';
import { today } from '../../ui/format/format.ts';
import type { ClienteValues } from '../cliente/cliente-values.ts';
import { isSame } from '../cliente/warnings.ts';

/** Possible duplicates from the last seven days: same phone, or same name and address. */
export function useDuplicates(values: ClienteValues): Pedido[] {
  const phone = telephoneDigits(values.cliente_telefono);
  const byPhone = useRecent(phone.length >= 7 ? phone : '');
  const byName = useRecent(values.cliente_direccion.trim() ? values.cliente_nombre.trim() : '');
  const found = [...byPhone, ...byName].filter((pedido) => pedido.estado !== 'cancelado' && isSame(values, pedido));
  return [...new Map(found.map((pedido) => [pedido.id, pedido])).values()];
}

function useRecent(typed: string): Pedido[] {
  const [search] = useDebouncedValue(typed.slice(0, 100), 400);
  const { from: fecha_desde } = presetRange('ultimos-7-dias', today());
  const { data } = useApi(
    listPedidos,
    { query: { search, fecha_desde, per_page: 50 } },
    { enabled: search.length >= 3, staleTime: 30_000 },
  );
  return data?.data.filter(isWhole) ?? [];
}
