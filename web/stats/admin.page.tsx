import { adminStats, atencionStats, serieStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { Activity } from './admin/activity.tsx';
import classes from './admin/admin.module.css';
import { isDrawable, untilToday, useDates } from './admin/dates.ts';
import { Attention, EstadoFigures, Figures } from './admin/figures.tsx';
import { Recent } from './admin/recent.tsx';
import { Start } from './admin/start.tsx';
import { Trend } from './admin/trend.tsx';

/** Superadmin's dashboard (specification, section 2.4). Figures that fail to load show as dashes. */
export default function AdminDashboardPage() {
  const [dates, setDates] = useDates();
  const { fecha_desde: from, fecha_hasta: to } = dates;
  const stats = useApi(adminStats, { query: { from, to } }, { keepPrevious: true });
  const drawn = untilToday(dates);
  const tooLong = !isDrawable(drawn);
  const serie = useApi(serieStats, { query: drawn }, { keepPrevious: true, enabled: !tooLong });
  // Ignores the data of the previous dates, which a disabled query keeps.
  const days = tooLong ? undefined : serie.data;
  const attention = useApi(atencionStats, {}, { refetchInterval: 60_000 });

  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle="Cómo va el negocio"
        actions={
          <DateRange value={{ from, to }} onChange={({ from: fecha_desde, to: fecha_hasta }) => setDates(fecha_desde, fecha_hasta)} />
        }
      />
      <Start />
      <Figures stats={stats.data?.data} serie={days} dates={dates} loading={stats.isPending} />
      <div className={classes.layout}>
        <div className={classes.column}>
          <Recent />
          <Trend serie={days?.data} failed={serie.isError} tooLong={tooLong} />
        </div>
        <div className={classes.column}>
          <Attention figures={attention.data?.data} loading={attention.isPending} />
          <EstadoFigures stats={stats.data?.data} dates={dates} loading={stats.isPending} />
          <Activity />
        </div>
      </div>
    </>
  );
}
