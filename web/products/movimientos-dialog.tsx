import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { listMovimientos, type Product } from '../../contract/products/products.ts';
import { useApi } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { number } from '../ui/format/format.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Pages } from '../ui/list/pages.tsx';
import { AdjustForm } from './adjust-form.tsx';
import classes from './ledger.module.css';
import { MovimientoRow } from './movimiento-row.tsx';

const PER_PAGE = 10;
type Props = { product: Product | undefined; opened: boolean; onClose: () => void };

/** Ledger of a product, a forecast of its stock, and manual adjustment. */
export function MovimientosDialog({ product, opened, onClose }: Props) {
  return (
    <FormDialog opened={opened && !!product} onClose={onClose} title={`Movimientos de ${product?.name ?? ''}`} size="lg">
      {(inDialog) => product && <Content key={product.id} product={product} {...inDialog} />}
    </FormDialog>
  );
}

function Content({ product, ...inDialog }: { product: Product } & InDialog) {
  const [page, setPage] = useState(1);
  const movimientos = useApi(listMovimientos, { params: { id: product.id }, query: { page, per_page: PER_PAGE } }, { keepPrevious: true });
  const { data, isPlaceholderData } = movimientos;
  return (
    <Stack gap="md">
      <Pace stock={data?.stock ?? product.stock} data={data} />
      <AdjustForm product={product} {...inDialog} />
      <section aria-labelledby="movimientos-title" aria-busy={!data || isPlaceholderData}>
        <Title order={3} id="movimientos-title" mb="xs">
          Historial
        </Title>
        <Loaded
          query={movimientos}
          failed="No se pudieron cargar los movimientos"
          waiting={<Skeletons gap={6} heights={[54, 54, 54, 54]} />}
        >
          {({ data: rows, total }) =>
            total === 0 ? (
              <EmptyState title="Todavía no hay movimientos" hint="Los pedidos y los ajustes aparecerán aquí." />
            ) : (
              <ul className={classes.list} aria-label="Movimientos">
                {rows.map((movimiento) => (
                  <MovimientoRow key={movimiento.id} movimiento={movimiento} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {data && data.total > PER_PAGE && (
          <Pages of={data} noun="movimientos" onPage={setPage} shown={data.data.length} busy={isPlaceholderData} />
        )}
      </section>
    </Stack>
  );
}

type PaceProps = { stock: number; data: { ritmo_diario: number; dias_restantes: number | null } | undefined };

function Pace({ stock, data }: PaceProps) {
  return (
    <Group gap="xl">
      <div>
        <Text size="xs" c="dimmed">
          Stock
        </Text>
        <Text fw={600} size="lg">
          {number(stock)}
        </Text>
      </div>
      {data ? (
        <div>
          <Text fw={600}>{stock > 0 ? pace(data) : 'No queda ninguna unidad'}</Text>
          <Text size="xs" c="dimmed">
            {data.dias_restantes === null
              ? 'Ningún pedido lo ha gastado en los últimos 30 días'
              : `${data.ritmo_diario.toLocaleString('es-ES')} unidades al día en los últimos 30 días`}
          </Text>
        </div>
      ) : (
        <Skeleton h={38} w="14rem" />
      )}
    </Group>
  );
}

function pace({ dias_restantes: days }: { dias_restantes: number | null }): string {
  if (days === null) return 'Sin ventas recientes';
  if (days === 0) return 'A este ritmo no llega a mañana';
  return days === 1 ? 'A este ritmo queda 1 día' : `A este ritmo quedan ${number(days)} días`;
}
