import { findScreen } from '../access.ts';
import type { INSIDE } from '../routes.ts';

type Path = Exclude<(typeof INSIDE)[number]['path'], `/ayuda${string}`>;

/** Section of the guide that explains a screen, in the guide of every role that may open it. */
export const SECTION: Record<Path, string> = {
  '/': 'dashboard',
  '/entregas': 'entregas',
  '/pedidos': 'pedidos',
  '/pedidos/nuevo-admin': 'nuevo-pedido',
  '/pedidos/importar': 'importar-pedidos',
  '/pedidos/imprimir': 'imprimir',
  '/pedidos/$id': 'un-pedido-abierto',
  '/pedidos/$id/editar': 'un-pedido-abierto',
  '/por-cobrar': 'cobros',
  '/fin-del-dia': 'dashboard',
  '/pagos-por-revisar': 'cobros',
  '/tienda': 'la-tienda-en-línea',
  '/facturables': 'iva-y-facturación',
  '/control-stock': 'control-de-stock',
  '/gestion-usuarios': 'gestión-de-usuarios',
  '/admin': 'supervisión',
  '/exportar-datos': 'exportar-datos',
  '/privacidad': 'datos-personales',
  '/configuracion': 'configuración',
  '/telefono': 'en-el-móvil',
  '/mi-cuenta': 'mi-cuenta',
  '/revendedor-dashboard': 'dashboard',
  '/mis-pedidos': 'mis-pedidos',
  '/pedidos/nuevo': 'nuevo-pedido',
  '/clientes': 'clientes',
  '/clientes/$id': 'clientes',
  '/transportista-dashboard': 'dashboard',
  '/pedidos-disponibles': 'pedidos-disponibles',
  '/pedidos-asignados': 'pedidos-asignados',
  '/caja': 'caja',
  '/envios': 'envíos',
  '/liquidaciones': 'liquidaciones',
  '/liquidaciones/$id': 'liquidaciones',
};

/** Sections of tabs that the guide explains separately from their screen. */
export const TAB_SECTION: Partial<Record<Path, Readonly<Record<string, string>>>> = {
  '/admin': { logs: 'logs', tareas: 'tareas', cuadre: 'cuadre' },
  '/configuracion': { notifications: 'avisos-y-correo', database: 'copias-de-seguridad', integrations: 'claves-de-api' },
};

/** Section for an address of the program, with its `?tab=`; undefined if the guide has none. */
export function guideSection(address: string): string | undefined {
  const [pathname = '', search] = address.split('?');
  const path = findScreen(pathname)?.path as Path | undefined;
  const tab = new URLSearchParams(search).get('tab') ?? '';
  return path && (TAB_SECTION[path]?.[tab] ?? SECTION[path]);
}
