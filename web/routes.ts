import type { Role } from '../contract/policy/policy.ts';

/*
 * Sitemap: every screen, its roles, and its place in the side navigation (specification, sections 2.1 and 2.2). Other paths show the
 * not-found page.
 */

/** Icons by name, so that the sign-in page, which loads the sitemap, loads no icons (nav/nav-icons.ts). */
export type NavIcon =
  | 'addressBook'
  | 'box'
  | 'cash'
  | 'clipboardList'
  | 'download'
  | 'gauge'
  | 'layoutDashboard'
  | 'packages'
  | 'plus'
  | 'receiptEuro'
  | 'settings'
  | 'shieldLock'
  | 'truckDelivery'
  | 'truckLoading'
  | 'users';

/** Menu entry: its roles and group, and its label if not the title. `needs`: shown only in a session with one of these features. */
type Nav = {
  icon: NavIcon;
  roles: readonly Role[];
  group: 'main' | 'admin';
  label?: string;
  needs?: readonly ('contra_reembolso' | 'caja' | 'envios' | 'iva')[];
  /** Makes the screen a part of another screen for this role: not in the menu, but found by the command box. */
  within?: { path: string; role: Role };
};
export type Screen<P extends string = string> = {
  path: P;
  /** `session` means any signed-in user. */
  roles: 'public' | 'session' | readonly Role[];
  title: string;
  /** Module of the screen: `<page>.page.tsx` (router.tsx). */
  page: string;
  nav?: Nav;
};

const screen = <const P extends string>(path: P, roles: Screen['roles'], title: string, page: string, nav?: Nav): Screen<P> => ({
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

/** Public screens, without the frame. */
export const OPEN = [
  screen('/auth', 'public', 'Iniciar Sesión', 'session/auth'),
  screen('/primer-acceso', 'public', 'Primer acceso', 'session/primer-acceso'),
  screen('/primer-acceso/$token', 'public', 'Primer acceso', 'session/primer-acceso'),
  screen('/invitacion/$token', 'public', 'Invitación', 'session/invitacion'),
] as const;

export const INSIDE = [
  screen('/', 'session', 'Dashboard', 'stats/admin', menu(A, 'layoutDashboard')),
  screen('/entregas', [A], 'Entregas', 'pedidos/entregas/entregas', menu(A, 'truckDelivery')),
  screen('/pedidos', [A], 'Gestión de Pedidos', 'pedidos/list/pedidos', menu(A, 'clipboardList', 'Pedidos')),
  screen('/pedidos/nuevo-admin', [A], 'Crear pedido', 'pedidos/create/new-admin'),
  screen('/pedidos/importar', [A, R], 'Importar pedidos', 'pedidos/import/importar'),
  screen('/pedidos/imprimir', [A], 'Imprimir', 'pedidos/print/print'),
  screen('/pedidos/$id', [A], 'Pedido', 'pedidos/detail/pedido'),
  screen('/pedidos/$id/editar', [A], 'Editar pedido', 'pedidos/detail/pedido'),
  screen('/por-cobrar', [A], 'Por cobrar', 'stats/por-cobrar'),
  screen('/fin-del-dia', [A], 'Fin del día', 'stats/fin-del-dia'),
  screen('/pagos-por-revisar', [A], 'Pagos por revisar', 'payments/por-revisar'),
  screen('/tienda', [A], 'Tienda en línea', 'tienda/tienda'),
  screen('/control-stock', [A], 'Control de Stock', 'products/stock', menu(A, 'packages')),
  screen('/gestion-usuarios', [A], 'Gestión de Usuarios', 'users/users', menu(A, 'users')),
  screen('/admin', [A], 'Supervisión', 'panel/panel', adminMenu('gauge')),
  screen('/exportar-datos', [A], 'Exportar Datos', 'exports/exportar', {
    ...adminMenu('download'),
    within: { path: '/configuracion', role: A },
  }),
  screen('/facturables', [A], 'Para facturar', 'facturables/facturables', {
    ...adminMenu('receiptEuro'),
    needs: ['iva'],
    within: { path: '/configuracion', role: A },
  }),
  screen('/privacidad', [A], 'Datos personales', 'privacidad/privacidad', {
    ...adminMenu('shieldLock'),
    within: { path: '/configuracion', role: A },
  }),
  screen('/configuracion', [A], 'Configuración', 'settings/settings', adminMenu('settings')),
  screen('/telefono', [A], 'Abrir desde el teléfono', 'settings/telefono'),
  screen('/mi-cuenta', 'session', 'Mi cuenta', 'account/account'),
  screen('/ayuda', 'session', 'Ayuda', 'ayuda/ayuda'),
  screen('/ayuda/administrador', [A], 'Ayuda', 'ayuda/ayuda'),
  screen('/ayuda/revendedor', [A, R], 'Ayuda', 'ayuda/ayuda'),
  screen('/ayuda/transportista', [A, T], 'Ayuda', 'ayuda/ayuda'),

  screen('/revendedor-dashboard', [R], 'Dashboard', 'stats/revendedor', menu(R, 'layoutDashboard')),
  screen('/mis-pedidos', [R], 'Mis Pedidos', 'pedidos/mis-pedidos/mis-pedidos', menu(R, 'clipboardList')),
  screen('/pedidos/nuevo', [R, A], 'Nuevo Pedido', 'pedidos/create/new', menu(R, 'plus')),
  screen('/clientes', [A, R], 'Clientes', 'clientes/clientes', menu([A, R], 'addressBook')),
  screen('/clientes/$id', [A, R], 'Cliente', 'clientes/cliente'),

  screen('/transportista-dashboard', [T], 'Dashboard', 'stats/transportista', menu(T, 'layoutDashboard')),
  screen('/pedidos-disponibles', [T], 'Pedidos Disponibles', 'transportista/disponibles', menu(T, 'box', 'Pedidos disponibles')),
  screen('/pedidos-asignados', [T], 'Pedidos Asignados', 'transportista/asignados', menu(T, 'truckLoading', 'Pedidos asignados')),

  screen('/caja', [A, T], 'Caja', 'caja/caja', {
    ...menu([A, T], 'cash'),
    needs: ['contra_reembolso', 'caja'],
    within: { path: '/entregas', role: A },
  }),
  screen('/envios', [A], 'Envíos', 'envios/envios', {
    ...menu(A, 'truckLoading'),
    needs: ['envios'],
    within: { path: '/entregas', role: A },
  }),
  screen('/liquidaciones', [A, R, T], 'Liquidaciones', 'liquidaciones/liquidaciones', menu([A, R, T], 'receiptEuro')),
  screen('/liquidaciones/$id', [A, R, T], 'Liquidación', 'liquidaciones/liquidacion'),
] as const;

export const SCREENS: readonly Screen[] = [...OPEN, ...INSIDE];
