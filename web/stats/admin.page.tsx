import { Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { adminStats, serieStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { useActions } from '../pedidos/detail/use-actions.tsx';
import { DateRange } from '../ui/form/date-range.tsx';
import { ButtonLink } from '../ui/page/link.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { Activity } from './admin/activity.tsx';
import classes from './admin/admin.module.css';
import { isDrawable, untilToday, useDates } from './admin/dates.ts';
import { EstadoFigures, Figures } from './admin/figures.tsx';
import { Recent } from './admin/recent.tsx';
import { Start } from './admin/start.tsx';
import { Trend } from './admin/trend.tsx';
import { OfficeToday } from './today/office.tsx';

/** Superadmin's dashboard (specification, section 2.4). Figures that fail to load show as dashes. */
export default function AdminDashboardPage() {
  const [dates, setDates] = useDates();
  // One for the screen, because the address names the open dialog.
  const { run, dialogs } = useActions();
  const { fecha_desde: from, fecha_hasta: to } = dates;
  const stats = useApi(adminStats, { query: { from, to } }, { keepPrevious: true });
  const drawn = untilToday(dates);
  const tooLong = !isDrawable(drawn);
  const serie = useApi(serieStats, { query: drawn }, { keepPrevious: true, enabled: !tooLong });
  // Ignores the data of the previous dates, which a disabled query keeps.
  const days = tooLong ? undefined : serie.data;

  return (
    <div data-in-turn>
      <PageHeader
        title="Dashboard"
        actions={
          <>
            <ButtonLink to="/fin-del-dia" variant="default">
              Fin del día
            </ButtonLink>
            <ButtonLink to="/pedidos/nuevo-admin" leftSection={<IconPlus size={16} aria-hidden />}>
              Crear pedido
            </ButtonLink>
          </>
        }
      />
      <Start />
      <OfficeToday run={run} />
      <Group gap="md" justify="flex-end" my="md">
        <DateRange value={{ from, to }} onChange={({ from: fecha_desde, to: fecha_hasta }) => setDates(fecha_desde, fecha_hasta)} />
      </Group>
      <Figures stats={stats.data?.data} serie={days} dates={dates} loading={stats.isPending} />
      <div className={classes.layout}>
        <div className={classes.column}>
          <Trend serie={days} failed={serie.isError} tooLong={tooLong} />
          <Recent run={run} />
        </div>
        <div className={classes.column}>
          <EstadoFigures stats={stats.data?.data} dates={dates} loading={stats.isPending} />
          <Activity />
        </div>
      </div>
      {dialogs}
    </div>
  );
}
