import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { CompositeChart } from '@mantine/charts';
import { Paper, Text } from '@mantine/core';
import { money, number } from '../../ui/format/format.ts';
import { type Bucket, daysOf } from './serie.ts';

const CURRENCY = { style: 'currency', currency: 'EUR', useGrouping: 'always' } as const;
const euros = new Intl.NumberFormat('es-ES', { ...CURRENCY, maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat('es-ES', { ...CURRENCY, notation: 'compact', maximumFractionDigits: 1 });
/** What fits beside the chart. */
const compact = (value: number) => (value < 1_000_000 ? euros : millions).format(value);

/** Orders as bars on the left scale, income as a line on the right one. Its words are around it. */
export default function Chart({ by, buckets }: { by: string; buckets: Bucket[] }) {
  return (
    <div
      role="img"
      aria-label={`Gráfico de pedidos e ingresos por ${by}; los mismos datos están en la tabla de abajo`}
      style={{ height: '100%' }}
    >
      <CompositeChart
        h="100%"
        data={buckets.map((bucket) => ({ bucket, label: bucket.label, Pedidos: bucket.pedidos, Ingresos: bucket.ingresos }))}
        dataKey="label"
        series={[
          { name: 'Pedidos', type: 'bar', color: 'accent.5' },
          // Over the bars, of whatever colour, on a light and on a dark ground.
          { name: 'Ingresos', type: 'line', color: 'var(--mantine-color-text)', yAxisId: 'right' },
        ]}
        withLegend
        withRightYAxis
        withDots={buckets.length <= 31}
        curveType="linear"
        maxBarWidth={28}
        yAxisProps={{ allowDecimals: false, width: 36 }}
        rightYAxisProps={{ width: 64, tickFormatter: compact }}
        xAxisProps={{ minTickGap: 16 }}
        valueFormatter={number}
        lineProps={{ isAnimationActive: false }}
        barProps={{ isAnimationActive: false }}
        tooltipProps={{ isAnimationActive: false, content: ({ payload }) => <Details bucket={payload?.[0]?.payload?.bucket} /> }}
        // The words and the table are for the keyboard; a picture has nothing to stop at.
        composedChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}

/** What is under the pointer. */
function Details({ bucket }: { bucket: Bucket | undefined }) {
  if (!bucket) return null;
  return (
    <Paper px="sm" py="xs" shadow="md">
      <Text size="sm" fw={600}>
        {daysOf(bucket)}
      </Text>
      <Text size="sm">Pedidos: {number(bucket.pedidos)}</Text>
      <Text size="sm">Ingresos: {money(bucket.ingresos)}</Text>
    </Paper>
  );
}
