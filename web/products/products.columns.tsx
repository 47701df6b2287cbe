import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowsExchange, IconEyeOff, IconPencil, IconUsers } from '@tabler/icons-react';
import type { Pack, Product } from '../../contract/products/products.ts';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { money, number } from '../ui/format/format.ts';
import { RowAction } from '../ui/list/row-action.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Picture } from './picture.tsx';
import classes from './product-columns.module.css';
import { lacksToSell } from './product-form.ts';

const Name = ({ product }: { product: Product }) => (
  <Group wrap="nowrap">
    {product.picture && <Picture of={product.picture} name={product.name} size={36} />}
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
    render: (product) => <Sold product={product} />,
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
          label={`Movimientos de stock de ${product.name}`}
          Icon={IconArrowsExchange}
          onClick={() => onMovimientos(product)}
        />
        <RowAction name="Editar" label={`Editar ${product.name}`} Icon={IconPencil} onClick={() => onEdit(product)} />
      </Group>
    ),
  },
];

/** State of the product, and why an active product cannot be sold. */
const Sold = ({ product }: { product: Product }) => (
  <Stack gap={4} align="flex-start">
    <ActiveBadge active={product.is_active} />
    {product.is_active && lacksToSell(product) && <Text size="xs">No se vende: {lacksToSell(product)}</Text>}
  </Stack>
);

/** State of the pack, and why an active pack is not on sale. */
const State = ({ pack }: { pack: Pack }) => (
  <Stack gap={4} align="flex-start">
    <ActiveBadge active={pack.is_active} />
    {pack.is_active && !pack.available && (
      <Group gap={4} wrap="nowrap">
        <IconEyeOff size={14} stroke={1.8} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="xs">No se ofrece: producto inactivo</Text>
      </Group>
    )}
  </Stack>
);

const anywhere = { overflowWrap: 'anywhere' } as const;

/** Text of a narrow column; breaks only words longer than `room`. */
const words = (text: string, room: string, fw?: number) => (
  <Text inherit fw={fw} miw={room} style={anywhere}>
    {text}
  </Text>
);

/** Without `onPrices` no pack has prices by reseller. */
type Actions = { onEdit: (pack: Pack) => void; onPrices?: (pack: Pack) => void };

export const packColumns = ({ onEdit, onPrices }: Actions): Column<Pack>[] => [
  { key: 'product_name', at: 'line', title: 'Producto', sortable: true, render: (pack) => words(pack.product_name, '7rem') },
  { key: 'name', at: 'title', title: 'Pack', sortable: true, width: '16%', render: (pack) => words(pack.name, '6rem', 600) },
  {
    key: 'alias',
    at: 'labelled',
    title: 'Alias',
    className: classes.alias,
    sortable: true,
    width: '11%',
    render: (pack) => words(pack.alias, '4.5rem'),
  },
  {
    key: 'pack_quantity',
    at: 'labelled',
    title: 'Cantidad',
    sortable: true,
    align: 'right',
    width: 100,
    render: (pack) => number(pack.pack_quantity),
  },
  {
    key: 'pack_price',
    at: 'aside',
    title: 'Precio (€)',
    sortable: true,
    align: 'right',
    width: 112,
    render: (pack) => money(pack.pack_price),
  },
  { key: 'is_active', at: 'line', title: 'Estado', sortable: true, width: 160, render: (pack) => <State pack={pack} /> },
  {
    key: 'edit',
    at: 'foot',
    title: 'Editar',
    align: 'right',
    width: 92,
    render: (pack) => (
      <Group gap={4} justify="flex-end">
        {onPrices && (
          <RowAction
            name="Precios por revendedor"
            label={`Precios por revendedor de ${pack.name}`}
            Icon={IconUsers}
            onClick={() => onPrices(pack)}
          />
        )}
        <RowAction name="Editar" label={`Editar ${pack.name}`} Icon={IconPencil} onClick={() => onEdit(pack)} />
      </Group>
    ),
  },
];

/** True if the stock is at or below the minimum (specification, section 9). */
export const isLow = ({ stock, min_stock }: Product): boolean => stock <= min_stock;

const LowStock = () => (
  <Badge color="orange" style={{ flexShrink: 0 }} leftSection={<IconAlertTriangle size={12} stroke={2} aria-hidden />}>
    Bajo stock
  </Badge>
);

const Stock = ({ product }: { product: Product }) => (
  <Group gap={8} justify="flex-end" wrap="nowrap">
    {isLow(product) && <LowStock />}
    {number(product.stock)}
  </Group>
);
