import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { descartarTienda, emparejarTienda, listTienda, type PedidoTienda, reintentarTienda } from '../../contract/tienda/tienda.ts';
import { useApi, useMutate } from '../api.ts';
import { PackPicker, usePacks } from '../pedidos/lineas/pack-picker.tsx';
import { fechaHora, money } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader } from '../ui/page/page-header.tsx';

/** Why the order waits, and its products without a known pack. */
function Waits({ pedido }: { pedido: PedidoTienda }) {
  const { packs } = usePacks();
  const match = useMutate(emparejarTienda, { failure: 'No se pudo guardar el pack' });
  return (
    <Stack gap={6}>
      <Text size="sm">{pedido.aviso ?? pedido.motivo ?? 'Se está leyendo…'}</Text>
      {pedido.lineas
        .filter(({ pack_id }) => pack_id === null)
        .map(({ clave, nombre, cantidad }) => (
          <PackPicker
            key={clave}
            size="xs"
            label={`${cantidad} × ${nombre}${clave.startsWith('#') ? '' : ` (${clave})`}`}
            packs={packs}
            value={null}
            onChange={(pack_id) => pack_id && match.mutate({ body: { clave, pack_id } })}
          />
        ))}
      {pedido.pedido_id && (
        <Text size="xs">
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido.pedido_id ?? '' }} />}
          >
            {pedido.numero_orden}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

function Acts({ pedido }: { pedido: PedidoTienda }) {
  const dismiss = useMutate(descartarTienda, { failure: 'No se pudo descartar' });
  const retry = useMutate(reintentarTienda, { failure: 'No se pudo leer otra vez' });
  const given = { params: { id: pedido.id } };
  const seen = pedido.aviso !== null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {!seen && pedido.estado === 'por_revisar' && (
        <Button
          size="xs"
          variant="light"
          aria-label={`Leer otra vez el pedido ${pedido.numero}`}
          onClick={() => retry.mutate(given)}
          loading={retry.isPending}
        >
          Leer otra vez
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`${seen ? 'Visto' : 'Descartar'}: pedido ${pedido.numero}`}
        onClick={() => dismiss.mutate(given)}
        loading={dismiss.isPending}
      >
        {seen ? 'Visto' : 'Descartar'}
      </Button>
    </Group>
  );
}

const COLUMNS: Column<PedidoTienda>[] = [
  { key: 'recibido_at', title: 'Recibido', width: 140, render: ({ recibido_at }) => fechaHora(recibido_at) },
  { key: 'numero', title: 'Pedido', width: 90, render: ({ numero }) => numero },
  { key: 'cliente', title: 'Cliente', width: 150, render: ({ cliente }) => cliente ?? '—' },
  { key: 'total', title: 'Total', width: 95, align: 'right', render: ({ total }) => (total === null ? '—' : money(total)) },
  { key: 'motivo', title: 'Qué espera', render: (pedido) => <Waits pedido={pedido} /> },
  { key: 'acciones', title: 'Acciones', width: 270, align: 'right', render: (pedido) => <Acts pedido={pedido} /> },
];

/** Orders of the web shop that need a person's decision: an unknown product, no stock, a change after the parcel has left. */
export default function TiendaPage() {
  const [{ page }, set] = useSearchState({ page: 1 });
  const { data, error, isPlaceholderData, refetch } = useApi(listTienda, { query: { page } }, { keepPrevious: true });
  return (
    <>
      <PageHeader
        title="Tienda en línea"
        subtitle="Pedidos de tu tienda que esperan a que alguien los mire. Los demás han entrado solos."
      />
      <DataTable
        label="Pedidos de la tienda por revisar"
        rows={data?.data}
        busy={isPlaceholderData}
        columns={COLUMNS}
        card={(pedido) => (
          <>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {pedido.numero} {pedido.cliente && `· ${pedido.cliente}`}
              </Text>
              {pedido.total !== null && <Text fw={600}>{money(pedido.total)}</Text>}
            </Group>
            <Waits pedido={pedido} />
            <Acts pedido={pedido} />
          </>
        )}
        empty={{ title: 'No hay pedidos por revisar', hint: 'Aquí aparecen los que no han podido entrar solos.' }}
        error={{ title: 'No se pudieron cargar los pedidos de la tienda', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'pedidos', onPage: (page) => set({ page }) }}
        rowLines={3}
      />
    </>
  );
}
