import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Devolucion, pedirResto } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { money } from '../ui/format/format.ts';

/** Second order for undelivered goods. */
export function Partial({ devolucion: { id, resto_pedido_id, por_reembolsar: owed } }: { devolucion: Devolucion }) {
  const rest = useMutate(pedirResto, { failure: 'No se pudo crear el pedido del resto' });
  const pays = owed > 0 ? ` Los ${money(owed)} por reembolsar pasan al pedido nuevo.` : '';
  const ask = () =>
    confirm({
      title: 'Entregar el resto',
      message: `Se creará otro pedido con lo que no se entregó, al precio acordado y sin gastos de envío.${pays}`,
      confirm: 'Crear el pedido',
      action: () => rest.mutateAsync({ params: { id } }),
    });
  return resto_pedido_id ? (
    <Text size="sm" my={4} component={Link} to={`/pedidos/${resto_pedido_id}`}>
      Ver el pedido del resto
    </Text>
  ) : (
    <Button size="compact-md" my={4} variant="light" onClick={() => void ask()}>
      Entregar el resto
    </Button>
  );
}
