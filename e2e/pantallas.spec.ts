import type { Locator, Page } from '@playwright/test';
import { listClientes } from '../contract/clientes/clientes.ts';
import { ROLES, type Role } from '../contract/policy/policy.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import { inviteUser } from '../contract/users/users.ts';
import { homePath, mayOpen } from '../web/access.ts';
import { SCREENS, type Screen } from '../web/routes.ts';
import { expectAccessible } from './accessible.ts';
import { type Arranger, chooseTheme, expect, expectFilled, expectFits, SUPERADMIN, signIn, test } from './fixtures.ts';
import { closedLastMonth } from './liquidaciones.ts';
import type { Server } from './server.ts';
import { inHand } from './transportista.ts';

/*
 * Every screen of the sitemap, for each role. On the desktop, a screen opens by its address, fits its width and is accessible in both
 * themes. On the phone, the tests go from screen to screen, and check text at 200 % and the size of touch targets.
 */

type Seed = Awaited<ReturnType<typeof makeSeed>>;
const seeds = new WeakMap<Server, Promise<Seed>>();
/** Orders of each kind that a screen or an address needs. Created once per server, because the tests of screens only read them. */
function seed(api: Arranger, server: Server): Promise<Seed> {
  const made = seeds.get(server) ?? makeSeed(api, server);
  seeds.set(server, made);
  return made;
}
async function makeSeed(api: Arranger, server: Server) {
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const known = { cliente_telefono: '600 11 22 33', cliente_ciudad: 'Cáceres', cliente_codigo_postal: '10001' };
  const unpaid = await api.pedido(known, await api.as(rita));
  const pedido = await api.pedido();
  const cliente = (await (await api.as(rita)).call(listClientes)).body.data[0]?.id ?? '';
  await inHand(api, await api.as(tomas));
  const liquidaciones = await closedLastMonth(api, server, [rita, tomas]);
  const ivan = { full_name: 'Iván Invitado', email: `ivan-${crypto.randomUUID()}@enruta.test`, role: 'revendedor' } as const;
  const invitation = (await api.admin.call(inviteUser, { body: ivan })).body.data.enlace;
  return { pedido, unpaid, cliente, invitation, liquidaciones, people: { superadmin: SUPERADMIN, revendedor: rita, transportista: tomas } };
}

/** Addresses of screens that need a parameter or a filter to show everything. */
const ADDRESSES: Record<string, (seed: Seed, role: Role) => string[]> = {
  '/liquidaciones': ({ people: { revendedor } }, role) => [
    '/liquidaciones',
    ...(role === 'superadmin' && 'id' in revendedor ? [`/liquidaciones?persona=${revendedor.id}`] : []),
  ],
  '/liquidaciones/$id': ({ liquidaciones: [first, second] }, role) => [`/liquidaciones/${(role === 'transportista' ? second : first)?.id}`],
  '/primer-acceso/$token': () => ['/primer-acceso/gastado'],
  '/invitacion/$token': ({ invitation }) => [new URL(invitation).pathname],
  '/pedidos/imprimir': ({ pedido }) => [`/pedidos/imprimir?ids=${pedido.id}`],
  '/pedidos/$id': ({ pedido }) => [`/pedidos/${pedido.id}`],
  '/pedidos/$id/editar': ({ pedido }) => [`/pedidos/${pedido.id}/editar`],
  '/clientes/$id': ({ cliente }) => [`/clientes/${cliente}`],
  '/configuracion': () =>
    ['general', 'notifications', 'security', 'appearance', 'database', 'integrations'].map((tab) => `/configuracion?tab=${tab}`),
};
/** Headings of screens that differ from the title in the sitemap. */
const HEADINGS: Record<string, string | RegExp> = {
  '/auth': 'Enruta',
  '/liquidaciones/$id': /^Liquidación LIQ-/,
  '/pedidos/$id': /Pedido ORD-\d+$/,
  '/pedidos/$id/editar': /Pedido ORD-\d+$/,
  '/clientes/$id': /^Cliente \d+$/,
  '/admin': 'Supervisión',
  '/revendedor-dashboard': /^Hola, Rita/,
  '/transportista-dashboard': /^Hola, Tomás/,
};

function addressesOf({ path }: Screen, seed: Seed, role: Role): string[] {
  const addresses = ADDRESSES[path]?.(seed, role);
  if (!addresses && path.includes('$')) throw new Error(`The screen ${path} takes a parameter: add an address of it to ADDRESSES`);
  return addresses ?? [path];
}

async function withLargeText(page: Page, check: () => Promise<void>): Promise<void> {
  const write = (size: string) =>
    page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, size);
  await write('200%');
  await check();
  await write('');
}

/** Largest layout shift of a screen while it loads (a layout instability score, web.dev/cls). */
const MOST_SHIFT = 0.05;
const SHIFT = 'e2e-shift';

/** Adds up the layout shifts of each page from now on. */
const watchShifts = (page: Page) =>
  page.addInitScript((name) => {
    const total = { value: 0 };
    Object.assign(window, { [name]: total });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) total.value += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  }, SHIFT);
