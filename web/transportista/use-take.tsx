import { Box, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { getPedido, type PedidoDisponible } from '../../contract/pedidos/pedidos.ts';
import { townLine } from '../../contract/text/address.ts';
import { autoAsignar, tomarPedidos } from '../../contract/transportista/transportista.ts';
import { ApiError, call, useMutate } from '../api.ts';
import { LineList } from '../pedidos/lineas/line-list.tsx';
import { summaryWords } from '../pedidos/summary.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { toast } from '../ui/page/toast.tsx';
import { LOOKING_MS } from '../unanswered.ts';

const where = (pedido: PedidoDisponible) => [pedido.cliente_direccion, townLine(pedido)].filter(Boolean).join(', ');

/** Takes orders after confirmation. If another carrier was faster, the toast says so and the list is refetched. */
export function useTake() {
  const navigate = useNavigate();
  const takeOne = useMutate(autoAsignar, {
    success: false,
    failure: 'Error al asignar el pedido',
    // Only the carrier of an order can read the customer's telephone number.
    achieved: async ({ params }) => {
      const { data } = await call(getPedido, { params, limit: LOOKING_MS });
      return 'cliente_telefono' in data ? { message: '', pedido: data } : undefined;
    },
  });
  const many = useMutate(tomarPedidos, { success: false, failure: 'Error al asignar los pedidos' });
  const action = { label: 'Ver mis pedidos', onClick: () => void navigate({ to: '/pedidos-asignados' }) };

  async function take({ id, numero_orden }: PedidoDisponible) {
    try {
      const { message } = await takeOne.mutateAsync({ params: { id } });
      toast.success(`Pedido #${numero_orden} asignado exitosamente`, { title: message || 'Pedido asignado exitosamente', action });
    } catch (error) {
      // 404 or 409: another carrier has the order, so a retry is pointless.
      const gone = error instanceof ApiError && (error.status === 409 || error.status === 404);
      if (!gone) throw error;
    }
  }

  async function takeMany(pedidos: readonly PedidoDisponible[]) {
    const { message, data } = await many.mutateAsync({ body: { ids: pedidos.map(({ id }) => id) } });
    const refused = data.flatMap(({ id, ok, message: why }) =>
      ok ? [] : `#${pedidos.find((p) => p.id === id)?.numero_orden ?? ''}: ${why}`,
    );
    if (data.length > refused.length) toast.success(message, { action });
    if (refused.length) toast.error(refused.join('. '));
  }

  return {
    take: (pedido: PedidoDisponible) =>
      void confirm({
        title: 'Tomar Pedido',
        message: (
          <>
            <Text size="md">
              ¿Deseas asignarte el pedido #{pedido.numero_orden} para el cliente {pedido.cliente_nombre}?
            </Text>
            <Box mt={8}>
              <LineList pedido={pedido} />
            </Box>
            <Text size="md" c="dimmed" mt={4}>
              {where(pedido)}
            </Text>
          </>
        ),
        confirm: 'Confirmar',
        action: () => take(pedido),
      }),
    /** Resolves to true if the orders were requested. */
    takeMany: (pedidos: readonly PedidoDisponible[]) =>
      confirm({
        title: 'Tomar Pedidos',
        message: (
          <>
            <Text size="md" mb={4}>
              ¿Deseas asignarte estos {pedidos.length} pedidos?
            </Text>
            <Text component="ul" my={0} pl="lg" mah="40dvh" style={{ overflowY: 'auto' }}>
              {pedidos.map((pedido) => (
                <li key={pedido.id}>
                  <strong>{pedido.cliente_nombre}</strong>, {where(pedido)}: {summaryWords(pedido)}
                </li>
              ))}
            </Text>
          </>
        ),
        confirm: `Tomar ${pedidos.length}`,
        action: () => takeMany(pedidos),
      }),
  };
}
