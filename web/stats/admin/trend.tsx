import { Paper, Skeleton, Table, Text, Title } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import { fecha, money, number } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import classes from './admin.module.css';
import { agrupar, dias, mes, type Serie, type Tramo } from './serie.ts';

// Charts weigh more than all the rest of the screen: they arrive after the figures.
const Grafico = lazy(() => import('./chart.tsx'));

/** `tooLong`: of more days than there are to be had. */
type Props = { serie: Serie['data'] | undefined; failed: boolean; tooLong: boolean };

/** Orders and income over the chosen dates: drawn, said in a sentence, and as a table. */
export function Evolucion({ serie, failed, tooLong }: Props) {
  const id = useId();
  const { por, tramos } = agrupar(serie ?? []);
  const total = tramos.reduce((sum, { pedidos }) => sum + pedidos, 0);
  return (
    <Paper p="md" component="section" aria-labelledby={id} aria-busy={!serie && !failed && !tooLong}>
      <Title order={2} id={id}>
        Pedidos e ingresos
      </Title>
      <Text size="sm" c="dimmed" mb="sm" mih="1.5em">
        {total > 0 && resumen(por, tramos)}
      </Text>
      {serie && total > 0 ? (
        <>
          <div className={classes.chart}>
            <Suspense fallback={<Skeleton h="100%" />}>
              <Grafico por={por} tramos={tramos} />
            </Suspense>
          </div>
          <Datos por={por} tramos={tramos} />
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
    </Paper>
  );
}

/** What the chart shows, for whoever does not see it and for whoever has no time to look. */
function resumen(por: string, tramos: readonly Tramo[]): string {
  const sum = (field: 'pedidos' | 'ingresos') => tramos.reduce((total, tramo) => total + Math.round(tramo[field] * 100), 0) / 100;
  const best = tramos.reduce((most, tramo) => (tramo.pedidos > most.pedidos ? tramo : most));
  const [first] = tramos;
  const pedidos = (count: number) => `${number(count)} ${count === 1 ? 'pedido' : 'pedidos'}`;
  const whole = `Del ${fecha(first?.desde)} al ${fecha(tramos.at(-1)?.hasta)}: ${pedidos(sum('pedidos'))} y ${money(sum('ingresos'))} de ingresos.`;
  return tramos.length === 1 ? whole : `${whole} Mejor ${por}: ${por === 'mes' ? mes(best) : dias(best)}, con ${pedidos(best.pedidos)}.`;
}

function Datos({ por, tramos }: { por: string; tramos: readonly Tramo[] }) {
  return (
    <details className={classes.data}>
      <summary>Ver los datos en una tabla</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={`Pedidos e ingresos por ${por}`} tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th tt="capitalize">{por}</Table.Th>
              <Table.Th ta="right">Pedidos</Table.Th>
              <Table.Th ta="right">Ingresos</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tramos.map((tramo) => (
              <Table.Tr key={tramo.desde}>
                <Table.Td>{dias(tramo)}</Table.Td>
                <Table.Td ta="right">{number(tramo.pedidos)}</Table.Td>
                <Table.Td ta="right">{money(tramo.ingresos)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </details>
  );
}
