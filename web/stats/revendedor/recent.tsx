import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listPedidos, type Pedido } from '../../../contract/pedidos.ts';
import { useApi } from '../../api.ts';
import { DetailsDialog } from '../../pedidos/details-dialog.tsx';
import { isWhole } from '../../pedidos/whole.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { ErrorState } from '../../ui/list/error-state.tsx';
import classes from './revendedor.module.css';

const SHOWN = 4;
type Dates = { fecha_desde: string; fecha_hasta: string };

/** «Pedidos Recientes»: the latest four of the chosen dates. */
export function Recent(dates: Dates) {
  const { data, error, refetch } = useApi(listPedidos, { query: { per_page: SHOWN, ...dates } }, { keepPrevious: true });
  const [open, setOpen] = useState<Pedido>();
  const pedidos = data?.data.filter(isWhole);
  return (
    <Paper p="md" aria-busy={!pedidos}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>Pedidos Recientes</Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/mis-pedidos" search={dates} />}>
          Ver todos
        </Anchor>
      </Group>
      {error && !pedidos ? (
        <ErrorState title="Error al cargar los pedidos" error={error} onRetry={() => void refetch()} />
      ) : !pedidos ? (
        <Stack gap="xs">
          {Array.from({ length: SHOWN }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
            <Skeleton key={i} h={52} />
          ))}
        </Stack>
      ) : pedidos.length === 0 ? (
        <EmptyState
          title="No hay pedidos recientes"
          action={
            <Button component={Link} to="/pedidos/nuevo" variant="default" size="xs" mt="xs">
              Nuevo Pedido
            </Button>
          }
        />
      ) : (
        <ul className={classes.list}>
          {pedidos.map((pedido) => (
            <li key={pedido.id}>
              <UnstyledButton className={classes.row} onClick={() => setOpen(pedido)}>
                <span className={classes.who}>
                  <Text component="span" fw={600} size="sm">
                    {pedido.numero_orden}
                  </Text>
                  <Text component="span" size="sm" truncate>
                    {pedido.cliente_nombre}
                  </Text>
                </span>
                <EstadoBadge estado={pedido.estado} short />
                <span className={classes.much}>
                  <Text component="span" fw={600} size="sm">
                    {money(pedido.precio_total)}
                  </Text>
                  <Text component="span" size="xs" c="dimmed">
                    {fecha(pedido.fecha_pedido)}
                  </Text>
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      <DetailsDialog pedido={open} onClose={() => setOpen(undefined)} />
    </Paper>
  );
}
