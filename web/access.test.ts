import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ROLES, type Role } from '../contract/policy/policy.ts';
import { destinationAfterSignIn, findScreen, homePath, mayOpen } from './access.ts';
import { activePath, highlightedItem, itemsFor, placesFor, screenParts } from './nav/nav-items.ts';
import { SCREENS } from './routes.ts';

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://enruta.example' });
});

describe('the sitemap', () => {
  // e2e/pantallas.spec.ts checks what the server allows on each screen.
  it.each(SCREENS)('the screen $path is found by its address, and opens only for its roles', (screen) => {
    const { path, roles } = screen;
    expect(findScreen(path.replace(/\$\w+/, '42'))).toBe(screen);
    const may = ROLES.filter((role) => mayOpen(screen, { role }));
    expect(may).toEqual(typeof roles === 'string' ? [...ROLES] : ROLES.filter((role) => roles.includes(role)));
  });
  it('an unknown path has no screen', () => {
    expect(findScreen('/pedidos/42/borrar')).toBeUndefined();
    expect(findScreen('/otra')).toBeUndefined();
  });
});

describe('the destination after sign-in', () => {
  const go = (role: Role, volver: unknown) => destinationAfterSignIn({ role }, volver);
  it('sign-in leads to the screen that the person was opening', () => {
    expect(go('superadmin', '/pedidos?estado=pendiente&page=2')).toBe('/pedidos?estado=pendiente&page=2');
    expect(go('revendedor', '/pedidos/nuevo')).toBe('/pedidos/nuevo');
  });
  it('sign-in leads home if the role may not open the requested screen', () => {
    expect(go('transportista', '/pedidos')).toBe('/transportista-dashboard');
    for (const path of ['/pedidos', '/pedidos?pedido=42', '/pedidos/42', '/pedidos/42/editar', '/entregas'])
      expect(go('revendedor', path), path).toBe('/revendedor-dashboard');
  });
  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/pedidos', 'javascript:alert(1)', '/nada', '/auth', '', undefined, 7])(
    'sign-in leads home if the requested address is %s',
    (volver) => expect(go('superadmin', volver)).toBe('/'),
  );
  it('the home of a role that this version does not know is /', () => {
    expect(homePath({ role: 'auditor' as Role })).toBe('/');
  });
});

describe('the side navigation', () => {
  const labels = (role: string) => itemsFor(role as Role).map(({ path, label }) => `${path} ${label}`);
  it('the side navigation lists the screens of each role', () => {
    expect(labels('superadmin').slice(0, 5)).toEqual([
      '/ Dashboard',
      '/entregas Entregas',
      '/pedidos Pedidos',
      '/control-stock Control de Stock',
      '/gestion-usuarios Gestión de Usuarios',
    ]);
    expect(labels('superadmin')).toContain('/clientes Clientes');
    expect(labels('revendedor')).toEqual([
      '/revendedor-dashboard Dashboard',
      '/mis-pedidos Mis Pedidos',
      '/pedidos/nuevo Nuevo Pedido',
      '/clientes Clientes',
      '/liquidaciones Liquidaciones',
    ]);
    expect(labels('transportista')).toEqual([
      '/transportista-dashboard Dashboard',
      '/pedidos-disponibles Pedidos disponibles',
      '/pedidos-asignados Pedidos asignados',
      '/liquidaciones Liquidaciones',
    ]);
    expect(labels('auditor')).toEqual(['/ Dashboard']);
  });
  it('the side navigation has at most nine entries, because some screens are parts of an entry', () => {
    const everything = { contra_reembolso: true, caja: true, envios: true } as const;
    expect(itemsFor('superadmin', everything).length).toBeLessThanOrEqual(9);
    expect(screenParts('/entregas', 'superadmin', everything).map(({ path }) => path)).toEqual(['/entregas', '/caja', '/envios']);
    expect(screenParts('/entregas', 'superadmin', {})).toEqual([]);
    expect(placesFor('superadmin', everything).map(({ path }) => path)).toEqual(expect.arrayContaining(['/exportar-datos', '/privacidad']));
    expect(highlightedItem('/caja', 'superadmin', everything)).toBe('/entregas');
    expect(highlightedItem('/caja', 'transportista', everything)).toBe('/caja');
    expect(highlightedItem('/', 'auditor' as Role, {})).toBe('/');
  });
  it('the side navigation marks the item whose path is the longest prefix of the address', () => {
    const admin = itemsFor('superadmin');
    expect(activePath('/pedidos/42/editar', admin)).toBe('/pedidos');
    expect(activePath('/', admin)).toBe('/');
    expect(activePath('/pedidos-disponibles', admin)).toBeUndefined();
    expect(activePath('/administracion', admin)).toBeUndefined();
    expect(activePath('/pedidos/nuevo', [{ path: '/pedidos' }, { path: '/pedidos/nuevo' }])).toBe('/pedidos/nuevo');
  });
});
