import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCalendarX,
  IconCash,
  IconChecklist,
  IconClipboardList,
  IconCoinEuro,
  IconCreditCard,
  IconDatabaseExport,
  IconDoorOff,
  IconPackage,
  IconReceiptRefund,
  IconReceiptTax,
  IconSettingsExclamation,
  IconTruck,
  IconUsers,
  IconWorld,
  IconZoomMoney,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import { CON_INGRESO, GRUPO_ESTADOS } from '../../../contract/pedidos/estados.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import type { adminStats, atencionStats } from '../../../contract/stats/stats.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { money, number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { StatCard } from '../../ui/page/stat-card.tsx';
import classes from './admin.module.css';
import type { Dates } from './dates.ts';
import { comparison, type Serie } from './serie.ts';

type To = Pick<LinkProps, 'to' | 'search'>;
type Stats = Answer<typeof adminStats>['data'] | undefined;
type Props = { stats: Stats; dates: Dates; loading: boolean };

/** Four main figures, each linked to the list it counts. */
export function Figures({ stats, serie, dates, loading }: Props & { serie: Serie | undefined }) {
  const hint = (field: 'pedidos' | 'ingresos', before: number | undefined) => {
    if (!serie || before === undefined) return ' ';
    const now = serie.data.reduce((sum, dia) => sum + Math.round(dia[field] * 100), 0);
    return comparison(now, Math.round(before * 100), serie.data.length);
  };
  const card = (label: string, value: string, below: string, Icon: typeof IconTruck, link: To) => (
    <StatCard label={label} value={value} hint={below} icon={<Icon size={18} stroke={1.8} />} loading={loading} link={link} />
  );
  const active = (rol: Role): To => ({ to: '/gestion-usuarios', search: { rol, activo: 'si' } });
  const earning = { ...dates, estado: CON_INGRESO.join(',') };
  return (
    <SimpleGrid minColWidth="10rem" autoFlow="auto-fit" spacing="sm" mb="md">
      {card('Total Pedidos', number(stats?.totalPedidos), hint('pedidos', serie?.anterior.totalPedidos), IconClipboardList, {
        to: '/pedidos',
        search: dates,
      })}
      {card('Revendedores Activos', number(stats?.revendedoresActivos), 'Con acceso ahora', IconUsers, active('revendedor'))}
      {card('Transportistas', number(stats?.transportistasActivos), 'Con acceso ahora', IconTruck, active('transportista'))}
      {card('Ingresos', money(stats?.ingresos), collected(stats, hint('ingresos', serie?.anterior.ingresos)), IconCash, {
        to: '/pedidos',
        search: earning,
      })}
    </SimpleGrid>
  );
}

/** Returns the collected income and the comparison, or only the comparison if all income is collected. */
const collected = (stats: Stats, comparison: string) =>
  stats?.porCobrar ? `De ellos cobrado ${money(stats.ingresos - stats.porCobrar)}. ${comparison}` : comparison;

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

type Attention = Answer<typeof atencionStats>['data'];

/** Counts of pending matters, regardless of the chosen dates, each with a link. */
export function Attention({ figures, loading }: { figures: Attention | undefined; loading: boolean }) {
  const row = (key: keyof Attention, words: string, Icon: typeof IconTruck, link: To): Row => ({
    key,
    label: (
      <Text component="span" className={classes.what} data-calls={!!figures?.[key] || undefined}>
        <Icon size={18} stroke={1.8} aria-hidden />
        {words}
      </Text>
    ),
    value: figures?.[key],
    link,
  });
  return (
    <Block
      title="Para atender"
      loading={loading}
      rows={[
        row('porCobrar', figures?.porCobrar ? `Por cobrar: ${money(figures.porCobrarImporte)}` : 'Por cobrar', IconCoinEuro, {
          to: '/por-cobrar',
        }),
        row('sinPagar', 'Pend. pago', IconCreditCard, { to: '/pedidos', search: { estado: 'pendiente_pago' } }),
        row('atrasados', 'Atrasados', IconCalendarX, { to: '/pedidos', search: { atrasado: 'si' } }),
        // Omitted if no failed delivery waits for an answer.
        ...(figures?.incidencias
          ? [row('incidencias', 'Esperan respuesta', IconDoorOff, { to: '/pedidos', search: { incidencia: 'si' } })]
          : []),
        row('transferencias', 'Transferencias por confirmar', IconBuildingBank, { to: '/pedidos', search: { transferencia: 'si' } }),
        row('devoluciones', 'Reembolsos pendientes', IconReceiptRefund, { to: '/pedidos', search: { devolucion: 'pendiente' } }),
        // Each omitted if nothing waits in «Caja».
        ...(figures?.cajas ? [row('cajas', 'Cajas por recibir', IconCash, { to: '/caja' })] : []),
        ...(figures?.sinRegistrar ? [row('sinRegistrar', 'Cobrado sin registrar', IconCash, { to: '/caja' })] : []),
        ...(figures?.cobros ? [row('cobros', 'Bizum y tarjeta por comprobar', IconCreditCard, { to: '/caja' })] : []),
        ...(figures?.mercancia ? [row('mercancia', 'Mercancía por recibir', IconPackage, { to: '/caja' })] : []),
        row('pagosPorRevisar', 'Pagos por revisar', IconZoomMoney, { to: '/pagos-por-revisar' }),
        // Omitted if no order of a web shop waits.
        ...(figures?.tienda ? [row('tienda', 'Pedidos de la tienda por revisar', IconWorld, { to: '/tienda' })] : []),
        // Omitted if nothing lacks a VAT rate.
        ...(figures?.sinTipoIva ? [row('sinTipoIva', 'Sin tipo de IVA', IconReceiptTax, { to: '/facturables' })] : []),
        row('stockBajo', 'Stock bajo', IconAlertTriangle, { to: '/control-stock', search: { ver: 'bajo' } }),
        // Omitted while nothing is wrong.
        ...(figures?.tareas
          ? [row('tareas', 'Tareas con error', IconSettingsExclamation, { to: '/admin', search: { tab: 'tareas' } })]
          : []),
        ...(figures?.cuadre ? [row('cuadre', 'Cuentas que no cuadran', IconChecklist, { to: '/admin', search: { tab: 'cuadre' } })] : []),
        ...(figures?.copiasAqui
          ? [
              row('copiasAqui', 'Las copias están solo en este disco', IconDatabaseExport, {
                to: '/configuracion',
                search: { tab: 'database' },
              }),
            ]
          : []),
      ]}
    />
  );
}
