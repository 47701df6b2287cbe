import { expect, test } from 'vitest';
import { ROLES, type Role } from '../../contract/policy/policy.ts';
import { mayOpen } from '../access.ts';
import { INSIDE, type Screen } from '../routes.ts';
import { groupEntries } from './entries.ts';

/** Labels that the box lists for a typed text, best first. */
const labels = (role: Role, typed: string, found: Parameters<typeof groupEntries>[3] = []) =>
  groupEntries(typed, { role }, false, found).flatMap(({ entries }) => entries.map(({ label }) => label));

test.each(
  Object.entries({
    'nuevo pedido': 'Crear pedido',
    'mi cuenta': 'Mi cuenta',
    contraseña: 'Mi cuenta',
    administración: 'Supervisión',
    'resumen transportistas': 'Resumen Transportistas',
    productos: 'Control de Stock',
    packs: 'Control de Stock',
    inventario: 'Control de Stock',
    usuarios: 'Gestión de Usuarios',
    revendedores: 'Revendedores',
    ajustes: 'Configuración',
    'descargar excel': 'Exportar Datos',
    'modo oscuro': 'Cambiar a tema oscuro',
    dark: 'Cambiar a tema oscuro',
    'cerrar sesion': 'Cerrar sesión',
    importar: 'Importar pedidos',
    'stock bajo': 'Ver el stock bajo',
    iban: 'IBAN',
    copia: 'Copias de seguridad',
    webhook: 'Webhooks',
    logs: 'Logs',
    cuadre: 'Cuadre',
    cuadrar: 'Cuadre',
    asignar: 'Pedidos',
    devolver: 'Pedidos',
    festivos: 'Gastos de envío y plazo',
    deudas: 'Por cobrar',
  }),
)('the text «%s» finds «%s» first', (typed, label) => {
  expect(labels('superadmin', typed)[0]).toContain(label);
});

// Screens that are opened only from other screens.
const WITHIN = ['/pedidos/imprimir', '/ayuda/administrador', '/ayuda/revendedor', '/ayuda/transportista'];
const FOUND_AS: Record<string, string> = { '/pedidos/nuevo-admin': 'Crear pedido' };
test.each(ROLES)('every screen of a %s is found by its title, even if the menu lacks the screen', (role) => {
  const mine = INSIDE.filter(({ path, roles }) => !path.includes('$') && !WITHIN.includes(path) && mayOpen({ roles }, { role }));
  // This session has no optional feature, and a menu lists only screens of its role.
  const isHere = ({ nav, path }: Screen) => !nav?.needs && (path !== '/' || role === 'superadmin') && (!nav || nav.roles.includes(role));
  for (const { path, title, nav } of (mine as readonly Screen[]).filter(isHere)) {
    const found = labels(role, FOUND_AS[path] ?? title).join('\n');
    expect(found, path).toContain(FOUND_AS[path] ?? nav?.label ?? title);
  }
});

test('a setting whose name is typed comes before people and customers with the same letters', () => {
  const icon = () => null;
  const entry = (label: string) => ({ id: label, label, icon, does: 'salir' as const });
  const found = [
    { label: 'Personas', entries: [entry('Álvaro Rivas Olivar')] },
    { label: 'Clientes', entries: [entry('Cooperativa del Olivar')] },
  ];
  const listed = labels('superadmin', 'iva', found);
  expect(listed[0]).toContain('IVA');
  expect(listed).toEqual(expect.arrayContaining(['Cooperativa del Olivar', 'Álvaro Rivas Olivar']));
});

test('labels that begin with the typed letters come before labels that contain the letters', () => {
  const listed = labels('superadmin', 'li');
  expect(listed[0]).toBe('Liquidaciones');
  expect(listed).toContain('Clientes');
});

test('a reseller finds only screens that resellers may open', () => {
  expect(labels('revendedor', 'crear pedido')[0]).toBe('Nuevo Pedido');
  expect(labels('revendedor', 'mi cuenta')[0]).toBe('Mi cuenta');
  for (const foreign of ['logs', 'ajustes', 'transportistas']) expect(labels('revendedor', foreign), foreign).toEqual([]);
});

test('a carrier finds only screens that carriers may open', () => {
  const all = labels('transportista', '');
  expect(all).toContain('Pedidos disponibles');
  for (const foreign of ['Control de Stock', 'Crear pedido', 'Gestión de Usuarios']) expect(all).not.toContain(foreign);
});
