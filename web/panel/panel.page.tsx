import { IconChecklist, IconClipboardList, IconHistory, IconSettingsAutomation, IconTruckDelivery } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { LogsTab } from '../audit/logs-tab.tsx';
import { CuadreTab } from '../cuadre/cuadre-tab.tsx';
import { FailuresTab } from '../failures/failures-tab.tsx';
import { PedidosTab } from '../pedidos/list/pedidos-tab.tsx';
import { TransportistasTab } from '../stats/transportistas-tab.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { PageHeader } from '../ui/page/panel.tsx';

const TABS = [
  { value: 'pedidos', label: 'Pedidos', Icon: IconClipboardList, Panel: PedidosTab },
  { value: 'transportistas', label: 'Resumen Transportistas', Icon: IconTruckDelivery, Panel: TransportistasTab },
  { value: 'logs', label: 'Logs', Icon: IconHistory, Panel: LogsTab },
  { value: 'tareas', label: 'Tareas', Icon: IconSettingsAutomation, Panel: FailuresTab },
  { value: 'cuadre', label: 'Cuadre', Icon: IconChecklist, Panel: CuadreTab },
] as const;
const [FIRST] = TABS;

export default function PanelPage() {
  const [{ tab }] = useSearchState({ tab: FIRST.value });
  const navigate = useNavigate();
  const { value: open, Panel } = TABS.find(({ value }) => value === tab) ?? FIRST;
  // Clears the address, because each tab has its own filters.
  const show = (next: string) => void navigate({ to: '/admin', search: next === FIRST.value ? {} : { tab: next } });

  return (
    <>
      <PageHeader title="Supervisión" subtitle="Pedidos, entregas por transportista y registro de cambios" />
      <PageTabs tabs={TABS} open={open} onOpen={show}>
        <Panel />
      </PageTabs>
    </>
  );
}