const shiftOf = (page: Page) => page.evaluate((name) => (window as unknown as Record<string, { value: number }>)[name]?.value, SHIFT);
const clearShifts = (page: Page) => page.evaluate((name) => Object.assign((window as never)[name], { value: 0 }), SHIFT);

/** Expects the screen's heading and title, no skeletons, no sideways scrolling, and that nothing has moved. */
async function expectOpen(page: Page, screen: Screen, address: string) {
  await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(HEADINGS[screen.path] ?? screen.title);
  await expect(page, address).toHaveTitle(`${screen.title} · Enruta`);
  await expectFilled(page, address);
  await expectFits(page, `${address} fits its window`);
  expect(await shiftOf(page), `layout shift of ${address}`).toBeLessThanOrEqual(MOST_SHIFT);
}

/** Goes through the screens by their addresses. */
async function walkOnDesktop(page: Page, screens: readonly Screen[], seed: Seed, role: Role = 'revendedor') {
  await watchShifts(page);
  for (const screen of screens) {
    for (const address of addressesOf(screen, seed, role)) {
      await page.goto(address);
      await expectOpen(page, screen, address);
      await chooseTheme(page, 'light');
      await expectAccessible(page);
      // Checks only contrast, because the dark theme changes nothing but colours.
      await chooseTheme(page, 'dark');
      await expectAccessible(page, { rules: ['color-contrast'] });
    }
  }
}

/** Visits the screens without loading the program again. */
async function walkOnPhone(page: Page, screens: readonly Screen[], seed: Seed, role: Role = 'revendedor') {
  let isIn = false;
  await watchShifts(page);
  for (const screen of screens) {
    for (const address of addressesOf(screen, seed, role)) {
      if (isIn) {
        await clearShifts(page);
        await page.evaluate((to) => history.pushState(null, '', to), address);
      } else await page.goto(address);
      isIn = true;
      await expect(page).toHaveURL(address);
      await expectOpen(page, screen, address);
      await withLargeText(page, () => expectFits(page, `${address} fits its window with text at 200 %`));
      // A carrier reads in sunlight: 7 : 1.
      await expectAccessible(page, { rules: ['target-size', ...(role === 'transportista' ? ['color-contrast-enhanced'] : [])] });
    }
  }
}

test.use({ serviceWorkers: 'block' });

const OPEN = SCREENS.filter(({ roles }) => roles === 'public');
/** Screens of a role, without `/` where it redirects to the role's home. */
const screensOf = (role: Role) =>
  SCREENS.filter((s) => s.roles !== 'public' && mayOpen(s, { role }) && (s.path !== '/' || homePath({ role }) === '/'));
/** Number of screens per test, so that workers share them. */
const WALK = 12;

test.describe('every screen fits its window and is accessible', () => {
  // Runs the walks in parallel; each worker has its own server.
  test.describe.configure({ mode: 'parallel' });

  for (const [device, walk] of Object.entries({ desktop: walkOnDesktop, phone: walkOnPhone })) {
    test(`the public screens open one after another @${device}`, async ({ page, api, server }) =>
      walk(page, OPEN, await seed(api, server)));
    for (const role of ROLES) {
      const screens = screensOf(role);
      for (let at = 0; at < screens.length; at += WALK) {
        const some = screens.slice(at, at + WALK);
        test(`${some[0]?.path} to ${some.at(-1)?.path} open one after another for a ${role} @${device}`, async ({ page, api, server }) => {
          const seeds = await seed(api, server);
          await signIn(page, seeds.people[role].email, seeds.people[role].password);
          await walk(page, some, seeds, role);
        });
      }
    }
  }
});

for (const role of ROLES)
  test(`a ${role} is redirected home from every screen of other roles, without any request of that screen @desktop`, async ({
    page,
    api,
    server,
  }) => {
    const seeds = await seed(api, server);
    await signIn(page, seeds.people[role].email, seeds.people[role].password);
    const home = homePath({ role });
    const closed = SCREENS.filter(
      (screen) => screen.roles !== 'public' && (!mayOpen(screen, { role }) || (screen.path === '/' && home !== '/')),
    );
    // Requests that the home screen and its frame make anyway.
    const asked = new Set<string>();
    const refused: string[] = [];
    page.on('response', (response) => {
      const { pathname, search } = new URL(response.url());
      if (!pathname.startsWith('/api/')) return;
      // A carrier's telephone stores the comments of its own orders in the background, whichever screen is open.
      if (role === 'transportista' && pathname.endsWith('/comentarios')) return;
      // The live stream is asked for with the age of the page.
      asked.add(pathname + (pathname === '/api/live' ? '' : search));
      if (response.status() >= 400) refused.push(`${response.status()} ${pathname}${search}`);
    });
    const html = (await (await page.goto(home))?.text()) ?? '';
    await expectFilled(page, home);
    // A busy machine may be idle before the frame has asked for anything.
    await expect.poll(() => asked.has('/api/live')).toBe(true);
    await page.waitForLoadState('networkidle');
    // The home screen's first answers stand in its page.
    const [, answers = '{}'] = /<script type="application\/json" id="respuestas">(.*?)<\/script>/s.exec(html) ?? [];
    const own = new Set([...asked, ...Object.keys(JSON.parse(answers))]);
    // The first screen opens by its address; loading the program again for each would show the same guard.
    let open = (address: string): Promise<unknown> => page.goto(address);
    for (const screen of closed) {
      for (const address of addressesOf(screen, seeds, 'superadmin')) {
        asked.clear();
        await open(address);
        open = (to) => page.evaluate((next) => history.pushState(null, '', next), to);
        await expect(page, address).toHaveURL(home);
        await expectFilled(page, address);
        expect(
          [...asked].filter((path) => !own.has(path)),
          `asked at ${address}`,
        ).toEqual([]);
      }
    }
    expect(refused).toEqual([]);
  });

