import { Anchor, Badge } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ESTADOS_PAGO, mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import { type Liquidacion, listLiquidaciones } from '../../contract/liquidaciones/liquidaciones.ts';
import { useApi } from '../api.ts';
import { fecha, money, number, today } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters } from '../ui/list/filters.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import type { Column } from '../ui/list/table-props.ts';
import { Section } from '../ui/page/section.tsx';
import { PayMany } from './pay-many.tsx';

export const PaidBadge = ({ pagada_el }: Pick<Liquidacion, 'pagada_el'>) => (
  <Badge color={pagada_el ? 'green' : 'yellow'} style={{ flexShrink: 0 }}>
    {pagada_el ? `Pagada el ${fecha(pagada_el)}` : 'Por pagar'}
  </Badge>
);

const Numero = ({ id, numero }: Liquidacion) => (
  <Anchor component={Link} to={`/liquidaciones/${id}`} inherit fw={600} style={{ whiteSpace: 'nowrap' }}>
    {numero}
  </Anchor>
);

const Mes = ({ mes }: { mes: string }) => {
  const words = mesEnPalabras(mes);
  return <>{words.charAt(0).toUpperCase() + words.slice(1)}</>;
};

const isKnown = (estado: string): estado is keyof typeof ESTADOS_PAGO => Object.hasOwn(ESTADOS_PAGO, estado);

const MONTHS = 24;
function endedMonths(): string[] {
  const [year = 0, month = 0] = today().split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, i) => new Date(Date.UTC(year, month - 2 - i, 1)).toISOString().slice(0, 7));
}

const PERSON: Column<Liquidacion> = { key: 'persona', at: 'line', title: 'Persona', render: ({ persona_nombre }) => persona_nombre };
const COLUMNS: Column<Liquidacion>[] = [
  { key: 'numero', at: 'title', title: 'Número', width: 160, render: (row) => <Numero {...row} /> },
  { key: 'mes', at: 'line', title: 'Mes', width: 170, render: ({ mes }) => <Mes mes={mes} /> },
  { key: 'num_lineas', at: 'labelled', title: 'Líneas', width: 90, align: 'right', render: ({ num_lineas }) => number(num_lineas) },
  { key: 'total', at: 'aside', title: 'Total', width: 130, align: 'right', render: ({ total }) => money(total) },
  { key: 'pago', at: 'foot', title: 'Pago', width: 190, render: (row) => <PaidBadge {...row} /> },
];

export function Statements({ persona, everybodys }: { persona?: string; everybodys: boolean }) {
  const [{ mes, estado, page }, set] = useSearchState({ mes: '', estado: '', page: 1 });
  const months = endedMonths();
  const known = isKnown(estado) ? estado : undefined;
  const query = {
    page,
    ...(persona && { user_id: persona }),
    ...(months.includes(mes) && { mes }),
    ...(known && { estado: known }),
  };
  const { data, error, refetch, isPlaceholderData } = useApi(listLiquidaciones, { query }, { keepPrevious: true });
  const [ticked, setTicked] = useState<readonly Liquidacion[]>([]);
  // Current rows of the ticked statements, without statements paid meanwhile.
  const chosen = ticked.flatMap(({ id }) => (data?.data ?? []).filter((row) => row.id === id && !row.pagada_el));
  const navigate = useNavigate();
  const [first, ...rest] = COLUMNS;
  const columns = everybodys && first ? [first, PERSON, ...rest] : COLUMNS;
  return (
    <Section title={everybodys ? 'Liquidaciones cerradas' : 'Mis liquidaciones'} mb="xs">
      <Filters>
        <FilterSelect
          label="Mes"
          data={[{ value: '', label: 'Mes: todos' }, ...months.map((value) => ({ value, label: mesEnPalabras(value) }))]}
          value={months.includes(mes) ? mes : ''}
          onChange={(value) => set({ mes: value })}
        />
        <FilterSelect
          label="Pago"
          data={[{ value: '', label: 'Pago: todas' }, ...Object.entries(ESTADOS_PAGO).map(([value, label]) => ({ value, label }))]}
          value={known ?? ''}
          onChange={(value) => set({ estado: value })}
        />
      </Filters>
      <DataTable<Liquidacion>
        label="Liquidaciones"
        rows={data?.data}
        columns={columns}
        empty={
          query.mes || known || persona
            ? { title: 'Ninguna liquidación coincide', hint: 'Prueba con otro mes o con otro pago.' }
            : { title: 'Todavía no hay liquidaciones', hint: 'Hay una por persona y mes, cuando el mes se cierra.' }
        }
        error={{ title: 'No se pudieron cargar las liquidaciones', cause: error, onRetry: () => void refetch() }}
        busy={isPlaceholderData}
        pages={{ of: data, noun: 'liquidaciones', onPage: (next) => set({ page: next }) }}
        {...(everybodys && {
          selection: {
            rows: chosen,
            onChange: (rows: Liquidacion[]) => setTicked(rows.filter(({ pagada_el }) => !pagada_el)),
            label: ({ numero }: Liquidacion) => `Seleccionar ${numero}`,
          },
        })}
        onRow={({ id }) => void navigate({ to: '/liquidaciones/$id', params: { id } })}
      />
      {everybodys && (
        <PayMany
          chosen={chosen}
          onClear={() => setTicked([])}
          onKeep={(ids) => setTicked((data?.data ?? []).filter(({ id }) => ids.includes(id)))}
        />
      )}
    </Section>
  );
}
