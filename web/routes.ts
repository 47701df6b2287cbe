import type { ComponentType } from 'react';
import type { Role } from '../contract/policy.ts';
import type { NavIcon } from './shell/nav-icons.ts';

/*
 * The sitemap: every screen, who may open it, and its place in the side navigation (specification,
 * sections 2.1 and 2.2). Any other path shows the not-found page.
 */

// The explicit return type avoids a cycle: pages link to these paths, so the table must not infer from pages.
type Page = Promise<{ default: ComponentType }>;
/** Which menus show it, in which group, and its label if not the title. */
type Nav = { icon: NavIcon; roles: readonly Role[]; group: 'main' | 'admin'; label?: string };
export type Screen<P extends string = string> = {
  path: P;
  /** `session` is any signed-in person. */
  roles: 'public' | 'session' | readonly Role[];
  title: string;
  page: () => Page;
  nav?: Nav;
};

const screen = <const P extends string>(path: P, roles: Screen['roles'], title: string, page: () => Page, nav?: Nav): Screen<P> => ({
  path,
  roles,
  title,
  page,
  nav,
});
const menu = (role: Role | readonly Role[], icon: Nav['icon'], label?: string): Nav => ({
  roles: [role].flat(),
  icon,
  group: 'main',
  label,
});
const adminMenu = (icon: Nav['icon']): Nav => ({ roles: ['superadmin'], icon, group: 'admin' });

const A = 'superadmin';
const R = 'revendedor';
const T = 'transportista';

/** Public screens, outside the frame of the signed-in ones. */
export const OPEN = [
  screen('/auth', 'public', 'Iniciar Sesión', (): Page => import('./session/auth.page.tsx')),
  screen('/primer-acceso/$token', 'public', 'Primer acceso', (): Page => import('./session/primer-acceso.page.tsx')),
  screen('/pagar/$token', 'public', 'Pago del pedido', (): Page => import('./payments/pagar.page.tsx')),
] as const;

export const INSIDE = [
  screen('/', 'session', 'Dashboard', (): Page => import('./stats/admin.page.tsx'), menu(A, 'layoutDashboard')),
  screen('/entregas', [A], 'Entregas', (): Page => import('./pedidos/entregas/entregas.page.tsx'), menu(A, 'truckDelivery')),
  screen('/pedidos', [A], 'Gestión de Pedidos', (): Page => import('./pedidos/pedidos.page.tsx'), menu(A, 'clipboardList', 'Pedidos')),
  screen('/pedidos/nuevo-admin', [A], 'Crear pedido', (): Page => import('./pedidos/new-admin.page.tsx')),
  screen('/pedidos/importar', [A, R], 'Importar pedidos', (): Page => import('./pedidos/import/importar.page.tsx')),
  screen('/pedidos/imprimir', [A], 'Imprimir', (): Page => import('./pedidos/print.page.tsx')),
  screen('/pedidos/$id', [A], 'Pedido', (): Page => import('./pedidos/pedido.page.tsx')),
  screen('/pedidos/$id/editar', [A], 'Editar pedido', (): Page => import('./pedidos/pedido.page.tsx')),
  screen('/pagos-por-revisar', [A], 'Pagos por revisar', (): Page => import('./payments/por-revisar.page.tsx')),
  screen('/control-stock', [A], 'Control de Stock', (): Page => import('./products/stock.page.tsx'), menu(A, 'packages')),
  screen('/gestion-usuarios', [A], 'Gestión de Usuarios', (): Page => import('./users/users.page.tsx'), menu(A, 'users')),
  screen('/admin', [A], 'Panel', (): Page => import('./audit/panel.page.tsx'), adminMenu('gauge')),
  screen('/exportar-datos', [A], 'Exportar Datos', (): Page => import('./exports/exportar.page.tsx'), adminMenu('download')),
  screen('/privacidad', [A], 'Datos personales', (): Page => import('./privacidad/privacidad.page.tsx'), adminMenu('shieldLock')),
  screen('/configuracion', [A], 'Configuración', (): Page => import('./settings/settings.page.tsx'), adminMenu('settings')),
  screen('/mi-cuenta', 'session', 'Mi cuenta', (): Page => import('./account/account.page.tsx')),

  screen('/revendedor-dashboard', [R], 'Dashboard', (): Page => import('./stats/revendedor.page.tsx'), menu(R, 'layoutDashboard')),
  screen('/mis-pedidos', [R], 'Mis Pedidos', (): Page => import('./pedidos/mis-pedidos.page.tsx'), menu(R, 'clipboardList')),
  screen('/pedidos/nuevo', [R, A], 'Nuevo Pedido', (): Page => import('./pedidos/new.page.tsx'), menu(R, 'plus')),
  screen('/clientes', [A, R], 'Clientes', (): Page => import('./clientes/clientes.page.tsx'), menu([A, R], 'addressBook')),
  screen('/clientes/$id', [A, R], 'Cliente', (): Page => import('./clientes/cliente.page.tsx')),

  screen('/transportista-dashboard', [T], 'Dashboard', (): Page => import('./stats/transportista.page.tsx'), menu(T, 'layoutDashboard')),
  screen(
    '/pedidos-disponibles',
    [T],
    'Pedidos Disponibles',
    (): Page => import('./transportista/disponibles.page.tsx'),
    menu(T, 'box', 'Pedidos disponibles'),
  ),
  screen(
    '/pedidos-asignados',
    [T],
    'Pedidos Asignados',
    (): Page => import('./transportista/asignados.page.tsx'),
    menu(T, 'truckLoading', 'Pedidos asignados'),
  ),

  screen(
    '/liquidaciones',
    [A, R, T],
    'Liquidaciones',
    (): Page => import('./liquidaciones/liquidaciones.page.tsx'),
    menu([A, R, T], 'receiptEuro'),
  ),
  screen('/liquidaciones/$id', [A, R, T], 'Liquidación', (): Page => import('./liquidaciones/liquidacion.page.tsx')),
] as const;

export const SCREENS: readonly Screen[] = [...OPEN, ...INSIDE];
