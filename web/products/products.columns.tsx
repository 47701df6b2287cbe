import { Group, Text } from '@mantine/core';
import { IconArrowsExchange, IconPencil } from '@tabler/icons-react';
import type { Product } from '../../contract/products/products.ts';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { number } from '../ui/format/format.ts';
import { RowAction } from '../ui/list/row-action.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Stock } from './low-stock.tsx';
import { Picture } from './picture.tsx';
import classes from './product-columns.module.css';

const Name = ({ product }: { product: Product }) => (
  <Group wrap="nowrap">
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

export type ProductActions = { onEdit: (product: Product) => void; onMovimientos: (product: Product) => void };

export const productColumns = ({ onEdit, onMovimientos }: ProductActions): Column<Product>[] => [
  { key: 'name', at: 'title', title: 'Nombre', sortable: true, render: (product) => <Name product={product} /> },
  {
    key: 'min_stock',
    at: 'labelled',
    title: 'Mínimo',
    sortable: true,
    align: 'right',
    width: 100,
    render: (product) => number(product.min_stock),
  },
  {
    key: 'stock',
    at: 'labelled',
    title: 'Stock',
    sortable: true,
    align: 'right',
    width: 176,
    render: (product) => <Stock product={product} />,
  },
  {
    key: 'packs_activos',
    at: 'labelled',
    title: 'Packs activos',
    className: classes.packs,
    sortable: true,
    align: 'right',
    width: 140,
    render: (product) => number(product.packs_activos),
  },
  {
    key: 'is_active',
    at: 'aside',
    title: 'Estado',
    sortable: true,
    width: 120,
    render: (product) => <ActiveBadge active={product.is_active} />,
  },
  {
    key: 'edit',
    at: 'foot',
    title: 'Editar',
    align: 'right',
    width: 96,
    render: (product) => (
      <Group gap={4} justify="flex-end">
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
