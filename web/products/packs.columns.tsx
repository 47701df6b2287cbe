import { Group, Stack, Text } from '@mantine/core';
import { IconEyeOff, IconPencil, IconUsers } from '@tabler/icons-react';
import type { Pack } from '../../contract/products/products.ts';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { money, number } from '../ui/format/format.ts';
import { RowAction } from '../ui/list/row-action.tsx';
import type { Column } from '../ui/list/table-props.ts';
import classes from './product-columns.module.css';

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

type Actions = { onEdit: (pack: Pack) => void; onPrices: (pack: Pack) => void };

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
        <RowAction
          name="Precios por revendedor"
          label={`Precios por revendedor de ${pack.name}`}
          Icon={IconUsers}
          onClick={() => onPrices(pack)}
        />
        <RowAction name="Editar" label={`Editar ${pack.name}`} Icon={IconPencil} onClick={() => onEdit(pack)} />
      </Group>
    ),
  },
];
