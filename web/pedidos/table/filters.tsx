import { Badge, Box, Button, Group, Popover, Stack, VisuallyHidden } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFilterOff, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { DIA_LABEL, type Dia } from '../../../contract/pedidos/day.ts';
import { PAGADO, PEDIDO_FILTERS } from '../../../contract/pedidos/filters.fields.ts';
import { METODO_ENTREGA_OPTIONS } from '../../../contract/pedidos/metodos.ts';
import { ROLE_LABEL } from '../../../contract/policy/policy.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { DateRange } from '../../ui/form/date-range.tsx';
import { fecha } from '../../ui/format/format.ts';
import { FilterSelect, Filters } from '../../ui/list/filters.tsx';
import { usePhone, useUnder } from '../../ui/page/use-phone.ts';
import { EstadoFilter } from './estado-filter.tsx';
import classes from './filters.module.css';
import { type FilterValues, isFiltered, NO_FILTERS, type SetFilters } from './query.ts';
import { SITUATION_OPTIONS } from './situation-options.ts';

const PAGADO_LABEL: Record<(typeof PAGADO)[number], string> = {
  si: 'Pagado',
  falta: 'Por cobrar',
  parte: 'Pagado en parte',
  no: 'Nada pagado',
};

type Props = { filters: FilterValues; setFilters: SetFilters };

/** Filters of «Gestión de Pedidos». On a phone, a button reveals all but the search (`children`) and the chips. */
export function PedidosFilters({ filters, setFilters, children }: Props & { children: ReactNode }) {
  const phone = usePhone();
  const chips = [
    filters.completado_desde && ({ name: 'completado_desde', label: `Completados desde el ${fecha(filters.completado_desde)}` } as const),
    filters.completado_hasta && ({ name: 'completado_hasta', label: `Completados hasta el ${fecha(filters.completado_hasta)}` } as const),
    filters.ciudad && ({ name: 'ciudad', label: `Ciudad: ${filters.ciudad}` } as const),
    filters.atrasado && ({ name: 'atrasado', label: 'Atrasados' } as const),
    filters.hoy && ({ name: 'hoy', label: DIA_LABEL[filters.hoy as Dia] } as const),
    filters.en_empresa && ({ name: 'en_empresa', label: 'Con una empresa' } as const),
    filters.incidencia && ({ name: 'incidencia', label: DIA_LABEL.decidir } as const),
    filters.envio_id && ({ name: 'envio_id', label: 'Un envío' } as const),
    filters.transferencia && ({ name: 'transferencia', label: 'Transferencias por confirmar' } as const),
    filters.devolucion && ({ name: 'devolucion', label: 'Reembolsos pendientes' } as const),
    filters.eliminados && ({ name: 'eliminados', label: 'Eliminados' } as const),
  ].filter((chip) => !!chip);
  const set = [filters.estado, filters.revendedor_id, filters.transportista_id, filters.fecha_desde || filters.fecha_hasta, filters.pagado];
  // Splits the filters over two lines if one is too narrow: set filters are wider, and the placeholder of the search must fit.
  const apart = useUnder(1400) || chips.length > 0 || set.filter(Boolean).length > 1;
  return (
    <Filters>
      <Together apart={apart}>
        {children}
        {chips.map(({ name, label }) => (
          <Chip key={name} label={label} onRemove={() => setFilters({ [name]: '' })} />
        ))}
      </Together>
      <Together apart={apart}>
        <BehindButton active={isFiltered({ ...filters, search: '' })}>
          <EstadoFilter
            value={filters.estado}
            onChange={(estado) => setFilters({ estado })}
            deleted={{ shown: filters.eliminados === 'si', onChange: (shown) => setFilters({ eliminados: shown ? 'si' : '' }) }}
          />
          <PersonFilter of="revendedor" filters={filters} setFilters={setFilters} />
          <PersonFilter of="transportista" filters={filters} setFilters={setFilters} />
          <DateRange
            label="Fecha"
            value={{ from: filters.fecha_desde, to: filters.fecha_hasta }}
            onChange={({ from = '', to = '' }) => setFilters({ fecha_desde: from, fecha_hasta: to })}
          />
          <MoreFilters filters={filters} setFilters={setFilters} />
          {isFiltered(filters) && <ClearFilters setFilters={setFilters} short={!phone} />}
        </BehindButton>
      </Together>
    </Filters>
  );
}

/** Group of filters that, with `apart`, wraps as a whole, so that no filter stands alone on a second line. */
function Together({ apart, children }: { apart: boolean; children: ReactNode }) {
  const phone = usePhone();
  return (
    <Group flex="1 1 auto" display={apart && !phone ? 'flex' : 'contents'}>
      {children}
    </Group>
  );
}

