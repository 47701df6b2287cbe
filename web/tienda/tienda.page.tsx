import { Stack } from '@mantine/core';
import { Suspense } from 'react';
import { listFuentes } from '../../contract/tienda/tienda.ts';
import { useApi } from '../api.ts';
import { lazyPart } from '../lazy.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { Skeletons } from '../ui/list/loaded.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { ShopProblems } from './problems.tsx';
import { Review } from './review.tsx';

const Productos = lazyPart(() => import('./productos.tsx'));
const Tiendas = lazyPart(() => import('./tiendas.tsx'));

const TABS = [
  { value: 'revisar', label: 'Por revisar' },
  { value: 'productos', label: 'Productos' },
  { value: 'tiendas', label: 'Tiendas' },
] as const;

/** Web shops: waiting orders, answers about products and payment methods, and connections. */
export default function TiendaPage() {
  const [{ tab }, set] = useSearchState({ tab: 'revisar' });
  const fuentes = useApi(listFuentes, {}).data?.data ?? [];
  const open = TABS.find(({ value }) => value === tab)?.value ?? 'revisar';
  return (
    <>
      <PageHeader
        title="Tienda en línea"
        subtitle="Pedidos de tu tienda que esperan a que alguien los mire. Los demás han entrado solos."
      />
      <PageTabs tabs={TABS} open={open} onOpen={(tab) => set({ tab })}>
        <Suspense fallback={<Skeletons heights={[120, 120]} />}>
          {open === 'revisar' && (
            <Stack gap="sm">
              <ShopProblems fuentes={fuentes} />
              <Review />
            </Stack>
          )}
          {open === 'productos' && <Productos />}
          {open === 'tiendas' && <Tiendas />}
        </Suspense>
      </PageTabs>
    </>
  );
}