const NOWHERE = { x: Number.NaN, y: Number.NaN, width: 0, height: 0 };
const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? NOWHERE;

test.describe('lists fit their window', { tag: '@desktop' }, () => {
  const cliente_nombre = 'Nombre'.repeat(15);
  test.beforeAll(async ({ api }) => {
    const pack_id = (await api.pack()).id;
    for (let i = 0; i < 21; i += 1) await api.pedido({ pack_id, cliente_nombre });
  });
  test.beforeEach(async ({ page }) => signIn(page, SUPERADMIN.email, SUPERADMIN.password));

  test('a tablet shows the customer, estado and amount of an order, however long the texts', async ({ page }) => {
    await page.setViewportSize({ width: 820, height: 1180 });
    for (const path of ['/pedidos', '/entregas', '/admin']) {
      await page.goto(path);
      const first = page.getByRole('row').filter({ hasText: cliente_nombre }).first();
      await expect(first).toBeVisible();
      // Cells under the sticky column of actions are hidden.
      const { x: end } = await boxOf(first.getByRole('cell').last());
      for (const content of [cliente_nombre, 'Pendiente', /\d\s€/]) {
        const { x, width } = await boxOf(first.getByText(content).first());
        expect(x + width, `${content} in ${path}`).toBeLessThanOrEqual(end);
      }
    }
  });

  test('no list of a reseller or a carrier scrolls sideways on a tablet', async ({ api, openAs }) => {
    const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
    await api.pedido({ cliente_nombre }, await api.as(rita));
    await (await api.as(tomas)).call(autoAsignar, { params: { id: (await api.pedido({ cliente_nombre })).id } });
    const [reseller, carrier] = [await openAs(rita), await openAs(tomas)];
    for (const [page, path] of [
      [reseller, '/mis-pedidos'],
      [carrier, '/pedidos-asignados'],
      [carrier, '/pedidos-disponibles'],
    ] as const) {
      for (const width of [1280, 1024, 820]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        await expect(page.getByText(cliente_nombre).first()).toBeVisible();
        const sideways = await page
          .getByRole('main')
          .evaluate(
            (main) =>
              [...main.querySelectorAll('*')].filter(
                (e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX),
              ).length,
          );
        expect(sideways, `${path} at ${width} px`).toBe(0);
      }
    }
  });

  test('the navigation collapses in a narrow window, unless the person opens it', async ({ page }) => {
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.goto('/pedidos');
    await page.getByRole('button', { name: 'Expandir la navegación' }).click();
    await expect(page.getByRole('button', { name: 'Contraer la navegación' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Contraer la navegación' })).toBeVisible();
  });
});

test('screens are closed to people without a session and to roles without permission', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 404 .*\/no-existe$/);
  await page.goto('/pedidos');
  await expect(page).toHaveURL(/\/auth/);
  await expectAccessible(page);
  const tomas = await api.user('transportista');
  await signIn(page, tomas.email, tomas.password);
  for (const path of ['/', '/pedidos', '/mis-pedidos', '/configuracion', '/auth']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/transportista-dashboard');
  }
  expect((await page.goto('/no-existe'))?.status()).toBe(404);
  await expect(page.getByText('Página no encontrada')).toBeVisible();
  await expectAccessible(page);
});

test('sign-in requires both fields, and keeps the user name after a wrong password', async ({ page, allowErrors }) => {
  allowErrors(/401/);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByText('Todos los campos son obligatorios').first()).toBeVisible();
  await page.getByLabel('Email o usuario').fill(SUPERADMIN.email);
  await page.getByLabel('Contraseña', { exact: true }).fill('equivocada');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Credenciales incorrectas. Verifica tu usuario y contraseña.' })).toBeVisible();
  await expect(page.getByLabel('Email o usuario')).toHaveValue(SUPERADMIN.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(SUPERADMIN.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByText('¡Bienvenido!')).toBeVisible();
  await expect(page).toHaveURL('/');
});
