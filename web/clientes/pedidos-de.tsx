import { Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { isWhole, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { useApi } from '../api.ts';
import { EstadoCell } from '../pedidos/table/matter.tsx';
import { useSession } from '../session/session.ts';
import { fecha, money } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';

/** Screen of a customer's order, by role. */
const PLACE = {
  superadmin: (id) => ({ to: '/pedidos/$id', params: { id } }) as const,
  revendedor: (id) => ({ to: '/mis-pedidos', search: { pedido: id } }) as const,
  transportista: (id) => ({ to: '/pedidos-asignados', search: { pedido: id } }) as const,
} satisfies Record<Role, (id: string) => object>;

function Numero({ pedido: { id, numero_orden } }: { pedido: Pedido }) {
  const { role } = useSession();
  return (
    <Anchor
      size="sm"
      fw={600}
      style={{ whiteSpace: 'nowrap' }}
      renderRoot={(props) => <Link {...props} {...PLACE[role](id)} preload={false} />}
    >
      {numero_orden}
    </Anchor>
  );
}

const COLUMNS: Column<Pedido>[] = [
  { key: 'numero_orden', at: 'title', title: 'Pedido', width: 148, render: (p) => <Numero pedido={p} /> },
  { key: 'producto', at: 'line', title: 'Producto', render: ({ producto }) => producto },
  { key: 'estado', at: 'aside', title: 'Estado', width: 150, render: (pedido) => <EstadoCell pedido={pedido} /> },
  { key: 'precio_total', at: 'line', title: 'Total', width: 104, align: 'right', render: ({ precio_total }) => money(precio_total) },
  { key: 'fecha_pedido', at: 'line', title: 'Fecha', width: 108, render: ({ fecha_pedido }) => fecha(fecha_pedido) },
];

export function PedidosDe({ id }: { id: string }) {
  const { role } = useSession();
  const navigate = useNavigate();
  const [{ page }, set] = useSearchState({ page: 1 });
  const { data, error, isPlaceholderData, refetch } = useApi(listPedidos, { query: { cliente_id: id, page } }, { keepPrevious: true });
  return (
    <DataTable
      label="Pedidos del cliente"
      rows={data?.data.filter(isWhole)}
      busy={isPlaceholderData}
      columns={COLUMNS}
      onRow={(pedido) => void navigate(PLACE[role](pedido.id))}
      pages={{ of: data, noun: 'pedidos', onPage: (next) => set({ page: next }) }}
      error={{ title: 'No se pudieron cargar los pedidos', cause: error, onRetry: () => void refetch() }}
      empty={{ title: 'No le queda ningún pedido', hint: 'Los que tenía se han eliminado.' }}
    />
  );
}
