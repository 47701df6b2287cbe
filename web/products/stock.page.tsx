import { SimpleGrid, Stack } from '@mantine/core';
import { IconAlertTriangle, IconBox, IconCircleCheck, IconStack2 } from '@tabler/icons-react';
import { listPacks, listProducts, type Product } from '../../contract/products/products.ts';
import { useApi } from '../api.ts';
import { number } from '../ui/format/format.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { isLow } from './low-stock.tsx';
import { PacksSection } from './packs-section.tsx';
import { ProductsSection } from './products-section.tsx';
import { RatesSection } from './rates-section.tsx';

export default function StockPage() {
  const products = useApi(listProducts, {});
  const packs = useApi(listPacks, {});

  return (
    <>
      <PageHeader title="Control de Stock" subtitle="Productos del almacén y los packs en que se venden" />
      <Summary products={products.data?.data} failed={products.isError} />
      <Stack gap="xl" mt="lg">
        <ProductsSection products={products.data?.data} error={products.error} onRetry={() => void products.refetch()} />
        {products.data?.data.some((product) => 'iva' in product) && <RatesSection products={products.data.data} />}
        <PacksSection packs={packs.data?.data} products={products.data?.data} error={packs.error} onRetry={() => void packs.refetch()} />
      </Stack>
    </>
  );
}

/** Four stock figures; two link to the filtered list. */
function Summary({ products, failed }: { products: Product[] | undefined; failed: boolean }) {
  const loading = !products && !failed;
  const count = (keep: (product: Product) => boolean) => (products ? number(products.filter(keep).length) : '—');
  const units = products?.reduce((sum, { stock }) => sum + stock, 0);
  const card = (label: string, value: string, Icon: typeof IconBox, ver?: string) => {
    const link = ver ? ({ to: '/control-stock', search: { ver } } as const) : undefined;
    return <StatCard label={label} value={value} icon={<Icon size={18} />} loading={loading} link={link} />;
  };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {card(
        'Productos',
        count(() => true),
        IconBox,
      )}
      {card('Unidades', number(units), IconStack2)}
      {card('Bajo Stock', count(isLow), IconAlertTriangle, 'bajo')}
      {card(
        'Activos',
        count((p) => p.is_active),
        IconCircleCheck,
        'activos',
      )}
    </SimpleGrid>
  );
}
