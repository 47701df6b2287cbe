import { TABS, type TabName } from '../../contract/settings/setting.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { fieldsOf } from '../../contract/settings/values.ts';
import { useApi } from '../api.ts';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { Backups } from '../backups/backups.tsx';
import { Plantillas } from '../envios/plantillas.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { Webhooks } from '../webhooks/webhooks.tsx';
import { SettingsForm } from './settings-form.tsx';

const TAB_LIST = Object.entries(TABS).map(([value, label]) => ({ value, label }));

/** «Configuración» (specification, section 2.19). */
export default function SettingsPage() {
  const [{ tab, campo }, setState] = useSearchState({ tab: 'general', campo: '' });
  const settings = useApi(getSettings, {}, { staleTime: 0 });
  const current = tab in TABS ? (tab as TabName) : 'general';

  return (
    <>
      <PageHeader title="Configuración" subtitle="Vale para todo el negocio; cada cambio queda en el registro" />
      <PageTabs tabs={TAB_LIST} open={current} onOpen={(value) => setState({ tab: value, campo: '' })}>
        <Loaded
          query={settings}
          failed="No se pudo cargar la configuración"
          waiting={<Skeletons gap="md" maw="40rem" heights={fieldsOf(current).map(() => 58)} />}
        >
          {({ data }) => <SettingsForm key={current} tab={current} settings={data} campo={campo} />}
        </Loaded>
        {current === 'delivery' && settings.data?.data.shipmentFiles && <Plantillas />}
        {current === 'database' && <Backups />}
        {current === 'integrations' && (
          <>
            <ApiKeys />
            <Webhooks />
          </>
        )}
      </PageTabs>
    </>
  );
}
