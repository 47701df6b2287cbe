import { Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsExchange, IconPencil } from '@tabler/icons-react';
import type { Product } from '../../contract/products/products.ts';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { number } from '../ui/format/format.ts';
import { RowAction } from '../ui/list/row-action.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { isLow, LowStock, Stock } from './low-stock.tsx';
import { Picture } from './picture.tsx';
import classes from './product-columns.module.css';

function Name({ product }: { product: Product }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {product.picture && <Picture of={product.picture} size={36} />}
      <div style={{ minWidth: '9rem', overflowWrap: 'anywhere' }}>
        <Text inherit fw={600}>
          {product.name}
        </Text>
        {product.description && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {product.description}
          </Text>
        )}
      </div>
    </Group>
  );
}

export type ProductActions = { onEdit: (product: Product) => void; onMovimientos: (product: Product) => void };

export const productColumns = ({ onEdit, onMovimientos }: ProductActions): Column<Product>[] => [
  { key: 'name', title: 'Nombre', sortable: true, render: (product) => <Name product={product} /> },
  { key: 'min_stock', title: 'Mínimo', sortable: true, align: 'right', width: 100, render: (product) => number(product.min_stock) },
  { key: 'stock', title: 'Stock', sortable: true, align: 'right', width: 176, render: (product) => <Stock product={product} /> },
  {
    key: 'packs_activos',
    title: 'Packs activos',
    className: classes.packs,
    sortable: true,
    align: 'right',
    width: 140,
    render: (product) => number(product.packs_activos),
  },
  { key: 'is_active', title: 'Estado', sortable: true, width: 120, render: (product) => <ActiveBadge active={product.is_active} /> },
  {
    key: 'edit',
    title: 'Editar',
    align: 'right',
    width: 96,
    render: (product) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowAction
          name="Movimientos de stock"
          label={`Movimientos de ${product.name}`}
          Icon={IconArrowsExchange}
          onClick={() => onMovimientos(product)}
        />
        <RowAction name="Editar" label={`Editar ${product.name}`} Icon={IconPencil} onClick={() => onEdit(product)} />
      </Group>
    ),
  },
];

export function ProductCard({ product, onEdit, onMovimientos }: ProductActions & { product: Product }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Name product={product} />
        <ActiveBadge active={product.is_active} />
      </Group>
      <Group justify="space-between" gap="xs">
        <Text size="sm" component="div">
          <Group gap={6}>
            Stock: {number(product.stock)}
            {isLow(product) && <LowStock />}
          </Group>
        </Text>
        <Text size="sm" c="dimmed">
          Mínimo: {number(product.min_stock)}
        </Text>
      </Group>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Packs activos: {number(product.packs_activos)}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" aria-label={`Movimientos de ${product.name}`} onClick={() => onMovimientos(product)}>
            Movimientos
          </Button>
          <RowAction name="Editar" label={`Editar ${product.name}`} Icon={IconPencil} card onClick={() => onEdit(product)} />
        </Group>
      </Group>
    </Stack>
  );
}
