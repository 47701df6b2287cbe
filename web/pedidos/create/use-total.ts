import { useDebouncedValue } from '@mantine/hooks';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { calcularTotal } from '../../../contract/pedidos/pedidos.ts';
import { ApiError, useApi } from '../../api.ts';
import { lineasBody, type Ordered, parseEuros, sumLines } from '../lineas/values.ts';
import type { NewPedidoValues } from './draft.ts';

/** Amounts in euros. */
export type Total = {
  lineas: (number | undefined)[];
  envio: number;
  descuento: number;
  total: number;
  /** Promised day if the order is paid today; undefined until the server has answered. */
  fecha_estimada?: string;
  /** `estimated` after a failed request: computed from the prices of the packs and the last known shipping. */
  status: 'pending' | 'exact' | 'estimated';
  /** Reason why the server refuses to compute a total. */
  problem?: string;
};

const ADDRESS = ['cliente_codigo_postal', 'cliente_provincia', 'cliente_pais'] as const;
type Body = BodyIn<typeof calcularTotal>;

/** Cost of the order as computed by the server; each change cancels the previous request. */
export function useTotal(ordered: readonly Ordered[], values: NewPedidoValues): Total | undefined {
  const lines = sumLines(ordered);
  const amounts = amountsOf(values);
  const asked = ordered.length && lines !== undefined && amounts ? JSON.stringify(bodyOf(ordered, values, amounts)) : undefined;
  const [settled] = useDebouncedValue(asked, 250);
  const { data, error, failureCount, isPlaceholderData } = useApi(
    calcularTotal,
    { body: settled ? (JSON.parse(settled) as Body) : {} },
    { enabled: settled !== undefined, staleTime: 30_000, keepPrevious: true },
  );
  if (asked === undefined || lines === undefined || !amounts) return undefined;
  if (data && settled === asked && !isPlaceholderData)
    return { ...data.data, lineas: data.data.lineas.map(({ precio_total }) => precio_total), status: 'exact' };
  const envio = amounts.envio ?? data?.data.envio ?? 0;
  const descuento = amounts.descuento ?? 0;
  const refused = settled === asked && error instanceof ApiError && error.status === 422 && { problem: error.message };
  return {
    lineas: ordered.map(({ total }) => total),
    envio,
    descuento,
    total: Math.max(0, Math.round((lines + envio - descuento) * 100) / 100),
    // Keeps the previous day while the next total loads, so that the button below does not move away from a click.
    ...(data?.data.fecha_estimada && { fecha_estimada: data.data.fecha_estimada }),
    // Estimates from the first failure on, although a retry may still bring the exact total.
    status: error || failureCount > 0 ? 'estimated' : 'pending',
    ...refused,
  };
}

/** Shipping and discount as typed; undefined if either is invalid. */
function amountsOf({ envio, descuento }: NewPedidoValues) {
  const amounts: { envio?: number; descuento?: number } = {};
  for (const [name, typed] of Object.entries({ envio, descuento })) {
    const euros = parseEuros(typed);
    if (euros !== undefined) amounts[name as keyof typeof amounts] = euros;
    else if (typed.trim()) return undefined;
  }
  return amounts;
}

function bodyOf(ordered: readonly Ordered[], values: NewPedidoValues, amounts: object): Body {
  const address = Object.fromEntries(ADDRESS.map((name) => [name, values[name].trim() || null]));
  const lineas = lineasBody(ordered.map(({ linea }) => linea));
  return { lineas, ...address, ...(values.revendedor_id && { revendedor_id: values.revendedor_id }), ...amounts };
}
