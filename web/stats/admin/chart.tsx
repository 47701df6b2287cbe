import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { CompositeChart } from '@mantine/charts';
import { Paper, Text } from '@mantine/core';
import { money, number } from '../../ui/format/format.ts';
import { type Bucket, bucketDays } from './serie.ts';

const CURRENCY = { style: 'currency', currency: 'EUR', useGrouping: 'always' } as const;
const euros = new Intl.NumberFormat('es-ES', { ...CURRENCY, maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat('es-ES', { ...CURRENCY, notation: 'compact', maximumFractionDigits: 1 });
/** Formats an amount short enough for the axis. */
const compact = (value: number) => (value < 1_000_000 ? euros : millions).format(value);

/** Orders as bars (left axis) and income as a line (right axis). */
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
          // Contrasts with bars of any accent, in both themes.
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
        // Keyboard users get the sentence and the table instead.
        composedChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}

function Details({ bucket }: { bucket: Bucket | undefined }) {
  if (!bucket) return null;
  return (
    <Paper px="sm" py="xs" shadow="md">
      <Text fw={600}>{bucketDays(bucket)}</Text>
      <Text>Pedidos: {number(bucket.pedidos)}</Text>
      <Text>Ingresos: {money(bucket.ingresos)}</Text>
    </Paper>
  );
}
