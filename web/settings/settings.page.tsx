import '@mantine/core/styles/Tabs.css';
import { Skeleton, Stack, Tabs } from '@mantine/core';
import { getSettings } from '../../contract/settings.ts';
import { useApi } from '../api.ts';
import { Backups } from '../backups/backups.tsx';
import { ErrorState } from '../ui/list/error-state.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { TABS } from './fields.ts';
import { SettingsForm } from './settings-form.tsx';

/** «Configuración» (specification, section 2.19). */
export default function SettingsPage() {
  const [{ tab }, setState] = useSearchState({ tab: 'general' });
  const { data, error, refetch } = useApi(getSettings, {}, { staleTime: 0 });
  const phone = usePhone();
  const current = TABS.find((known) => known.value === tab) ?? TABS[0];

  return (
    <>
      <PageHeader title="Configuración" subtitle="Vale para todo el negocio; cada cambio queda en el registro" />
      <Tabs value={current.value} onChange={(value) => setState({ tab: value ?? 'general' })} keepMounted={false}>
        <Tabs.List mb="md" grow={phone}>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current.value}>
          {data ? (
            <SettingsForm key={current.value} tab={current} settings={data.data} />
          ) : error ? (
            <ErrorState title="No se pudo cargar la configuración" error={error} onRetry={() => void refetch()} />
          ) : (
            <Stack maw="40rem" role="status" aria-label="Cargando...">
              {current.fields.map(({ name }) => (
                <Skeleton key={name} height={58} />
              ))}
            </Stack>
          )}
          {current.value === 'database' && <Backups />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
