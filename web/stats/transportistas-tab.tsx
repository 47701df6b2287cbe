import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { PERIODOS } from '../../contract/stats/fields.ts';
import { transportistasStats } from '../../contract/stats/stats.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi } from '../api.ts';
import { durationText, fecha, money, number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters, useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';

type Row = Answer<typeof transportistasStats>['data'][number] & { id: string; desde: string };
type Company = Answer<typeof transportistasStats>['empresas'][number] & { id: string };
const LABEL = { hoy: 'Hoy', '7d': '7 días', '30d': '30 días' };
const OPTIONS = PERIODOS.map((value) => ({ value, label: LABEL[value] }));

/** Deliveries and average delivery time per carrier in the period. */
export function TransportistasTab() {
  const [state, set] = useSearchState({ periodo: '30d' });
  const periodo = PERIODOS.find((known) => known === state.periodo) ?? '30d';
  const { data, error, isPlaceholderData, refetch } = useApi(transportistasStats, { query: { periodo } }, { keepPrevious: true });
  const rows = data?.data.map((row) => ({ ...row, id: row.transportista_id, desde: data.desde }));
  const total = rows?.reduce((sum, { completados }) => sum + completados, 0);

  return (
    <>
      <Filters>
        <FilterSelect label="Periodo" w="10rem" data={OPTIONS} value={periodo} onChange={(next) => set({ periodo: next })} />
        <Text c="dimmed" role="status">
          {data && !isPlaceholderData
            ? `Del ${fecha(data.desde)} al ${fecha(data.hasta)}: ${plural(total ?? 0, 'pedido completado', 'pedidos completados')}`
            : ''}
        </Text>
      </Filters>
      <DataTable
        label="Resumen Transportistas"
        rows={rows}
        busy={isPlaceholderData}
        columns={COLUMNS}
        empty={{ title: 'Ningún pedido completado en este periodo', hint: 'Prueba con un periodo más largo.' }}
        error={{ title: 'No se pudo cargar el resumen', cause: error, onRetry: () => void refetch() }}
      />
      {data && data.empresas.length > 0 && (
        <>
          <Title order={2} mt="lg" mb="sm">
            Empresas de transporte
          </Title>
          <DataTable
            label="Empresas de transporte"
            rows={data.empresas.map((row) => ({ ...row, id: row.empresa }))}
            busy={isPlaceholderData}
            columns={COMPANY_COLUMNS}
            empty={{ title: 'Ninguna empresa en este periodo' }}
          />
        </>
      )}
    </>
  );
}

/** Carrier's name, linked to the orders completed in the period. */
const Name = ({ row }: { row: Row }) => (
  <Anchor
    size="sm"
    fw={600}
    renderRoot={(props) => <Link {...props} to="/pedidos" search={{ transportista_id: row.id, completado_desde: row.desde }} />}
  >
    {row.id === 'sin' ? 'Sin asignar' : row.nombre}
  </Anchor>
);

const COLUMNS: Column<Row>[] = [
  { key: 'nombre', at: 'title', title: 'Transportista', render: (row) => <Name row={row} /> },
  {
    key: 'completados',
    at: 'labelled',
    title: 'Completados',
    align: 'right',
    width: 140,
    render: ({ completados }) => number(completados),
  },
  {
    key: 'horas_medias',
    at: 'labelled',
    title: 'Tiempo medio de entrega',
    align: 'right',
    width: 220,
    render: ({ horas_medias }) => durationText(horas_medias),
  },
];

const figure = (key: 'completados' | 'no_entregados', title: string): Column<Company> => ({
  key,
  at: 'labelled',
  title,
  align: 'right',
  width: 150,
  render: (row) => number(row[key]),
});
const COMPANY_COLUMNS: Column<Company>[] = [
  { key: 'empresa', at: 'title', title: 'Empresa', render: ({ empresa }) => empresa },
  figure('completados', 'Completados'),
  figure('no_entregados', 'No entregados'),
  {
    key: 'dias_medios',
    at: 'labelled',
    title: 'Tiempo medio de entrega',
    align: 'right',
    width: 220,
    render: ({ dias_medios }) => (dias_medios === null ? '—' : durationText(dias_medios * 24)),
  },
  { key: 'comision', at: 'labelled', title: 'Comisión', align: 'right', width: 130, render: ({ comision }) => money(comision) },
];
