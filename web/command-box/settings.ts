import { IconDatabase, IconKey, IconSettings, IconWebhook } from '@tabler/icons-react';
import { SETTINGS } from '../../contract/settings/fields.ts';
import { TABS, type TabName } from '../../contract/settings/setting.ts';
import { matches } from '../ui/list/local-list.ts';

/** Parts of «Configuración» that are no setting, with their synonyms. */
const PARTS = [
  { label: 'Copias de seguridad', tab: 'database', icon: IconDatabase, words: 'copia backup restaurar respaldo' },
  { label: 'Claves de API', tab: 'integrations', icon: IconKey, words: 'programas integraciones token' },
  { label: 'Webhooks', tab: 'integrations', icon: IconWebhook, words: 'avisos a otros programas' },
  ...Object.entries(TABS).map(([tab, label]) => ({ label, tab: tab as TabName, icon: IconSettings, words: 'ajustes' })),
] as const;

/** Maximum number of settings shown. */
const MAX = 5;

/** Settings, tabs and sections with a label or synonym that matches `query`; a chosen setting gets the focus. */
export function settings(query: string) {
  const parts = PARTS.filter(({ label, words }) => matches(query, label, words)).map(({ label, tab, icon }) => ({
    id: `configuracion:${label}`,
    label,
    hint: `Configuración · ${TABS[tab]}`,
    icon,
    does: { to: '/configuracion', search: { tab } },
  }));
  const named = Object.entries(SETTINGS).filter(([, { label }]) => matches(query, label));
  const fields = named.map(([campo, { label, tab }]) => ({
    id: `configuracion:${campo}`,
    label,
    hint: `Configuración · ${TABS[tab]}`,
    icon: IconSettings,
    does: { to: '/configuracion', search: { tab, campo } },
  }));
  return [...parts, ...fields].slice(0, MAX);
}
