import { Button, Group, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { PER_PAGE } from '../../contract/kit/pages.ts';
import type { Product } from '../../contract/products/products.ts';
import { activeLabel } from '../ui/format/active-badge.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters } from '../ui/list/filters.tsx';
import { matches, pageOf, sortedBy } from '../ui/list/local-list.ts';
import { SearchInput } from '../ui/list/search-input.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { useNamed } from '../ui/list/use-named.ts';
import { isLow } from './low-stock.tsx';
import { MovimientosDialog } from './movimientos-dialog.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { type ProductActions, productColumns } from './products.columns.tsx';

const SORTS = ['name', 'min_stock', 'stock', 'packs_activos', 'is_active'] as const;
const VIEWS: Record<string, { label: string; keep: (product: Product) => boolean }> = {
  '': { label: 'Todos los productos', keep: () => true },
  bajo: { label: 'Bajo stock', keep: isLow },
  activos: { label: 'Activos', keep: (product) => product.is_active },
  inactivos: { label: 'Inactivos', keep: (product) => !product.is_active },
};
const VIEW_OPTIONS = Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }));

const FIRST = [{ id: 'si' }];

type Props = { products: Product[] | undefined; error: { message: string } | null; onRetry: () => void };

export function ProductsSection({ products, error, onRetry }: Props) {
  const [state, setState] = useSearchState({ producto: '', ver: '', sort: 'name', dir: 'asc', page: 1 });
  const [dialog, setDialog] = useState<{ opened: boolean; id?: string }>({ opened: false });
  const edit = ({ id }: Product) => setDialog({ opened: true, id });
  useNamed('abrir', products, (product) => void edit(product));
  // «Para empezar» opens the form of the first product.
  const start = () => void (products?.length === 0 && setDialog({ opened: true }));
  useNamed('primero', products && FIRST, start);
  const [ledger, setLedger] = useState<{ opened: boolean; id?: string }>({ opened: false });
  const actions: ProductActions = { onEdit: edit, onMovimientos: ({ id }) => setLedger({ opened: true, id }) };

  const by = SORTS.find((key) => key === state.sort) ?? 'name';
  const dir = state.dir === 'desc' ? 'desc' : 'asc';
  const view = VIEWS[state.ver] ? state.ver : '';
  const found = products?.filter((product) => VIEWS[view]?.keep(product) && matches(state.producto, product.name));
  const sorted = found && sortedBy(found, (product) => (by === 'is_active' ? activeLabel(product) : product[by]), dir);
  const current = sorted && pageOf(sorted, state.page);
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
