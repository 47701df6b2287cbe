import { getSettings } from '../../contract/settings.ts';
import { useApi } from '../api.ts';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { Backups } from '../backups/backups.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { Webhooks } from '../webhooks/webhooks.tsx';
import { fieldsOf, TABS } from './fields.ts';
import { SettingsForm } from './settings-form.tsx';

/** «Configuración» (specification, section 2.19). */
export default function SettingsPage() {
  const [{ tab }, setState] = useSearchState({ tab: 'general' });
  const settings = useApi(getSettings, {}, { staleTime: 0 });
  const current = TABS.find((known) => known.value === tab) ?? TABS[0];

  return (
    <>
      <PageHeader title="Configuración" subtitle="Vale para todo el negocio; cada cambio queda en el registro" />
      <PageTabs tabs={TABS} open={current.value} onOpen={(value) => setState({ tab: value })}>
        <Loaded
          query={settings}
          failed="No se pudo cargar la configuración"
          waiting={<Skeletons gap="md" maw="40rem" heights={fieldsOf(current).map(() => 58)} />}
        >
          {({ data }) => <SettingsForm key={current.value} tab={current} settings={data} />}
        </Loaded>
        {current.value === 'database' && <Backups />}
        {current.value === 'integrations' && (
          <>
            <ApiKeys />
            <Webhooks />
          </>
        )}
      </PageTabs>
    </>
  );
}
