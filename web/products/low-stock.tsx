import { Badge, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Product } from '../../contract/products/products.ts';
import { number } from '../ui/format/format.ts';

/** True if the stock is at or below the minimum (specification, section 9). */
export const isLow = ({ stock, min_stock }: Product): boolean => stock <= min_stock;

export const LowStock = () => (
  <Badge color="orange" style={{ flexShrink: 0 }} leftSection={<IconAlertTriangle size={12} stroke={2} aria-hidden />}>
    Bajo stock
  </Badge>
);

export const Stock = ({ product }: { product: Product }) => (
  <Group gap={6} justify="flex-end" wrap="nowrap">
    {isLow(product) && <LowStock />}
    {number(product.stock)}
  </Group>
);
