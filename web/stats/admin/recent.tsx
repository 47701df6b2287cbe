import { ActionIcon, Group, Text } from '@mantine/core';
import { IconEye, IconPencil } from '@tabler/icons-react';
import { isWhole, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import type { useActions } from '../../pedidos/detail/use-actions.tsx';
import { EstadoCell } from '../../pedidos/table/matter.tsx';
import { Numero } from '../../pedidos/table/pedido-link.tsx';
import { useSession } from '../../session/session.ts';
import { fecha, money } from '../../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../../ui/list/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import classes from './admin.module.css';

const SHOWN = 6;

/** «Pedidos Recientes»: latest orders, regardless of the chosen dates. */
export function Recent({ run }: Pick<ReturnType<typeof useActions>, 'run'>) {
  const recent = useApi(listPedidos, { query: { per_page: SHOWN } });
  return (
    <Panel title="Pedidos Recientes" busy={recent.isPending} mb={4}>
      <Loaded
        query={recent}
        failed="No se pudieron cargar los pedidos"
        waiting={<Skeletons gap={16} my={8} heights={Array(SHOWN).fill(36)} />}
      >
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No hay pedidos recientes." />
          ) : (
            <ul className={classes.list}>
              {data.filter(isWhole).map((pedido) => (
                <Row key={pedido.id} pedido={pedido} onAction={(kind) => run({ kind }, pedido)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Row({ pedido, onAction }: { pedido: Pedido; onAction: (kind: 'view' | 'edit') => void }) {
  const { numero_orden, cliente_nombre, transportista_nombre, precio_total, fecha_pedido } = pedido;
  const actor = useSession();
  return (
    <li className={classes.order}>
      <span className={classes.stacked}>
        <Numero numero={numero_orden} />
        <Text component="span" truncate maw="100%">
          {cliente_nombre}
        </Text>
      </span>
      <span>
        <EstadoCell pedido={pedido} />
      </span>
      <Text component="span" size="xs" c="dimmed" truncate title={transportista_nombre ?? undefined}>
        {transportista_nombre ?? ''}
      </Text>
      <span className={classes.much}>
        <Text component="span" fw={600}>
          {money(precio_total)}
        </Text>
        <Text component="span" variant="detail">
          {fecha(fecha_pedido)}
        </Text>
      </span>
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Ver el pedido ${numero_orden}`} onClick={() => onAction('view')}>
          <IconEye size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Editar el pedido ${numero_orden}`}
          disabled={!can(actor, 'pedido:edit', pedido)}
          onClick={() => onAction('edit')}
        >
          <IconPencil size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}
