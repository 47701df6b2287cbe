import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Bloqueo, listBloqueos } from '../../contract/privacidad/privacidad.ts';
import { useApi } from '../api.ts';
import { fechaHora } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Section } from '../ui/page/section.tsx';
import type { Blocking } from './block-dialog.tsx';

type Props = { page: number; onPage: (page: number) => void; onBlock: (blocking: Blocking) => void };

export function Blocked({ page, onPage, onBlock }: Props) {
  const { data, error, isPlaceholderData, refetch } = useApi(listBloqueos, { query: { page } }, { keepPrevious: true });
  const number = ({ pedido_id, numero_orden }: Bloqueo) => (
    <Anchor underline="always" size="sm" renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido_id }} />}>
      {numero_orden}
    </Anchor>
  );
  const actions = ({ pedido_id, numero_orden }: Bloqueo) => {
    const block = (what: Blocking['what']) => () => onBlock({ what, pedido: pedido_id, label: numero_orden, pedidos: 1 });
    return (
      <Group justify="flex-end">
        <Button size="xs" variant="default" aria-label={`Desbloquear ${numero_orden}`} onClick={block('desbloquear')}>
          Desbloquear
        </Button>
        <Button size="xs" variant="light" color="red" aria-label={`Anonimizar ${numero_orden}`} onClick={block('anonimizar')}>
          Anonimizar
        </Button>
      </Group>
    );
  };
  const columns: Column<Bloqueo & { id: string }>[] = [
    { key: 'numero_orden', at: 'title', title: 'Pedido', width: 160, render: number },
    { key: 'created_at', at: 'aside', title: 'Desde', width: 150, render: ({ created_at }) => fechaHora(created_at) },
    { key: 'motivo', at: 'line', title: 'Motivo', render: ({ motivo }) => <Text>{motivo}</Text> },
    { key: 'bloqueado_por', at: 'labelled', title: 'Quién', width: 170, render: ({ bloqueado_por }) => bloqueado_por ?? '—' },
    { key: 'acciones', at: 'foot', title: 'Acciones', width: 250, align: 'right', render: actions },
  ];
  return (
    <Section title="Bloqueados ahora" mb="xs">
      <DataTable
        label="Pedidos con los datos bloqueados"
        rows={data?.data.map((row) => ({ ...row, id: row.pedido_id }))}
        busy={isPlaceholderData}
        columns={columns}
        empty={{ title: 'No hay nada bloqueado', hint: 'Busca a una persona para bloquear sus datos.' }}
        error={{ title: 'No se pudo cargar lo bloqueado', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'pedidos', onPage }}
        skeletonRows={2}
      />
    </Section>
  );
}
