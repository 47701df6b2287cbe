import { Anchor, Button, Group, SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { ABIERTOS } from '../../contract/pedidos/estados.ts';
import { getPedido, isWhole } from '../../contract/pedidos/pedidos.ts';
import { porCobrarStats } from '../../contract/stats/stats.ts';
import { plural } from '../../contract/text/plural.ts';
import { call, useApi } from '../api.ts';
import { NOTE_PAYMENT } from '../pedidos/actions/actions.ts';
import { useActions } from '../pedidos/detail/use-actions.tsx';
import { fecha, isoDay, money, number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader } from '../ui/page/panel.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { toast } from '../ui/page/toast.tsx';

type Cliente = Answer<typeof porCobrarStats>['data'][number] & { id: string };
type Age = 'entregado_mas' | 'entregado_30' | 'entregado_7' | 'por_entregar';

const AGES: Record<Age, string> = {
  entregado_mas: 'Entregado hace más de 30 días',
  entregado_30: 'Entregado hace 8 a 30 días',
  entregado_7: 'Entregado hace 7 días o menos',
  por_entregar: 'Por entregar',
};
const SHORT: Record<Age, string> = {
  entregado_mas: '> 30 días',
  entregado_30: '8–30 días',
  entregado_7: '0–7 días',
  por_entregar: 'Por entregar',
};
const NAMES = Object.keys(AGES) as Age[];
const ago = (days: number) => isoDay(new Date(Date.now() - days * 86_400_000));
/** Filters for exactly the orders behind a figure. */
const listOf = (age: Age) => ({
  pagado: 'falta',
  ...(age === 'por_entregar' ? { estado: ABIERTOS.join(',') } : { estado: 'completado' }),
  ...(age === 'entregado_7' && { completado_desde: ago(7) }),
  ...(age === 'entregado_30' && { completado_desde: ago(30), completado_hasta: ago(8) }),
  ...(age === 'entregado_mas' && { completado_hasta: ago(31) }),
});
const euros = (amount: number) => (amount ? money(amount) : '—');

const Name = ({ cliente_id, nombre }: Cliente) =>
  cliente_id ? (
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/clientes/$id" params={{ id: cliente_id }} />}>
      {nombre}
    </Anchor>
  ) : (
    nombre
  );

/** Columns; the actions are those of the customer's oldest order. */
const columnsOf = (act: (cliente: Cliente, kind: 'pay' | 'askPay') => void): Column<Cliente>[] => [
  { key: 'nombre', at: 'title', title: 'Cliente', render: Name },
  { key: 'pedidos', at: 'labelled', title: 'Pedidos', width: 72, align: 'right', render: ({ pedidos }) => number(pedidos) },
  { key: 'desde', at: 'labelled', title: 'Desde', width: 90, render: ({ desde }) => fecha(desde) },
  ...NAMES.map(
    (age): Column<Cliente> => ({
      key: age,
      at: 'labelled',
      title: SHORT[age],
      width: age === 'por_entregar' ? 116 : 90,
      align: 'right',
      render: (row) => euros(row[age]),
    }),
  ),
  { key: 'total', at: 'aside', title: 'Total', width: 90, align: 'right', render: ({ total }) => <strong>{money(total)}</strong> },
  {
    key: 'acciones',
    at: 'foot',
    title: 'Acciones',
    width: '13.5rem',
    align: 'right',
    render: (cliente) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <Button size="xs" variant="default" aria-label={`${NOTE_PAYMENT} de ${cliente.nombre}`} onClick={() => act(cliente, 'pay')}>
          {NOTE_PAYMENT}
        </Button>
        <Button
          size="xs"
          variant="light"
          aria-label={`Pedir el pago a ${cliente.nombre} por WhatsApp`}
          onClick={() => act(cliente, 'askPay')}
        >
          Pedir el pago
        </Button>
      </Group>
    ),
  },
];

/** Money still to be collected, by customer and by days since the delivery; delivered orders come first. */
export default function PorCobrarPage() {
  const { data, error, isPending, refetch } = useApi(porCobrarStats, {});
  const rows = data?.data.map((row, i) => ({ ...row, id: row.cliente_id ?? String(i) }));
  const { run, dialogs } = useActions();
  const act = async ({ pedido_id }: Cliente, kind: 'pay' | 'askPay') => {
    const { data } = await call(getPedido, { params: { id: pedido_id } });
    if (isWhole(data)) run({ kind }, data);
  };
  const columns = columnsOf((cliente, kind) => void act(cliente, kind).catch(() => toast.error('No se pudo abrir el pedido')));
  const listed = { to: '/pedidos', search: { pagado: 'falta' } } as const;
  return (
    <>
      <PageHeader
        title="Por cobrar"
        subtitle={data ? `${plural(data.pedidos, 'pedido')}, ${money(data.total)}` : ' '}
        actions={
          <Anchor renderRoot={(props) => <Link {...props} {...listed} />} underline="always">
            Ver los pedidos
          </Anchor>
        }
      />
      <SimpleGrid minColWidth="10rem" autoFlow="auto-fit" spacing="sm" mb="md">
        {NAMES.map((age) => (
          <StatCard
            key={age}
            label={AGES[age]}
            value={money(data?.[age])}
            loading={isPending}
            link={{ to: '/pedidos', search: listOf(age) }}
          />
        ))}
      </SimpleGrid>
      <DataTable
        label="Por cobrar, por cliente"
        rows={rows}
        columns={columns}
        empty={{ title: 'No queda nada por cobrar' }}
        error={{ title: 'No se pudo cargar lo que falta por cobrar', cause: error, onRetry: () => void refetch() }}
      />
      {dialogs}
    </>
  );
}
