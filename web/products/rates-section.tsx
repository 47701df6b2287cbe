import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Product } from '../../contract/products/products.ts';
import { lazyPart } from '../lazy.ts';
import { number } from '../ui/format/format.ts';

const Rates = lazyPart(async () => ({ default: (await import('../iva/rates-table.tsx')).RatesTable }));

/** VAT rates of all products in one list, those without one first; only in a shop that uses VAT. */
export function RatesSection({ products }: { products: readonly Product[] }) {
  const [opened, setOpened] = useState(false);
  const active = products.filter((product) => product.is_active || product.iva === null);
  const without = active.filter(({ iva }) => iva === null).length;
  const rows = active
    .toSorted((a, b) => Number(a.iva !== null) - Number(b.iva !== null))
    .map(({ id, name, iva }) => ({ product_id: id, producto: name, iva }));
  return (
    <div>
      <Button variant="default" mb="sm" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {without ? `Tipos de IVA (${number(without)} sin tipo)` : 'Tipos de IVA'}
      </Button>
      {opened && <Rates rows={rows} />}
    </div>
  );
}
