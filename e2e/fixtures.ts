import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { getCsrfToken, login } from '../contract/session/session.ts';
import { reportWrongTexts, WRONG_TEXT } from '../test/wrong-texts.ts';
import { type Arranger, arranger, connectAs, type Person } from './api.ts';
import { createHost, type Server, SUPERADMIN, startServer } from './server.ts';

export type { Arranger, Person };
export { expect, SUPERADMIN };

type Running = { file: string; server: Server; api: Arranger };

type TestFixtures = {
  /** Server of this test file, empty but for the superadmin. Also available in beforeAll. */
  server: Server;
  /** Prepares data over HTTP as the superadmin. Also available in beforeAll. */
  api: Arranger;
  /** Opens another browser window signed in as `person`; at about:blank, unless `how` signs in through the form. */
  openAs: (person: { email: string; password: string }, how?: typeof signIn) => Promise<Page>;
  /** Expects errors: console lines with a matching text or address do not fail the test. */
  allowErrors: (...patterns: RegExp[]) => void;
  watch: undefined;
};
type WorkerFixtures = { running: (file: string) => Promise<Running> };

// 401 without a session: the first request for the user, and a live stream that opens during a sign-out.
const ALWAYS_ALLOWED = [/status of 401 .*\/api\/(user|live)$/];

export const test = base.extend<TestFixtures, WorkerFixtures>({
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      // Starts a server and a database per file, because a worker runs several files one after another in one host.
      const host = createHost();
      let current: Running | undefined;
      await use(async (file) => {
        if (current?.file === file) return current;
        await current?.server.stop();
        current = undefined;
        const server = await startServer({}, host);
        current = { file, server, api: arranger(server.url, await connectAs(server.url, SUPERADMIN)) };
        return current;
      });
      await current?.server.stop();
      await host.end();
    },
    // Stopping one server and starting the next counts as the fixture's, not the test's, time.
    { scope: 'worker', timeout: 180_000 },
  ],
  server: [
    async ({ running }, use, info) => {
      const { server } = await running(info.file);
      const from = server.log().length;
      await use(server);
      const log = server.log().slice(from);
      if (log && info.status !== info.expectedStatus) await info.attach('server.log', { body: log, contentType: 'text/plain' });
    },
    { timeout: 180_000 },
  ],
  api: [async ({ running }, use, info) => use((await running(info.file)).api), { timeout: 180_000 }],
  baseURL: async ({ server }, use) => use(server.url),

  // Playwright reuses the context for the next test, without resetting the offline state and the permissions.
  context: async ({ context }, use) => {
    await use(context);
    await context.setOffline(false);
    await context.clearPermissions();
  },

  openAs: async ({ browser, contextOptions, baseURL, viewport, isMobile, hasTouch, locale, timezoneId }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (person, how = signIn) => {
      const context = await browser.newContext({
        ...contextOptions,
        viewport,
        isMobile,
        hasTouch,
        ...(baseURL ? { baseURL } : {}),
        ...(locale ? { locale } : {}),
        ...(timezoneId ? { timezoneId } : {}),
      });
      contexts.push(context);
      const page = await context.newPage();
      await how(page, person.email, person.password);
      return page;
    });
    for (const context of contexts) await context.close();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  allowErrors: async ({}, use, info) => use((...patterns) => void allowedIn(info).push(...patterns)),

  // Fails the test on console errors (violations of the content policy included) and uncaught exceptions, in any
  // window.
  watch: [
    async ({ browser }, use, info) => {
      const errors: string[] = [];
      const listen = (context: BrowserContext) => {
        context.addInitScript(reportWrongTexts, WRONG_TEXT.source).catch(() => undefined);
        context.on('console', (message) => {
          if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`.trim());
        });
        context.on('weberror', (error) => errors.push(`uncaught ${error.error().stack ?? error.error()}`));
      };
      browser.on('context', listen);
      await use(undefined);
      browser.off('context', listen);
      const allowed = [...ALWAYS_ALLOWED, ...allowedIn(info)];
      const unexpected = errors.filter((error) => !allowed.some((pattern) => pattern.test(error)));
      expect(unexpected, 'the browser reported errors').toEqual([]);
    },
    { auto: true },
  ],
});

const allowances = new WeakMap<object, RegExp[]>();
function allowedIn(info: object): RegExp[] {
  const list = allowances.get(info) ?? [];
  allowances.set(info, list);
  return list;
}

/** Signs in through the form and waits until the form is gone. */
export async function signInByForm(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email o usuario').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Signs the window in without opening a page: the form has its own tests, and costs a second each time. */
export async function signIn(page: Page, email: string, password: string, remember?: boolean): Promise<void> {
  await page.request.get(getCsrfToken.path);
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const reply = await page.request.post(login.path, { data: { email, password, remember }, headers: { 'x-xsrf-token': token } });
  expect(reply.status(), await reply.text()).toBe(200);
}

/** Answers the dialog that asks for the password again. */
export async function proveIn(page: Page, password: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirma quién eres' });
  await question.getByLabel('Contraseña actual').fill(password);
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect(question).toBeHidden();
}

/** Entries of a list: rows of a table on a desktop, cards on a phone. */
export function rows(within: Page | Locator): Locator {
  const page = 'goto' in within ? within : within.page();
  return within
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .or(within.getByRole('listitem'));
}
/** The row or card with `text`, on the screen or in a part of it. */
export const row = (within: Page | Locator, text: string | RegExp): Locator =>
  rows('goto' in within ? within.getByRole('main') : within).filter({ hasText: text });

/** Waits until no skeleton is left. */
export const expectFilled = (page: Page, message?: string): Promise<void> =>
  expect(page.locator('[aria-busy=true]').filter({ visible: true }), message).toHaveCount(0);

/** Expects the theme by the computed `color-scheme`. */
export const expectTheme = (page: Page, theme: 'light' | 'dark'): Promise<void> =>
  expect(page.locator(':root')).toHaveCSS('color-scheme', theme);

/** Changes the theme of the open screen, as another tab of the same browser would. */
export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((value) => {
    localStorage.setItem('appConfig', JSON.stringify({ theme: value }));
    dispatchEvent(new StorageEvent('storage', { key: 'appConfig' }));
  }, theme);
  await expectTheme(page, theme);
}

/** Expects that the page does not scroll sideways. */
export async function expectFits(page: Page, message: string): Promise<void> {
  const { wide, window } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, window: innerWidth }));
  expect(wide, message).toBeLessThanOrEqual(window);
}

/** URL of the page's main script; its name contains the version's hash. */
export const programOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '');

/** Number of program versions cached completely on the phone. */
export const keptVersions = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((key) => key.startsWith('enruta-programa-'));
    return (await Promise.all(names.map((cacheName) => caches.match('/shell.html', { cacheName })))).filter(Boolean).length;
  });
