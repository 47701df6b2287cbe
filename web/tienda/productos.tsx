import { Button, Group, Stack, Text } from '@mantine/core';
import { TRATO_LABEL } from '../../contract/tienda/fields.ts';
import { deleteForma, deletePareja, listFormas, listFuentes, listParejas, traerProductos } from '../../contract/tienda/tienda.ts';
import { useApi, useMutate } from '../api.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Section } from '../ui/page/panel.tsx';
import { Match } from './match.tsx';

type Pareja = NonNullable<ReturnType<typeof useParejas>['data']>['data'][number];
const useParejas = (page: number) => useApi(listParejas, { query: { page } }, { keepPrevious: true });

function Delete({ pareja: { id, nombre, clave } }: { pareja: Pareja }) {
  const remove = useMutate(deletePareja, { failure: 'No se pudo borrar' });
  return (
    <Button size="xs" variant="default" aria-label={`Borrar: ${nombre ?? clave}`} onClick={() => remove.mutate({ params: { id } })}>
      Borrar
    </Button>
  );
}

// Ids (`#…`) differ between shops, so an answer for all shops holds only for the first one.
const shopOf = ({ tienda, clave }: Pareja) => tienda ?? (clave.startsWith('#') ? 'La primera' : 'Todas');

const COLUMNS: Column<Pareja>[] = [
  { key: 'nombre', title: 'En la tienda', render: ({ nombre, clave }) => (nombre ? `${nombre} (${clave})` : clave) },
  { key: 'tienda', title: 'Tienda', width: 160, render: shopOf },
  {
    key: 'pack',
    title: 'Aquí',
    width: 320,
    render: (pareja) => <Match aria-label={`Pack de ${pareja.nombre ?? pareja.clave}`} product={pareja} />,
  },
  { key: 'acciones', title: 'Acciones', width: 110, align: 'right', render: (pareja) => <Delete pareja={pareja} /> },
];

/** Packs of the web shops' products, and how the shops' payment methods pay. */
export default function Productos() {
  const [{ page }, set] = useSearchState({ page: 1 });
  const { data, error, isPlaceholderData, refetch } = useParejas(page);
  const withKeys = (useApi(listFuentes, {}).data?.data ?? []).filter(({ con_api }) => con_api);
  const fetchAll = useMutate(traerProductos, { failure: 'No se pudieron traer los productos' });
  const formas = useApi(listFormas, {}).data?.data ?? [];
  const deleteOne = useMutate(deleteForma, { failure: 'No se pudo borrar' });
  return (
    <Stack gap="lg">
      {withKeys.length > 0 && (
        <Group gap="xs">
          {withKeys.map(({ id, nombre }) => (
            <Button key={id} size="xs" variant="light" loading={fetchAll.isPending} onClick={() => fetchAll.mutate({ params: { id } })}>
              Traer los productos de {nombre}
            </Button>
          ))}
        </Group>
      )}
      <DataTable
        label="Productos de las tiendas"
        rows={data?.data}
        busy={isPlaceholderData}
        columns={COLUMNS}
        card={(pareja) => (
          <>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {pareja.nombre ?? pareja.clave} · {shopOf(pareja)}
            </Text>
            <Match aria-label={`Pack de ${pareja.nombre ?? pareja.clave}`} product={pareja} />
            <Delete pareja={pareja} />
          </>
        )}
        empty={{
          title: 'Todavía no hay ningún producto',
          hint: 'Se preguntan al llegar el primer pedido, o se traen de la tienda con sus claves.',
        }}
        error={{ title: 'No se pudieron cargar los productos', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'productos', onPage: (page) => set({ page }) }}
        rowLines={2}
      />
      {formas.length > 0 && (
        <Section title="Formas de pago">
          <Stack gap="xs" mt="sm">
            {formas.map(({ id, tienda, titulo, clave, trato }) => (
              <Group key={id} justify="space-between" gap="xs">
                <Text size="sm">
                  {titulo || clave} ({tienda}): {TRATO_LABEL[trato]}
                </Text>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Borrar: ${titulo || clave}`}
                  onClick={() => deleteOne.mutate({ params: { id } })}
                >
                  Borrar
                </Button>
              </Group>
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  );
}
