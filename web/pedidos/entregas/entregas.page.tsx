import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconCircleCheck, IconEye, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { DIA_FILTER, DIA_LABEL } from '../../../contract/pedidos/day.ts';
import { estadosListed, POR_ENTREGAR } from '../../../contract/pedidos/estados.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listSinEnviar } from '../../../contract/transportista/transportista.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, fechaHora, hora, isoDay, money, today } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { Filters, SearchInput } from '../../ui/list/filters.tsx';
import { useColumns, useLook } from '../../ui/list/use-view.ts';
import { ViewMenu } from '../../ui/list/view-menu.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { Tip } from '../../ui/page/tip.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { useVistas, type Vistas } from '../../vistas/use-vistas.ts';
import { VistasMenu } from '../../vistas/vistas-menu.tsx';
import { type Action, actionsFor } from '../actions/actions.ts';
import { useActions } from '../detail/use-actions.tsx';
import { summaryWords } from '../summary.ts';
import { EstadoFilter } from '../table/estado-filter.tsx';
import { ClearFilters, PersonFilter } from '../table/filters.tsx';
import { Matter } from '../table/matter.tsx';
import { PedidoLink } from '../table/pedido-link.tsx';
import { Cliente } from '../table/pedidos.columns.tsx';
import { DEFAULT_FILTERS, type FilterValues, type SetFilters } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';
import { entregasColumns, metodo, seguimiento } from './entregas.columns.tsx';
import classes from './entregas.module.css';
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
  const key = `enruta-entregas-${useSession().id}`;
  const look = useLook(key);
  const { filters, setFilters, search, table } = usePedidos('Error al cargar los pedidos', look, vistas, TO_DELIVER);
  const { run, runStep, dialogs } = useActions(OWN);
  const open = (pedido: Pedido) => run({ kind: 'view' }, pedido);
  const buttons = (pedido: Pedido) => <EntregaActions pedido={pedido} onAction={run} />;
  const columns = useColumns(key, entregasColumns(open, runStep, buttons, look), vistas.chosen);
  const phone = usePhone();
  const narrowed = isNarrowed(filters);
  // Clearing a search among open deliveries keeps the search and extends it to all estados.
  const clear: SetFilters = () =>
    setFilters({ ...TO_DELIVER, ...(filters.search && filters.estado === TO_DELIVER.estado && { search: filters.search, estado: ALL }) });

  return (
    <>
      <PageHeader
        title="Entregas"
        subtitle={useUnsent() || 'Lo que hay por entregar, lo prometido antes primero'}
        actions={
          <>
            <VistasMenu vistas={vistas} filters={filters} defaults={DEFAULT_FILTERS} columnas={columns.shown} />
            {!phone && <ViewMenu look={look} columns={columns} />}
          </>
        }
      />
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
      <div className={classes.list}>
        <DataTable
          label="Entregas"
          {...table}
          {...columns.table}
          oneLine={look.oneLine}
          card={(pedido) => <EntregaCard pedido={pedido} onOpen={open} onStep={runStep} actions={buttons(pedido)} />}
          onRow={open}
          rowLines={look.oneLine ? 1 : 2}
          dense
          pinLast
          tight
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
      </div>
      {dialogs}
    </>
  );
}

const BUTTONS = {
  view: { label: 'Ver detalle', color: 'gray', Icon: IconEye },
  complete: { label: 'Completar entrega', color: 'green', Icon: IconCircleCheck },
  delete: { label: 'Eliminar', color: 'red', Icon: IconTrash },
} as const;
const isButton = (kind: Action['kind']): kind is keyof typeof BUTTONS => Object.hasOwn(BUTTONS, kind);

type Props = { pedido: Pedido; onAction: (action: Action, pedido: Pedido, from: Element) => void };

/** Three buttons of a delivery's row; a disabled button says why. */
function EntregaActions({ pedido, onAction }: Props) {
  const actor = useSession();
  const phone = usePhone();
  const id = useId();
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {actionsFor(actor, pedido).map(({ action, reason }) => {
        if (!isButton(action.kind)) return null;
        const { label, color, Icon } = BUTTONS[action.kind];
        const text = reason ? `${label}: ${reason.toLowerCase()}` : label;
        return (
          <Tip key={action.kind} label={text}>
            <ActionIcon
              variant="subtle"
              size={phone ? 'lg' : 26}
              color={reason ? 'gray' : color}
              aria-label={`${label} ${pedido.numero_orden}`}
              aria-disabled={!!reason || undefined}
              c={reason ? 'var(--mantine-color-disabled-color)' : undefined}
              style={{ ...(reason && { cursor: 'not-allowed', opacity: 0.6 }) }}
              aria-describedby={reason && `${id}-${action.kind}`}
              onClick={(event) => (reason ? toast.info(text) : onAction(action, pedido, event.currentTarget))}
            >
              <Icon size={18} stroke={1.8} aria-hidden />
              {reason && <VisuallyHidden id={`${id}-${action.kind}`}>{reason}</VisuallyHidden>}
            </ActionIcon>
          </Tip>
        );
      })}
    </Group>
  );
}

const since = (at: string) => (isoDay(at) === today() ? `las ${hora(Date.parse(at))}` : `el ${fechaHora(at)}`);

/** Deliveries that wait on a carrier's telephone for coverage, in one sentence a carrier. */
const useUnsent = () =>
  useApi(listSinEnviar, {}, { refetchInterval: 60_000 })
    .data?.data.map(({ transportista_nombre, pedidos, desde }) => {
      const what = pedidos === 1 ? '1 entrega' : `${pedidos} entregas`;
      return `${transportista_nombre}: ${what} que su teléfono aún no ha mandado, desde ${since(desde)}`;
    })
    .join(' · ');

type EntregaCardProps = Pick<Props, 'pedido'> & {
  onOpen: (pedido: Pedido) => void;
  onStep: ReturnType<typeof useActions>['runStep'];
  actions: ReactNode;
};

const EntregaCard = ({ pedido, onOpen, onStep, actions }: EntregaCardProps) => (
  <>
    <Group justify="space-between" wrap="nowrap" mb={6}>
      <PedidoLink pedido={pedido} onOpen={onOpen} />
      <EstadoBadge estado={pedido.estado} short />
    </Group>
    <Matter pedido={pedido} onStep={onStep} />
    <Cliente pedido={pedido} />
    <Text mt={6}>{summaryWords(pedido)}</Text>
    <Text size="xs" c="dimmed">
      Entrega: {metodo(pedido)} · Seguimiento: {seguimiento(pedido)}
    </Text>
    <Group justify="space-between" mt={4} wrap="nowrap">
      <Text c="dimmed">
        {fecha(pedido.fecha_pedido)} ·{' '}
        <Text span inherit fw={600} c="var(--mantine-color-text)">
          {money(pedido.precio_total)}
        </Text>
      </Text>
      {actions}
    </Group>
  </>
);

/** Chips that filter the deliveries; pressing a chip again returns to all open deliveries. */
function EntregasChips({ filters, setFilters }: { filters: FilterValues; setFilters: SetFilters }) {
  const { envios } = useSession();
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Qué entregas">
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
