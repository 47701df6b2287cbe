import { IconDatabase, IconKey, IconSettings, IconWebhook } from '@tabler/icons-react';
import { SETTINGS } from '../../contract/settings/fields.ts';
import { TABS, type TabName } from '../../contract/settings/setting.ts';
import { CARDS } from '../settings/cards.ts';
import { matches } from '../ui/list/local-list.ts';
import { matchRank } from './rank.ts';

/** Sections, cards and tabs of «Configuración», with their synonyms. */
const PARTS: { label: string; tab: TabName; campo?: string; icon: typeof IconSettings; words: string }[] = [
  { label: 'Copias de seguridad', tab: 'database', icon: IconDatabase, words: 'copia backup restaurar respaldo' },
  { label: 'Claves de API', tab: 'integrations', icon: IconKey, words: 'programas integraciones token' },
  { label: 'Webhooks', tab: 'integrations', icon: IconWebhook, words: 'avisos a otros programas' },
  ...Object.entries(CARDS).map(([campo, { title, tab, words }]) => ({ label: title, tab, campo, icon: IconSettings, words })),
  ...Object.entries(TABS).map(([tab, label]) => ({ label, tab: tab as TabName, icon: IconSettings, words: 'ajustes' })),
];

const MAX = 5;

/** Settings, tabs and sections with a label or synonym that matches `query`; a chosen setting gets the focus. */
export function settingEntries(query: string) {
  const parts = PARTS.filter(({ label, words }) => matches(query, label, words)).map(({ label, tab, campo, icon }) => ({
    id: `configuracion:${label}`,
    label,
    hint: `Configuración · ${TABS[tab]}`,
    icon,
    does: { to: '/configuracion', search: (campo ? { tab, campo } : { tab }) as Record<string, string> },
  }));
  const named = Object.entries(SETTINGS).filter(([, { label }]) => matches(query, label));
  const fields = named.map(([campo, { label, tab }]) => ({
    id: `configuracion:${campo}`,
    label,
    hint: `Configuración · ${TABS[tab]}`,
    icon: IconSettings,
    does: { to: '/configuracion', search: { tab, campo } },
  }));
  return [...parts, ...fields].sort((a, b) => matchRank(query, a.label) - matchRank(query, b.label)).slice(0, MAX);
}
