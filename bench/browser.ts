import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';

const TRIES = 7;

/** Measures the time from a click to its result on screen (ms, median of several tries) and the weight of each screen. */
export async function measureScreens(url: string, { email, password }: { email: string; password: string }) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  try {
    const weights = { signIn: await weigh(await (await browser.newContext()).newPage(), `${url}/auth`) };
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'es-ES' });
    const page = await context.newPage();
    await page.goto(`${url}/auth`);
    await page.getByLabel('Email o usuario').fill(email);
    await page.getByLabel('Contraseña', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await page.waitForURL(`${url}/`);
    const pedidos = await weigh(await cold(browser, context), `${url}/pedidos`);
    const link = page.getByRole('link', { name: 'Pedidos', exact: true });
    // Selected by name, because the previous screen also has tables.
    const body = page.getByRole('table', { name: 'Pedidos', exact: true }).locator('tbody');
    const rows = body.locator('tr');

    const open: number[] = [];
    const next: number[] = [];
    const filter: number[] = [];
    for (let i = 0; i < TRIES; i += 1) {
      await page.goto(`${url}/control-stock`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      open.push(
        await timed(
          () => link.click(),
          () => rows.nth(19).waitFor(),
        ),
      );
      const first = await body.textContent();
      next.push(
        await timed(
          () => page.getByRole('button', { name: 'Siguiente' }).click(),
          () => changed(page, first),
        ),
      );
      const second = await body.textContent();
      // Excludes the debounce of 300 ms.
      filter.push(
        (await timed(
          () => page.getByRole('searchbox').or(page.getByPlaceholder('Buscar por cliente, ID o revendedor...')).first().fill('garcia'),
          () => changed(page, second),
        )) - 300,
      );
    }
    return [
      { what: 'orders table: click to first rows', ms: middle(open), 'KB (brotli, JS + CSS)': pedidos },
      { what: 'next page', ms: middle(next), 'KB (brotli, JS + CSS)': '' },
      { what: 'search, after its debounce', ms: middle(filter), 'KB (brotli, JS + CSS)': '' },
      { what: 'sign-in screen', ms: '', 'KB (brotli, JS + CSS)': weights.signIn },
    ];
  } finally {
    await browser.close();
  }
}

// Opens a page with the session and an empty cache.
async function cold(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  from: Awaited<ReturnType<typeof browser.newContext>>,
): Promise<Page> {
  return (await browser.newContext({ storageState: await from.storageState() })).newPage();
}

/** Returns the size of scripts and style sheets transferred until three seconds after the load, in KB of 1000 bytes. */
async function weigh(page: Page, url: string): Promise<number> {
  let bytes = 0;
  const sizes: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    if (!['script', 'stylesheet'].includes(request.resourceType())) return;
    sizes.push(request.sizes().then((size) => (bytes += size.responseBodySize)));
  });
  await page.goto(url);
  // Not `networkidle`: the live stream keeps the network busy.
  await page.waitForTimeout(3000);
  await Promise.all(sizes);
  return Math.round(bytes / 100) / 10;
}

async function timed(act: () => Promise<unknown>, done: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await act();
  await done();
  return performance.now() - since;
}

// Compares all rows, because a search can leave the first row unchanged.
const changed = (page: Page, before: string | null) =>
  page.waitForFunction((text) => {
    const body = document.querySelector('main tbody');
    return body?.firstChild && body.textContent !== text;
  }, before);

const middle = (values: number[]) => Math.round(values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
