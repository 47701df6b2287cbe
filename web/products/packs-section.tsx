import { Button, Group, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { PER_PAGE } from '../../contract/kit/pages.ts';
import type { Pack, Product } from '../../contract/products/products.ts';
import { activeLabel } from '../ui/format/active-badge.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { Filters } from '../ui/list/filters.tsx';
import { matches, pageOf, sortedBy } from '../ui/list/local-list.ts';
import { SearchInput } from '../ui/list/search-input.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { useNamed } from '../ui/list/use-named.ts';
import { PackDialog } from './pack-dialog.tsx';
import { packColumns } from './packs.columns.tsx';
import { PricesDialog } from './prices-dialog.tsx';

const SORTS = ['product_name', 'name', 'alias', 'pack_quantity', 'pack_price', 'is_active'] as const;

type Props = { packs: Pack[] | undefined; products: Product[] | undefined; error: { message: string } | null; onRetry: () => void };

export function PacksSection({ packs, products, error, onRetry }: Props) {
  const [state, setState] = useSearchState({ pack: '', pack_sort: 'product_name', pack_dir: 'asc', pack_page: 1 });
  const [dialog, setDialog] = useState<{ opened: boolean; pack?: Pack }>({ opened: false });
  const [pricing, setPricing] = useState<{ opened: boolean; pack?: Pack }>({ opened: false });
  const edit = (pack: Pack) => setDialog({ opened: true, pack });
  const actions = { onEdit: edit, onPrices: (pack: Pack) => setPricing({ opened: true, pack }) };
  useNamed('abrir_pack', packs, (pack) => void edit(pack));

  const by = SORTS.find((key) => key === state.pack_sort) ?? 'product_name';
  const dir = state.pack_dir === 'desc' ? 'desc' : 'asc';
  const found = packs?.filter((pack) => matches(state.pack, pack.name, pack.alias));
  const sorted = found && sortedBy(found, (pack) => (by === 'is_active' ? activeLabel(pack) : pack[by]), dir);
  const current = sorted && pageOf(sorted, state.pack_page);

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
