import { Text } from '@mantine/core';
import type { Cliente } from '../../contract/clientes/clientes.ts';
import { telephoneWords } from '../../contract/text/telephone.ts';
import { ClienteLink } from '../pedidos/cliente/cliente-link.tsx';
import { Signs } from '../pedidos/cliente/said.tsx';
import { fecha, money, number } from '../ui/format/format.ts';
import type { Column } from '../ui/list/table-props.ts';

const placeOf = ({ cliente_codigo_postal, cliente_ciudad }: Cliente) =>
  [cliente_codigo_postal, cliente_ciudad].filter(Boolean).join(' ') || '—';

const Name = ({ cliente }: { cliente: Cliente }) => (
  <div style={{ overflowWrap: 'anywhere' }}>
    <Text fw={600}>
      <ClienteLink id={cliente.id} plain>
        {cliente.cliente_nombre}
      </ClienteLink>
    </Text>
    <Text variant="detail">{telephoneWords(cliente.cliente_telefono ?? 'Sin teléfono')}</Text>
  </div>
);

/** Columns of the list of customers; `sellers` adds the column «Revendedor». */
export const clientesColumns = (sellers: boolean): Column<Cliente>[] => [
  { key: 'nombre', at: 'title', title: 'Cliente', sortable: true, width: '24%', render: (cliente) => <Name cliente={cliente} /> },
  { key: 'ciudad', at: 'line', title: 'Población', render: placeOf },
  ...(sellers
    ? [
        {
          key: 'revendedor',
          at: 'line' as const,
          title: 'Revendedor',
          render: ({ revendedor_nombre }: Cliente) => revendedor_nombre ?? 'Tienda',
        },
      ]
    : []),
  { key: 'signos', at: 'foot', title: 'Avisos', width: 148, render: (cliente) => <Signs {...cliente} /> },
  { key: 'pedidos', at: 'labelled', title: 'Pedidos', sortable: true, width: 98, align: 'right', render: ({ pedidos }) => number(pedidos) },
  { key: 'total', at: 'aside', title: 'Total', sortable: true, width: 112, align: 'right', render: ({ total }) => money(total) },
  {
    key: 'ultimo_pedido',
    at: 'labelled',
    title: 'Último pedido',
    sortable: true,
    width: 140,
    render: ({ ultimo_pedido }) => fecha(ultimo_pedido),
  },
];