/** Rarely used filters, for which the line has no room, behind a button that counts the active ones. */
function MoreFilters({ filters, setFilters }: Props) {
  const phone = usePhone();
  // Renders dropdowns inside the popover, because a press outside the popover would close it.
  const look = { w: '100%', comboboxProps: { withinPortal: phone } };
  const { envios, tiendas = [] } = useSession();
  const fields = (
    <>
      <FilterSelect
        {...look}
        label={PEDIDO_FILTERS.situacion.label}
        value={filters.situacion}
        onChange={(situacion) => setFilters({ situacion })}
        data={SITUATION_OPTIONS}
      />
      {(envios || filters.empresa_transporte) && (
        <FilterSelect
          {...look}
          label="Empresa de transporte"
          value={filters.empresa_transporte}
          onChange={(empresa_transporte) => setFilters({ empresa_transporte })}
          data={[{ value: '', label: 'Empresa: todas' }, ...METODO_ENTREGA_OPTIONS]}
        />
      )}
      <FilterSelect
        {...look}
        label="Pago"
        value={filters.pagado}
        onChange={(pagado) => setFilters({ pagado })}
        data={[{ value: '', label: 'Pago: todos' }, ...PAGADO.map((value) => ({ value, label: PAGADO_LABEL[value] }))]}
      />
      {(tiendas.length > 0 || filters.tienda) && (
        <FilterSelect
          {...look}
          label={PEDIDO_FILTERS.tienda.label}
          value={filters.tienda}
          onChange={(tienda) => setFilters({ tienda })}
          data={[
            { value: '', label: 'Tienda: todas' },
            ...[...new Set([...tiendas, filters.tienda])].filter(Boolean).map((value) => ({ value, label: value })),
          ]}
        />
      )}
    </>
  );
  if (phone) return fields;
  const set = [filters.empresa_transporte, filters.pagado, filters.tienda, filters.situacion].filter(Boolean).length;
  return (
    <Popover position="bottom-end" width="17rem" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={set ? 'light' : 'default'}
          fw={400}
          px="sm"
          rightSection={
            set > 0 && (
              <Badge circle variant="filled">
                {set}
              </Badge>
            )
          }
        >
          Más{set ? <VisuallyHidden> filtros puestos:</VisuallyHidden> : ' filtros'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">{fields}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Removable filter without its own control: set by links, such as links of the dashboard. */
const Chip = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <Button variant="light" aria-label={`Quitar filtro: ${label}`} rightSection={<IconX size={14} aria-hidden />} onClick={onRemove}>
    {label}
  </Button>
);

/** `short` shows only the icon. */
export function ClearFilters({ setFilters, short }: Pick<Props, 'setFilters'> & { short?: boolean }) {
  const label = 'Quitar filtros';
  const icon = <IconFilterOff size={16} aria-hidden />;
  return (
    <Button
      variant="subtle"
      px={short ? 'xs' : undefined}
      title={label}
      aria-label={label}
      leftSection={!short && icon}
      onClick={() => setFilters(NO_FILTERS)}
    >
      {short ? icon : label}
    </Button>
  );
}

function BehindButton({ active, children }: { active: boolean; children: ReactNode }) {
  const phone = usePhone();
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!phone) return children;
  return (
    <>
      <Button
        variant={active ? 'light' : 'default'}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Filtros
      </Button>
      <Box id={id} w="100%" hidden={!open}>
        <div className={classes.stack}>{children}</div>
      </Box>
    </>
  );
}

/** Filter by person. Includes inactive people, because they have orders too. */
export function PersonFilter({ of: role, filters, setFilters }: Props & { of: 'revendedor' | 'transportista' }) {
  const { data } = useApi(listUsers, { query: { role } }, { staleTime: 60_000 });
  const phone = usePhone();
  const filter = PEDIDO_FILTERS[`${role}_id`];
  if (data?.data.length === 0) return null;
  return (
    <FilterSelect
      label={ROLE_LABEL[role]}
      searchable
      w={phone ? '100%' : '9.5rem'}
      value={filters[`${role}_id`]}
      onChange={(id) => setFilters({ [`${role}_id`]: id })}
      data={[
        { value: '', label: `${ROLE_LABEL[role]}: todos` },
        ...('none' in filter ? [{ value: filter.none, label: 'Sin asignar' }] : []),
        ...(data?.data ?? []).map(({ id, full_name }) => ({ value: id, label: full_name })),
      ]}
    />
  );
}
