import { Button, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { IconAlertTriangle, IconBox, IconCircleCheck, IconPlus, IconStack2 } from '@tabler/icons-react';
import { useState } from 'react';
import { PER_PAGE } from '../../contract/kit/pages.ts';
import { listPacks, listProducts, type Pack, type Product } from '../../contract/products/products.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { lazyPart } from '../lazy.ts';
import { useNextStep } from '../nav/first-steps.ts';
import { activeLabel } from '../ui/format/active-badge.tsx';
import { number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters, SearchInput, useSearchState } from '../ui/list/filters.tsx';
import { localPage, matches, sortedBy } from '../ui/list/local-list.ts';
import { ON, useNamed } from '../ui/list/use-named.ts';
import { PageHeader } from '../ui/page/panel.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { MovimientosDialog } from './movimientos-dialog.tsx';
import { PackDialog, PricesDialog } from './pack-dialog.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { isLow, type ProductActions, packColumns, productColumns } from './products.columns.tsx';

export default function StockPage() {
  const products = useApi(listProducts, {});
  const packs = useApi(listPacks, {});
  useNextStep();

  return (
    <>
      <PageHeader title="Control de Stock" subtitle="Productos del almacén y los packs en que se venden" />
      <Summary products={products.data?.data} failed={products.isError} />
      <Stack gap="xl" mt="lg" data-in-turn>
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
  const count = (isCounted: (product: Product) => boolean) => (products ? number(products.filter(isCounted).length) : '—');
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

const Rates = lazyPart(async () => ({ default: (await import('../iva/rates-table.tsx')).RatesTable }));

/** VAT rates of all products in one list, those without one first; only in a shop that uses VAT. */
function RatesSection({ products }: { products: readonly Product[] }) {
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

const PACK_SORTS = ['product_name', 'name', 'alias', 'pack_quantity', 'pack_price', 'is_active'] as const;

type Props = { packs: Pack[] | undefined; products: Product[] | undefined; error: { message: string } | null; onRetry: () => void };

function PacksSection({ packs, products, error, onRetry }: Props) {
  const [state, setState] = useSearchState({ pack: '', pack_sort: 'product_name', pack_dir: 'asc', pack_page: 1 });
  const [dialog, setDialog] = useState<{ opened: boolean; pack?: Pack }>({ opened: false });
  const [pricing, setPricing] = useState<{ opened: boolean; pack?: Pack }>({ opened: false });
  const edit = (pack: Pack) => setDialog({ opened: true, pack });
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });
  const onPrices = (pack: Pack) => setPricing({ opened: true, pack });
  const actions = { onEdit: edit, ...(resellers.data?.data.length && { onPrices }) };
  useNamed('abrir_pack', packs, (pack) => void edit(pack));

  const by = PACK_SORTS.find((key) => key === state.pack_sort) ?? 'product_name';
  const dir = state.pack_dir === 'desc' ? 'desc' : 'asc';
  const found = packs?.filter((pack) => matches(state.pack, pack.name, pack.alias));
  const sorted = found && sortedBy(found, (pack) => (by === 'is_active' ? activeLabel(pack) : pack[by]), dir);
  const current = sorted && localPage(sorted, state.pack_page);

  return (
    <section aria-labelledby="packs-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="packs-title">
          Packs
        </Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ opened: true })} disabled={!products?.length}>
          Nuevo pack
        </Button>
      </Group>
      <Filters>
        <SearchInput
          value={state.pack}
          placeholder="Buscar pack por nombre o alias..."
          onChange={(pack) => setState({ pack, pack_page: 1 }, { replace: true })}
        />
      </Filters>
      <DataTable
        label="Packs"
        rows={current?.data}
        columns={packColumns(actions)}
        empty={
          state.pack
            ? { title: 'Ningún pack coincide con la búsqueda', hint: 'Prueba con otro nombre o alias.' }
            : {
                title: 'No hay packs',
                hint:
                  products?.length === 0
                    ? 'Crea antes un producto: un pack son unidades de un producto a un precio.'
                    : 'Crea el primer pack: es lo que se elige al hacer un pedido.',
              }
        }
        error={{ title: 'No se pudieron cargar los packs', cause: error, onRetry }}
        pages={
          found && found.length > PER_PAGE ? { of: current, noun: 'packs', onPage: (page) => setState({ pack_page: page }) } : undefined
        }
        sort={{ by, dir, onSort: (sort, next) => setState({ pack_sort: sort, pack_dir: next, pack_page: 1 }) }}
        onRow={edit}
        pinLast
      />
      <PackDialog
        products={products ?? []}
        pack={dialog.pack}
        first={packs?.length === 0}
        opened={dialog.opened}
        onClose={() => setDialog((now) => ({ ...now, opened: false }))}
      />
      <PricesDialog pack={pricing.pack} opened={pricing.opened} onClose={() => setPricing((now) => ({ ...now, opened: false }))} />
    </section>
  );
}

