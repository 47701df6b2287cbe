import { Stack } from '@mantine/core';
import { useRef } from 'react';
import { TABS } from '../../contract/settings/setting.ts';
import { getSettings, type ShownSettings } from '../../contract/settings/settings.ts';
import { useApi } from '../api.ts';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { Backups } from '../backups/backups.tsx';
import { Plantillas } from '../envios/plantillas.tsx';
import { useUnsaved } from '../ui/form/unsaved.ts';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { Webhooks } from '../webhooks/webhooks.tsx';
import { CARDS, type CardName, cardsOf, placeOf } from './cards.ts';
import { ConnectionTest } from './connection-test.tsx';
import { LogoField } from './logo-field.tsx';
import { PartLink, ToInvoice } from './part-link.tsx';
import { SettingCard } from './setting-card.tsx';
import classes from './settings.module.css';
import { SettingsForm } from './settings-form.tsx';

const TAB_LIST = Object.entries(TABS).map(([value, label]) => ({ value, label }));

/** «Configuración» (specification, section 2.19): cards in six tabs. */
export default function SettingsPage() {
  const [{ tab, campo }, setState] = useSearchState({ tab: 'general', campo: '' });
  const settings = useApi(getSettings, {}, { staleTime: 0 });
  const { tab: current, card } = placeOf(tab, campo);

  return (
    <>
      <PageHeader title="Configuración" subtitle="Vale para todo el negocio; cada cambio queda en el registro" />
      <PageTabs tabs={TAB_LIST} open={current} onOpen={(value) => setState({ tab: value, campo: '' })}>
        <Stack gap="sm" className={classes.cards}>
          <Loaded
            query={settings}
            failed="No se pudo cargar la configuración"
            waiting={<Skeletons gap="sm" heights={cardsOf(current).map(() => 50)} />}
          >
            {({ data }) => <Cards key={current} names={cardsOf(current)} asked={card} settings={data} campo={campo} />}
          </Loaded>
          {(current === 'security' || current === 'database') && <PartLink part={current} />}
          {current === 'database' && <Backups />}
          {current === 'integrations' && (
            <>
              <ApiKeys />
              <Webhooks />
            </>
          )}
        </Stack>
      </PageTabs>
    </>
  );
}

type CardsProps = { names: CardName[]; asked: CardName | undefined; settings: ShownSettings; campo: string };

function Cards({ names, asked, settings, campo }: CardsProps) {
  const forms = useRef(new Map<CardName, { current: (() => boolean) | null }>());
  const formOf = (name: CardName) => {
    const known = forms.current.get(name) ?? { current: null };
    forms.current.set(name, known);
    return known;
  };
  useUnsaved(() => [...forms.current.values()].some(({ current }) => current?.()));
  return names.map((name) => {
    const { title, state, missing } = CARDS[name];
    const open = asked ? asked === name : names.length === 1 || missing?.(settings) === true;
    return (
      <SettingCard key={name} title={title} state={state(settings)} open={open} dirty={formOf(name)}>
        <SettingsForm card={name} settings={settings} campo={asked === name ? campo : ''} dirty={formOf(name)}>
          {name === 'tienda' && <LogoField logo={settings.logo} />}
          {name === 'correo' && <ConnectionTest of="mail" />}
          {name === 'copias' && <ConnectionTest of="database" />}
        </SettingsForm>
        {name === 'entrega' && settings.shipmentFiles && <Plantillas />}
        {name === 'iva' && settings.iva && <ToInvoice />}
      </SettingCard>
    );
  });
}
