import {
  IconAddressBook,
  IconAlertTriangle,
  IconBox,
  IconClipboardList,
  IconCoinEuro,
  IconDeviceMobile,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconRefresh,
  IconSun,
  IconTableImport,
  IconUser,
  IconWorld,
  IconZoomMoney,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Cliente } from '../../contract/clientes/clientes.ts';
import { PEDIDO_AT, type Place } from '../../contract/pedidos/place.ts';
import { type SituationOrder, situationOf } from '../../contract/pedidos/situation.ts';
import { type Actor, ROLE_LABEL, ROLES, type Role } from '../../contract/policy/policy.ts';
import type { Product } from '../../contract/products/products.ts';
import { plural } from '../../contract/text/plural.ts';
import { telephoneWords } from '../../contract/text/telephone.ts';
import type { User } from '../../contract/users/users.ts';
import { NAV_ICON } from '../nav/nav-icons.ts';
import { placesFor } from '../nav/nav-items.ts';
import { SCREENS } from '../routes.ts';
import { clock, number } from '../ui/format/format.ts';
import { matches } from '../ui/list/local-list.ts';
import { ROLE_WORDS } from '../users/role-words.ts';
import { ELSEWHERE, matchRank } from './rank.ts';
import { settingEntries } from './settings.ts';
import { NEW_PEDIDO } from './shortcuts.ts';

export type Command = 'tema' | 'actualizar' | 'atajos' | 'ayuda' | 'salir';
export type Entry = {
  id: string;
  label: string;
  hint?: string | undefined;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  does: Place | Command;
};
export type EntryGroup = { label: string; entries: Entry[] };

/** Maximum number of entries in a group. */
const FEW = 5;

const go = (id: string, label: string, icon: Entry['icon'], does: Place, hint?: string): Entry => ({ id, label, icon, does, hint });

// Tabs to list by name, keyed by the path of their screen.
const TABS: Record<string, { label: string; search: Record<string, string> }[]> = {
  '/gestion-usuarios': ROLES.map((rol) => ({ label: ROLE_WORDS[rol].tab, search: { rol } })),
  '/admin': [
    { label: 'Resumen Transportistas', search: { tab: 'transportistas' } },
    { label: 'Logs', search: { tab: 'logs' } },
    { label: 'Tareas', search: { tab: 'tareas' } },
    { label: 'Cuadre', search: { tab: 'cuadre' } },
  ],
};

/** Screens that no menu names, with the screen that leads to them. */
export const OUTSIDE_MENU: Readonly<Record<string, { path: string; hint: string; icon: Entry['icon'] }>> = {
  '/por-cobrar': { path: '/', hint: 'Dashboard', icon: IconCoinEuro },
  '/fin-del-dia': { path: '/', hint: 'Dashboard', icon: IconClipboardList },
  '/pagos-por-revisar': { path: '/', hint: 'Dashboard', icon: IconZoomMoney },
  '/tienda': { path: '/', hint: 'Dashboard', icon: IconWorld },
  '/telefono': { path: '/', hint: 'Dashboard', icon: IconDeviceMobile },
};

type Who = Parameters<typeof placesFor>[1] & { role: Role };
const opens = (role: Role, screen: string) => placesFor(role).some(({ path }) => path === screen);

const screens = (user: Who): Entry[] => [
  ...placesFor(user.role, user).flatMap(({ path, label, nav }) => [
    go(path, label, NAV_ICON[nav.icon], { to: path }),
    ...(TABS[path] ?? []).map((tab) =>
      go(`${path}?${new URLSearchParams(tab.search)}`, tab.label, NAV_ICON[nav.icon], { to: path, search: tab.search }, label),
    ),
  ]),
  ...SCREENS.flatMap(({ path, title, nav }) => {
    const within = nav ? undefined : OUTSIDE_MENU[path];
    return within && opens(user.role, within.path) ? [go(path, title, within.icon, { to: path }, within.hint)] : [];
  }),
  go('/mi-cuenta', 'Mi cuenta', IconUser, { to: '/mi-cuenta' }),
];

function commands(role: Role, dark: boolean): Entry[] {
  const inMenu = NEW_PEDIDO[role] !== undefined && opens(role, NEW_PEDIDO[role]);
  const create = NEW_PEDIDO[role] && !inMenu ? [go('nuevo', 'Crear pedido', IconPlus, { to: NEW_PEDIDO[role] })] : [];
  return [
    ...create,
    ...(NEW_PEDIDO[role] ? [go('importar', 'Importar pedidos', IconTableImport, { to: '/pedidos/importar' })] : []),
    ...(opens(role, '/control-stock')
      ? [go('stock-bajo', 'Ver el stock bajo', IconAlertTriangle, { to: '/control-stock', search: { ver: 'bajo' } })]
      : []),
    { id: 'tema', label: dark ? 'Cambiar a tema claro' : 'Cambiar a tema oscuro', icon: dark ? IconSun : IconMoon, does: 'tema' },
    { id: 'actualizar', label: 'Actualizar', icon: IconRefresh, does: 'actualizar' },
    { id: 'ayuda', label: 'Ayuda', icon: IconHelp, does: 'ayuda' },
    { id: 'atajos', label: 'Atajos de teclado', icon: IconKeyboard, does: 'atajos' },
    { id: 'salir', label: 'Cerrar sesión', icon: IconLogout, does: 'salir' },
  ];
}