const SORTS = ['name', 'min_stock', 'stock', 'packs_activos', 'is_active'] as const;
const VIEWS: Record<string, { label: string; shows: (product: Product) => boolean }> = {
  '': { label: 'Todos los productos', shows: () => true },
  bajo: { label: 'Bajo stock', shows: isLow },
  activos: { label: 'Activos', shows: (product) => product.is_active },
  inactivos: { label: 'Inactivos', shows: (product) => !product.is_active },
};
const VIEW_OPTIONS = Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }));

type ProductsSectionProps = { products: Product[] | undefined; error: { message: string } | null; onRetry: () => void };

function ProductsSection({ products, error, onRetry }: ProductsSectionProps) {
  const [state, setState] = useSearchState({ producto: '', ver: '', sort: 'name', dir: 'asc', page: 1 });
  const [dialog, setDialog] = useState<{ opened: boolean; id?: string }>({ opened: false });
  const edit = ({ id }: Product) => setDialog({ opened: true, id });
  useNamed('abrir', products, (product) => void edit(product));
  // «Para empezar» opens the form of the first product.
  useNamed('primero', products && ON, () => void (products?.length === 0 && setDialog({ opened: true })));
  const [ledger, setLedger] = useState<{ opened: boolean; id?: string }>({ opened: false });
  const actions: ProductActions = { onEdit: edit, onMovimientos: ({ id }) => setLedger({ opened: true, id }) };

  const by = SORTS.find((key) => key === state.sort) ?? 'name';
  const dir = state.dir === 'desc' ? 'desc' : 'asc';
  const view = VIEWS[state.ver] ? state.ver : '';
  const found = products?.filter((product) => VIEWS[view]?.shows(product) && matches(state.producto, product.name));
  const sorted = found && sortedBy(found, (product) => (by === 'is_active' ? activeLabel(product) : product[by]), dir);
  const current = sorted && localPage(sorted, state.page);
  const filtered = state.producto !== '' || view !== '';

  return (
    <section aria-labelledby="products-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="products-title">
          Productos
        </Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ opened: true })}>
          Nuevo producto
        </Button>
      </Group>
      <Filters>
        <SearchInput
          value={state.producto}
          placeholder="Buscar producto por nombre..."
          onChange={(producto) => setState({ producto }, { replace: true })}
        />
        <FilterSelect label="Qué productos se ven" data={VIEW_OPTIONS} value={view} onChange={(ver) => setState({ ver })} />
      </Filters>
      <DataTable
        label="Productos"
        rows={current?.data}
        columns={productColumns(actions)}
        empty={
          filtered
            ? { title: 'Ningún producto coincide con los filtros', hint: 'Prueba con otro nombre o quita el filtro.' }
            : { title: 'No hay productos', hint: 'Crea el primer producto y después los packs en que se vende.' }
        }
        error={{ title: 'No se pudieron cargar los productos', cause: error, onRetry }}
        pages={found && found.length > PER_PAGE ? { of: current, noun: 'productos', onPage: (page) => setState({ page }) } : undefined}
        sort={{ by, dir, onSort: (sort, next) => setState({ sort, dir: next }) }}
        onRow={edit}
        pinLast
      />
      <ProductDialog
        product={products?.find(({ id }) => id === dialog.id)}
        opened={dialog.opened}
        onClose={() => setDialog((now) => ({ ...now, opened: false }))}
      />
      <MovimientosDialog
        product={products?.find(({ id }) => id === ledger.id)}
        opened={ledger.opened}
        onClose={() => setLedger((now) => ({ ...now, opened: false }))}
      />
    </section>
  );
}
