import { Button, Group } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { DIA_FILTER, DIA_LABEL } from '../../../contract/pedidos/day.ts';
import { estadosListed, POR_ENTREGAR } from '../../../contract/pedidos/estados.ts';
import { mayTransition } from '../../../contract/pedidos/flow.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { plural } from '../../../contract/text/plural.ts';
import { listSinEnviar } from '../../../contract/transportista/transportista.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { fechaHora, hora, isoDay, today } from '../../ui/format/format.ts';
import { Filters, SearchInput } from '../../ui/list/filters.tsx';
import { RowAction } from '../../ui/list/row-action.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { useVistas, type Vistas } from '../../vistas/use-vistas.ts';
import type { OnAction } from '../list/orders.columns.tsx';
import { OrdersTable, useOrders } from '../list/orders-table.tsx';
import { useLote } from '../lote/use-lote.tsx';
import { EstadoFilter } from '../table/estado-filter.tsx';
import { ClearFilters, PersonFilter } from '../table/filters.tsx';
import { DEFAULT_FILTERS, type FilterValues, type SetFilters } from '../table/query.ts';
import { EntregasTabs } from './entregas-tabs.tsx';

const OWN = {
  asksToDelete: true,
  deleted: () => ({ message: 'Pedido eliminado correctamente' }),
  completed: 'Pedido marcado como completado',
  own: { view: () => import('../detail/details-dialog.tsx').then((m) => m.WholeDetails) },
};

export default function EntregasPage() {
  const vistas = useVistas('entregas');
  // Remounts once the saved view from the address has loaded, because that view chooses the columns.
  return <Entregas key={String(vistas.naming)} vistas={vistas} />;
}

function Entregas({ vistas }: { vistas: Vistas }) {
  const { filters, setFilters, search, table, shown, menus, dialogs } = useOrders('entregas', {
    failure: 'Error al cargar los pedidos',
    vistas,
    defaults: TO_DELIVER,
    acts: OWN,
    labels: { view: 'Ver detalle' },
    main: (pedido, onAction) => <Complete pedido={pedido} onAction={onAction} />,
  });
  const lote = useLote(filters, table.rows, table.pages.of);
  const phone = usePhone();
  const narrowed = isNarrowed(filters);
  // Clearing a search among open deliveries keeps the search and extends it to all estados.
  const clear: SetFilters = () =>
    setFilters({ ...TO_DELIVER, ...(filters.search && filters.estado === TO_DELIVER.estado && { search: filters.search, estado: ALL }) });

  return (
    <>
      <PageHeader title="Entregas" subtitle={useUnsent() || 'Lo que hay por entregar, lo prometido antes primero'} actions={menus} />
      <EntregasTabs />
      <EntregasChips filters={filters} setFilters={setFilters} />
      <Filters>
        {/* The width fits the whole placeholder. */}
        <SearchInput {...search} w={phone ? undefined : '25rem'} placeholder="Buscar por número de orden, cliente o producto..." />
        <EstadoFilter
          value={filters.estado}
          onChange={(estado) => setFilters({ estado: estado || ALL })}
          estados={estadosListed('entregas')}
        />
        <PersonFilter of="transportista" filters={filters} setFilters={setFilters} />
        {narrowed && <ClearFilters setFilters={clear} short={!phone} />}
      </Filters>
      <OrdersTable
        label="Entregas"
        of={shown}
        lote={lote}
        empty={
          narrowed
            ? { title: 'Ninguna entrega coincide con los filtros', action: <ClearFilters setFilters={clear} /> }
            : {
                title: 'No hay nada por entregar',
                hint: 'Los pedidos aparecerán aquí para completarlos.',
                action: (
                  <Button variant="subtle" onClick={() => setFilters({ estado: ALL })}>
                    Ver todos los estados
                  </Button>
                ),
              }
        }
      />
      {dialogs}
    </>
  );
}

/** «Completar» of a delivery that can be completed. */
function Complete({ pedido, onAction }: { pedido: Pedido; onAction: OnAction }) {
  if (!mayTransition(useSession(), 'completar', pedido)) return null;
  return (
    <RowAction
      name="Completar"
      label={`Completar entrega ${pedido.numero_orden}`}
      Icon={IconCircleCheck}
      onClick={() => onAction({ kind: 'complete' }, pedido, document.activeElement)}
    />
  );
}

const since = (at: string) => (isoDay(at) === today() ? `las ${hora(Date.parse(at))}` : `el ${fechaHora(at)}`);

/** Deliveries that wait on a carrier's telephone for coverage, in one sentence a carrier. */
const useUnsent = () =>
  useApi(listSinEnviar, {}, { refetchInterval: 60_000 })
    .data?.data.map(({ transportista_nombre, pedidos, desde }) => {
      const what = plural(pedidos, 'entrega');
      return `${transportista_nombre}: ${what} que su teléfono aún no ha mandado, desde ${since(desde)}`;
    })
    .join(' · ');

/** Chips that filter the deliveries; pressing a chip again returns to all open deliveries. */
function EntregasChips({ filters, setFilters }: { filters: FilterValues; setFilters: SetFilters }) {
  const { envios } = useSession();
  return (
    <Group gap={8} mb="sm" role="group" aria-label="Qué entregas">
      {CHIPS.filter(({ patch }) => envios || !patch.en_empresa).map((chip) => {
        const pressed = isPressed(filters, chip);
        return (
          <Button
            key={chip.label}
            size="compact-md"
            radius="xl"
            fw={pressed ? 600 : 400}
            variant={pressed ? 'light' : 'default'}
            aria-pressed={pressed}
            onClick={() => setFilters({ ...NO_CHIP, ...(!pressed && chip.patch) })}
          >
            {chip.label}
          </Button>
        );
      })}
    </Group>
  );
}

/** Value of `estado` in the address for all estados; without the parameter, the list shows open deliveries. */
const ALL = 'todos';

/** Orders to deliver, the earliest promised day first. */
const TO_DELIVER: FilterValues = {
  ...DEFAULT_FILTERS,
  estado: POR_ENTREGAR.join(','),
  sort: 'fecha_estimada',
  dir: 'asc',
};

type Chip = { label: string; patch: Partial<FilterValues> };
const { estado, sort, dir } = TO_DELIVER;
/** Filters that a chip replaces. */
const NO_CHIP = { hoy: '', atrasado: '', en_empresa: '', incidencia: '', estado, sort, dir };

const CHIPS: readonly Chip[] = [
  ...(['toca', 'calle', 'decidir'] as const).map((dia) => ({ label: DIA_LABEL[dia], patch: DIA_FILTER[dia] })),
  { label: DIA_LABEL.hecho, patch: { ...DIA_FILTER.hecho, estado: 'completado', sort: 'fecha_completado', dir: 'desc' } },
  { label: 'Atrasadas', patch: { atrasado: 'si' } },
  { label: 'Con empresa', patch: { en_empresa: 'si' } },
];

/** True if the filters that chips set are exactly those of the chip, whatever the sorting. */
const isPressed = (filters: FilterValues, { patch }: Chip): boolean =>
  (Object.keys(NO_CHIP) as (keyof typeof NO_CHIP)[])
    .filter((name) => name !== 'sort' && name !== 'dir')
    .every((name) => filters[name] === (patch[name] ?? NO_CHIP[name]));

/** True if any filter differs from `TO_DELIVER`; ignores sorting and page. */
const isNarrowed = (filters: FilterValues): boolean =>
  (Object.keys(TO_DELIVER) as (keyof FilterValues)[]).some(
    (name) => !['sort', 'dir', 'page'].includes(name) && filters[name] !== TO_DELIVER[name],
  );
