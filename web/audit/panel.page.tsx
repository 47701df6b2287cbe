import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { IconClipboardList, IconHistory, IconTruckDelivery } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { PedidosTab } from '../pedidos/panel-tab.tsx';
import { TransportistasTab } from '../stats/transportistas-tab.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { LogsTab } from './logs-tab.tsx';

const TABS = [
  { value: 'pedidos', label: 'Pedidos', Icon: IconClipboardList, Panel: PedidosTab },
  { value: 'transportistas', label: 'Resumen Transportistas', Icon: IconTruckDelivery, Panel: TransportistasTab },
  { value: 'logs', label: 'Logs', Icon: IconHistory, Panel: LogsTab },
] as const;
const [FIRST] = TABS;

/** The administration panel (specification, section 2.21). */
export default function PanelPage() {
  const [{ tab }] = useSearchState({ tab: FIRST.value });
  const navigate = useNavigate();
  const phone = usePhone();
  const open = TABS.find(({ value }) => value === tab)?.value ?? FIRST.value;
  // Drops the filters of the previous tab from the address: each tab has its own.
  const show = (next: string | null) => void navigate({ to: '/admin', search: next && next !== FIRST.value ? { tab: next } : {} });

  return (
    <>
      <PageHeader title="Panel de administración" subtitle="Pedidos, entregas por transportista y registro de cambios" />
      <Tabs value={open} onChange={show} keepMounted={false}>
        <Tabs.List mb="md" grow={phone}>
          {TABS.map(({ value, label, Icon }) => (
            <Tabs.Tab
              key={value}
              value={value}
              px={phone ? 4 : undefined}
              leftSection={!phone && <Icon size={16} stroke={1.8} aria-hidden />}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, Panel }) => (
          <Tabs.Panel key={value} value={value}>
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
