import { plural } from '../../../contract/text/plural.ts';
import '@mantine/core/styles/Table.css';
import { Skeleton, Table, Text } from '@mantine/core';
import { fecha, money, number } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/list/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import classes from './admin.module.css';
import { Chart } from './chart.tsx';
import { type Bucket, bucketDays, bucketMonth, groupBefore, groupDays, type Serie } from './serie.ts';

/** `tooLong`: the range exceeds the server's limit. */
type Props = { serie: Serie | undefined; failed: boolean; tooLong: boolean };

/** Orders and income over the chosen dates: chart, sentence and table. */
export function Trend({ serie, failed, tooLong }: Props) {
  const { by, buckets } = groupDays(serie?.data ?? []);
  const total = buckets.reduce((sum, { pedidos }) => sum + pedidos, 0);
  return (
    <Panel title="Pedidos e ingresos" busy={!serie && !failed && !tooLong} mb={0}>
      <Text c="dimmed" mb="sm" mih="1.5em">
        {total > 0 && summary(by, buckets)}
      </Text>
      {serie && total > 0 ? (
        <>
          <div className={classes.chart}>
            <Chart by={by} buckets={buckets} before={groupBefore(serie)} days={serie.data.length} />
          </div>
          <TrendTable by={by} buckets={buckets} before={groupBefore(serie)} />
        </>
      ) : serie ? (
        <EmptyState title="No hay pedidos en estas fechas" />
      ) : tooLong ? (
        <EmptyState title="Demasiado tiempo para un gráfico" hint="Elige como máximo dos años en las fechas de arriba" />
      ) : failed ? (
        <EmptyState title="El gráfico no está disponible ahora" />
      ) : (
        <Skeleton className={classes.chart} />
      )}
    </Panel>
  );
}

/** Sums up the chart for screen readers and quick reading. */
function summary(by: string, buckets: readonly Bucket[]): string {
  const sum = (field: 'pedidos' | 'ingresos') => buckets.reduce((total, bucket) => total + Math.round(bucket[field] * 100), 0) / 100;
  const best = buckets.reduce((most, bucket) => (bucket.pedidos > most.pedidos ? bucket : most));
  const [first] = buckets;
  const whole = `Del ${fecha(first?.from)} al ${fecha(buckets.at(-1)?.to)}: ${plural(sum('pedidos'), 'pedido')} y ${money(sum('ingresos'))} de ingresos.`;
  return buckets.length === 1
    ? whole
    : `${whole} Mejor ${by}: ${by === 'mes' ? bucketMonth(best) : bucketDays(best)}, con ${plural(best.pedidos, 'pedido')}.`;
}

function TrendTable({ by, buckets, before }: Record<'buckets' | 'before', readonly Bucket[]> & { by: string }) {
  return (
    <details className={classes.data}>
      <summary>Ver los datos en una tabla</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={`Pedidos e ingresos por ${by}`} tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th tt="capitalize">{by}</Table.Th>
              <Table.Th ta="right">Pedidos</Table.Th>
              <Table.Th ta="right">Ingresos</Table.Th>
              <Table.Th ta="right">Pedidos, periodo anterior</Table.Th>
              <Table.Th ta="right">Ingresos, periodo anterior</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {buckets.map((bucket, i) => (
              <Table.Tr key={bucket.from}>
                <Table.Td>{bucketDays(bucket)}</Table.Td>
                <Table.Td ta="right">{number(bucket.pedidos)}</Table.Td>
                <Table.Td ta="right">{money(bucket.ingresos)}</Table.Td>
                <Table.Td ta="right">{number(before[i]?.pedidos)}</Table.Td>
                <Table.Td ta="right">{money(before[i]?.ingresos)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </details>
  );
}
