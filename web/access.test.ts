import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ROLES, type Role } from '../contract/policy.ts';
import { destination, homeOf, mayOpen, screenOf } from './access.ts';
import { INSIDE } from './routes.ts';
import { activePath, itemsFor } from './shell/nav-items.ts';

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://enruta.example' });
});

describe('the sitemap', () => {
  // Section 2.1 of the specification, row by row.
  const allowed: Record<string, Role[]> = {
    '/': [...ROLES],
    '/entregas': ['superadmin'],
    '/pedidos': ['superadmin'],
    '/pedidos/nuevo-admin': ['superadmin'],
    // Not in the table: the delivery notes of the orders chosen in the list.
    '/pedidos/imprimir': ['superadmin'],
    '/pedidos/42': ['superadmin'],
    '/pedidos/42/editar': ['superadmin'],
    '/control-stock': ['superadmin'],
    '/exportar-datos': ['superadmin'],
    '/configuracion': ['superadmin'],
    '/gestion-usuarios': ['superadmin'],
    '/admin': ['superadmin'],
    '/revendedor-dashboard': ['revendedor'],
    '/mis-pedidos': ['revendedor'],
    '/pedidos/nuevo': ['superadmin', 'revendedor'],
    '/transportista-dashboard': ['transportista'],
    '/pedidos-disponibles': ['transportista'],
    '/pedidos-asignados': ['transportista'],
    // Not in the table: one's own password, second factor and sessions.
    '/mi-cuenta': [...ROLES],
  };
  it.each(Object.entries(allowed))('%s opens for %s', (path, roles) => {
    const screen = screenOf(path);
    if (!screen) throw new Error(`no screen at ${path}`);
    expect(ROLES.filter((role) => mayOpen(screen, { role })).toSorted()).toEqual(roles.toSorted());
  });
  it('holds no screen that the table does not name', () => {
    expect(INSIDE.map(({ path }) => path.replace('$id', '42')).toSorted()).toEqual(Object.keys(allowed).toSorted());
  });
  it('knows no other path', () => {
    expect(screenOf('/pedidos/42/borrar')).toBeUndefined();
    expect(screenOf('/otra')).toBeUndefined();
  });
});

describe('where a person goes after signing in', () => {
  const go = (role: Role, volver: unknown) => destination({ role }, volver);
  it('is back where they were going', () => {
    expect(go('superadmin', '/pedidos?estado=pendiente&page=2')).toBe('/pedidos?estado=pendiente&page=2');
    expect(go('revendedor', '/pedidos/nuevo')).toBe('/pedidos/nuevo');
  });
  it('is home when the role may not open it', () => {
    expect(go('transportista', '/pedidos')).toBe('/transportista-dashboard');
    expect(go('revendedor', '/pedidos/42')).toBe('/revendedor-dashboard');
  });
  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/pedidos', 'javascript:alert(1)', '/nada', '/auth', '', undefined, 7])(
    'is home for %s',
    (volver) => expect(go('superadmin', volver)).toBe('/'),
  );
  it('is / for a role that this version does not know', () => {
    expect(homeOf({ role: 'auditor' as Role })).toBe('/');
  });
});

describe('the side navigation', () => {
  const labels = (role: string) => itemsFor(role as Role).map(({ path, label }) => `${path} ${label}`);
  it('is the menu of each role', () => {
    expect(labels('superadmin').slice(0, 5)).toEqual([
      '/ Dashboard',
      '/entregas Entregas',
      '/pedidos Pedidos',
      '/control-stock Control de Stock',
      '/gestion-usuarios Gestión de Usuarios',
    ]);
    expect(labels('revendedor')).toEqual(['/revendedor-dashboard Dashboard', '/mis-pedidos Mis Pedidos', '/pedidos/nuevo Nuevo Pedido']);
    expect(labels('transportista')).toEqual([
      '/transportista-dashboard Dashboard',
      '/pedidos-disponibles Pedidos disponibles',
      '/pedidos-asignados Pedidos asignados',
    ]);
    expect(labels('auditor')).toEqual(['/ Dashboard']);
  });
  it('marks the longest item that the address begins with, segment by segment', () => {
    const admin = itemsFor('superadmin');
    expect(activePath('/pedidos/42/editar', admin)).toBe('/pedidos');
    expect(activePath('/', admin)).toBe('/');
    expect(activePath('/pedidos-disponibles', admin)).toBeUndefined();
    expect(activePath('/administracion', admin)).toBeUndefined();
    expect(activePath('/pedidos/nuevo', [{ path: '/pedidos' }, { path: '/pedidos/nuevo' }])).toBe('/pedidos/nuevo');
  });
});
