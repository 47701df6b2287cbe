import { adminStats, atencionStats, serieStats } from '../../contract/stats.ts';
import { useApi } from '../api.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { Actividad } from './admin/activity.tsx';
import classes from './admin/admin.module.css';
import { dibujable, hastaHoy, useFechas } from './admin/dates.ts';
import { Atencion, Cifras, Estados } from './admin/figures.tsx';
import { Recientes } from './admin/recent.tsx';
import { Evolucion } from './admin/trend.tsx';

/** What a superadmin starts the day with (specification, section 2.4). Figures that do not load are dashes. */
export default function AdminDashboardPage() {
  const [dates, setDates] = useFechas();
  const { fecha_desde: from, fecha_hasta: to } = dates;
  const stats = useApi(adminStats, { query: { from, to } }, { keepPrevious: true });
  const drawn = hastaHoy(dates);
  const tooLong = !dibujable(drawn);
  const serie = useApi(serieStats, { query: drawn }, { keepPrevious: true, enabled: !tooLong });
  // Of other dates, when these are not asked for.
  const dias = tooLong ? undefined : serie.data;
  const atencion = useApi(atencionStats, {}, { refetchInterval: 60_000 });

  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle="Cómo va el negocio"
        actions={
          <DateRange value={{ from, to }} onChange={({ from: fecha_desde, to: fecha_hasta }) => setDates(fecha_desde, fecha_hasta)} />
        }
      />
      <Cifras stats={stats.data?.data} serie={dias} dates={dates} loading={stats.isPending} />
      <div className={classes.layout}>
        <div className={classes.column}>
          <Evolucion serie={dias?.data} failed={serie.isError} tooLong={tooLong} />
          <Recientes />
        </div>
        <div className={classes.column}>
          <Atencion figures={atencion.data?.data} loading={atencion.isPending} />
          <Estados stats={stats.data?.data} dates={dates} loading={stats.isPending} />
          <Actividad />
        </div>
      </div>
    </>
  );
}
