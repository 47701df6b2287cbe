import { SimpleGrid, Skeleton } from '@mantine/core';
import { IconCash, IconClipboardList, IconTruck, IconUsers } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import { CON_INGRESO, GRUPO_ESTADOS } from '../../../contract/pedidos/estados.ts';
import type { adminStats } from '../../../contract/stats/stats.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { money, number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { StatCard } from '../../ui/page/stat-card.tsx';
import classes from './admin.module.css';
import type { Dates } from './dates.ts';
import { comparisonText, type Serie } from './serie.ts';

type To = Pick<LinkProps, 'to' | 'search'>;
type Stats = Answer<typeof adminStats>['data'] | undefined;
type Props = { stats: Stats; dates: Dates; loading: boolean };

/** Four main figures; figures of orders link to the counted orders. */
export function Figures({ stats, serie, dates, loading }: Props & { serie: Serie | undefined }) {
  const hint = (field: 'pedidos' | 'ingresos', before: number | undefined) => {
    if (!serie || before === undefined) return ' ';
    const now = serie.data.reduce((sum, dia) => sum + Math.round(dia[field] * 100), 0);
    return comparisonText(now, Math.round(before * 100), serie.data.length);
  };
  const card = (label: string, value: string, below: string, Icon: typeof IconTruck, link?: To) => (
    <StatCard label={label} value={value} hint={below} icon={<Icon size={18} stroke={1.8} />} loading={loading} link={link} />
  );
  const earning = { ...dates, estado: CON_INGRESO.join(',') };
  return (
    <SimpleGrid minColWidth="10rem" autoFlow="auto-fit" spacing="sm" mb="md">
      {card('Total Pedidos', number(stats?.totalPedidos), hint('pedidos', serie?.anterior.totalPedidos), IconClipboardList, {
        to: '/pedidos',
        search: dates,
      })}
      {card('Revendedores Activos', number(stats?.revendedoresActivos), 'Pueden entrar', IconUsers)}
      {card('Transportistas', number(stats?.transportistasActivos), 'Pueden entrar', IconTruck)}
      {card('Ingresos', money(stats?.ingresos), collected(stats, hint('ingresos', serie?.anterior.ingresos)), IconCash, {
        to: '/pedidos',
        search: earning,
      })}
    </SimpleGrid>
  );
}

/** Returns the collected income, what delivery companies have of the rest, and the comparison; only the comparison if all income is in the shop. */
function collected(stats: Stats, comparison: string): string {
  const { ingresos = 0, porCobrar = 0, conEmpresas = 0 } = stats ?? {};
  if (porCobrar + conEmpresas === 0) return comparison;
  const held = conEmpresas > 0 ? `; ${money(conEmpresas)} lo tienen empresas` : '';
  return `De ellos cobrado ${money(ingresos - porCobrar - conEmpresas)}${held}. ${comparison}`;
}

type Row = { key: string; label: ReactNode; value: number | undefined; link: To };

/** Column of figures, each linked to the list it counts. */
function Block({ title, rows, loading }: { title: string; rows: Row[]; loading: boolean }) {
  return (
    <Panel title={title} mb={4}>
      <ul className={classes.list}>
        {rows.map(({ key, label, value, link }) => (
          <li key={key}>
            <Link {...link} className={classes.figure}>
              {label} {loading ? <Skeleton w={28} h={16} /> : <strong>{number(value)}</strong>}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Number of orders by group of estados. */
export function EstadoFigures({ stats, dates, loading }: Props) {
  const { pendientes, enProceso, completados, cancelados } = stats?.estado ?? {};
  const row = (group: keyof typeof GRUPO_ESTADOS, words: string, value: number | undefined): Row => ({
    key: group,
    label: <EstadoBadge estado={group} label={words} />,
    value,
    link: { to: '/pedidos', search: { ...dates, estado: GRUPO_ESTADOS[group].join(',') } },
  });
  return (
    <Block
      title="Estado de los pedidos"
      loading={loading}
      rows={[
        row('pendiente', 'Pendientes', pendientes),
        row('en_proceso', 'En Proceso', enProceso),
        row('completado', 'Completados', completados),
        row('cancelado', 'Cancelados', cancelados),
      ]}
    />
  );
}
