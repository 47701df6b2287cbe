import '@mantine/core/styles/Progress.css';
import { Progress } from '@mantine/core';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import type { revendedorStats } from '../../../contract/stats/stats.ts';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import classes from './revendedor.module.css';

// Whole euros: cents would be false precision in an average.
const euros = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0, useGrouping: 'always' });

export function SalesSummary({ stats }: { stats: Stats | undefined }) {
  const figures = stats && resellerPerformance(stats);
  const rate = figures?.completados;
  return (
    <Panel title="Resumen de Rendimiento" mb="sm">
      <dl className={classes.figures}>
        <dt>Tasa de completados</dt>
        <dd>{rate === undefined ? '—' : `${rate} %`}</dd>
      </dl>
      <Progress value={rate ?? 0} color="green" my="xs" aria-label="Tasa de completados" />
      <dl className={classes.figures}>
        <dt>Ticket medio</dt>
        <dd>{figures ? euros.format(figures.averageTicket) : '—'}</dd>
        <dt>Pendientes</dt>
        <dd>{number(figures?.pendientes)}</dd>
      </dl>
    </Panel>
  );
}

type Stats = Answer<typeof revendedorStats>['data'];

/** «Resumen de Rendimiento» (specification, section 2.5): a percentage, whole euros, and a count. */
export function resellerPerformance({ totalPedidos, ingresos, estado }: Stats) {
  const per = (amount: number) => (totalPedidos === 0 ? 0 : Math.round(amount / totalPedidos));
  return { completados: per(estado.completado * 100), averageTicket: per(ingresos), pendientes: estado.pendiente };
}
