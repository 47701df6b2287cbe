import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { calcularEnvio, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';

const NAMES = ['cliente_codigo_postal', 'cliente_provincia', 'cliente_pais'] as const;
type Address = Partial<Record<(typeof NAMES)[number], string>>;

/** Shows the shipping cost of a changed address before saving; nothing if shipping and total stay the same. */
export function ShippingMeans({ pedido, address }: { pedido: Pedido; address: Address }) {
  const fields = Object.fromEntries(NAMES.flatMap((name) => (name in address ? [[name, (address[name] ?? '').trim() || null]] : [])));
  const moved = NAMES.some((name) => name in fields && (fields[name] ?? null) !== (pedido[name] ?? null));
  const [asked] = useDebouncedValue(moved ? JSON.stringify(fields) : undefined, 300);
  const { data } = useApi(
    calcularEnvio,
    { params: { id: pedido.id }, body: asked ? JSON.parse(asked) : {} },
    { enabled: asked !== undefined, staleTime: 30_000 },
  );
  const words = moved && asked ? data?.data.mensaje : null;
  return (
    <Text role="status" fw={600} hidden={!words}>
      {words && `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`}
    </Text>
  );
}
