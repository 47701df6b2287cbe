import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { CompositeChart } from '@mantine/charts';
import { Paper, Text } from '@mantine/core';
import { money, number } from '../../ui/format/format.ts';
import { dias, type Tramo } from './serie.ts';

const CURRENCY = { style: 'currency', currency: 'EUR', useGrouping: 'always' } as const;
const euros = new Intl.NumberFormat('es-ES', { ...CURRENCY, maximumFractionDigits: 0 });
const millones = new Intl.NumberFormat('es-ES', { ...CURRENCY, notation: 'compact', maximumFractionDigits: 1 });
/** What fits beside the chart. */
const corto = (value: number) => (value < 1_000_000 ? euros : millones).format(value);

/** Orders as bars on the left scale, income as a line on the right one. Its words are around it. */
export default function Grafico({ por, tramos }: { por: string; tramos: Tramo[] }) {
  return (
    <div
      role="img"
      aria-label={`Gráfico de pedidos e ingresos por ${por}; los mismos datos están en la tabla de abajo`}
      style={{ height: '100%' }}
    >
      <CompositeChart
        h="100%"
        data={tramos.map((tramo) => ({ tramo, etiqueta: tramo.etiqueta, Pedidos: tramo.pedidos, Ingresos: tramo.ingresos }))}
        dataKey="etiqueta"
        series={[
          { name: 'Pedidos', type: 'bar', color: 'accent.5' },
          // Over the bars, of whatever colour, on a light and on a dark ground.
          { name: 'Ingresos', type: 'line', color: 'var(--mantine-color-text)', yAxisId: 'right' },
        ]}
        withLegend
        withRightYAxis
        withDots={tramos.length <= 31}
        curveType="linear"
        maxBarWidth={28}
        yAxisProps={{ allowDecimals: false, width: 36 }}
        rightYAxisProps={{ width: 64, tickFormatter: corto }}
        xAxisProps={{ minTickGap: 16 }}
        valueFormatter={number}
        lineProps={{ isAnimationActive: false }}
        barProps={{ isAnimationActive: false }}
        tooltipProps={{ isAnimationActive: false, content: ({ payload }) => <Detalle tramo={payload?.[0]?.payload?.tramo} /> }}
        // The words and the table are for the keyboard; a picture has nothing to stop at.
        composedChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}

/** What is under the pointer. */
function Detalle({ tramo }: { tramo: Tramo | undefined }) {
  if (!tramo) return null;
  return (
    <Paper px="sm" py="xs" shadow="md">
      <Text size="sm" fw={600}>
        {dias(tramo)}
      </Text>
      <Text size="sm">Pedidos: {number(tramo.pedidos)}</Text>
      <Text size="sm">Ingresos: {money(tramo.ingresos)}</Text>
    </Paper>
  );
}