type PedidoFound = SituationOrder & { id: string; numero_orden: string; cliente_nombre: string };
export const pedidoEntry = (actor: Actor & { role: Role }, pedido: PedidoFound): Entry =>
  go(
    pedido.id,
    `${pedido.numero_orden} · ${pedido.cliente_nombre}`,
    IconClipboardList,
    PEDIDO_AT[actor.role](pedido),
    situationOf(pedido, actor, clock()).sentence,
  );

export const clienteEntry = ({ id, cliente_nombre, cliente_telefono, pedidos }: Cliente): Entry =>
  go(
    id,
    cliente_nombre,
    IconAddressBook,
    { to: `/clientes/${id}` },
    [telephoneWords(cliente_telefono), plural(pedidos, 'pedido')].filter(Boolean).join(' · '),
  );

export const peopleEntries = (query: string, users: readonly User[]): Entry[] =>
  users
    .filter(({ full_name, email, username }) => matches(query, full_name, email, username))
    .slice(0, FEW)
    .map(({ id, full_name, email, role }) =>
      go(id, full_name, IconUser, { to: '/gestion-usuarios', search: { rol: role, search: email } }, `${ROLE_LABEL[role]} · ${email}`),
    );

export const stockEntries = (query: string, products: readonly Product[]): Entry[] =>
  products
    .filter(({ name }) => matches(query, name))
    .slice(0, FEW)
    .map(({ id, name, stock: units }) =>
      go(id, name, IconBox, { to: '/control-stock', search: { producto: name } }, `${number(units)} unidades`),
    );

/** Synonyms of an entry's label, by the id of the entry. */
const WORDS: Readonly<Record<string, string>> = {
  '/control-stock': 'productos packs inventario almacén',
  '/gestion-usuarios?rol=superadmin': 'administradores',
  '/admin': 'panel de administración',
  '/admin?tab=logs': 'registro de cambios historial',
  '/admin?tab=cuadre': 'cuadrar descuadre comprobar',
  '/admin?tab=tareas': 'trabajos fallos errores',
  '/por-cobrar': 'deudas deben impagados',
  '/fin-del-dia': 'cierre resumen arqueo',
  '/pagos-por-revisar': 'cobros dudosos',
  '/tienda': 'woocommerce web',
  '/telefono': 'móvil wifi red qr dirección https dominio',
  '/pedidos': 'gestión asignar devolver devolución cancelar duplicar completar',
  '/exportar-datos': 'descargar excel csv',
  '/privacidad': 'rgpd anonimizar bloquear',
  '/caja': 'efectivo reembolso',
  '/envios': 'correos ficheros empresa',
  '/configuracion': 'ajustes',
  '/mi-cuenta': 'perfil cambiar contraseña sesiones verificación en dos pasos',
  '/pedidos/nuevo': 'crear',
  nuevo: 'nuevo',
  importar: 'excel csv subir hoja shopify woocommerce',
  'stock-bajo': 'agotado reponer mínimo faltan',
  tema: 'modo claro oscuro noche dark light',
  actualizar: 'recargar',
  ayuda: 'guía manual instrucciones cómo se hace',
  salir: 'logout',
};

export function groupEntries(query: string, user: Who, dark: boolean, found: EntryGroup[]): EntryGroup[] {
  const byName = ({ label }: Entry) => matchRank(query, label);
  const byWords = ([entry]: Entry[]) => (entry ? Math.min(byName(entry), matchRank(query, WORDS[entry.id] ?? '')) : ELSEWHERE);
  const named = (entries: Entry[]) =>
    entries
      // Hides entries with a hint, such as tabs, until something is typed, to keep the initial list short.
      .filter(({ id, label, hint }) => (query ? matches(query, label, WORDS[id] ?? null) : !hint))
      .sort((a, b) => byName(a) - byName(b));
  const groups = [
    { label: 'Ir a', entries: named(screens(user)) },
    { label: 'Acciones', entries: named(commands(user.role, dark)) },
    { label: 'Configuración', entries: query && opens(user.role, '/configuracion') ? settingEntries(query) : [] },
    ...found,
  ];
  return groups.filter(({ entries }) => entries.length > 0).sort((a, b) => byWords(a.entries) - byWords(b.entries));
}
