import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';
import { signIn } from '../e2e/fixtures.ts';
import { SLOWER } from './slow.ts';

const TRIES = 5;
type Person = { email: string; password: string };

/**
 * Measures the longest delay between an action and the next painted frame (Interaction to Next Paint, ms) on a processor
 * four times slower: the longest of several tries, as reported by the browser's event timing.
 */
export async function measureInp(url: string, { admin, carrier }: { admin: Person; carrier: Person }) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  try {
    return [...(await office(browser, url, admin)), ...(await road(browser, url, carrier))];
  } finally {
    await browser.close();
  }
}

async function office(browser: Browser, url: string, admin: Person) {
  const page = await opened(browser, url, admin, { width: 1440, height: 900 });
  await page.goto('/pedidos');
  const rows = page.getByRole('table', { name: 'Pedidos', exact: true }).locator('tbody tr');
  await rows.nth(5).waitFor();
  const found: { action: string; ms: number[] }[] = [
    { action: 'open an order', ms: [] },
    { action: 'choose a filter', ms: [] },
    { action: 'type in the search', ms: [] },
  ];
  const [order, filter, search] = found.map(({ ms }) => ms) as [number[], number[], number[]];
  const estado = page.getByRole('button', { name: /^Estado:/ });
  for (let i = 0; i < TRIES; i += 1) {
    order.push(
      await longest(page, async () => {
        await rows.nth(i).locator('td').nth(3).click();
        await page.getByRole('dialog').waitFor();
        await page.waitForTimeout(SETTLED_MS);
      }),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    filter.push(
      await longest(page, async () => {
        await estado.click();
        await page.getByRole('menuitemcheckbox', { name: 'Pendiente', exact: true }).click();
        await page.keyboard.press('Escape');
        await page.waitForTimeout(SETTLED_MS);
      }),
    );
    search.push(
      await longest(page, async () => {
        await page.getByRole('searchbox').first().click();
        await page.keyboard.type('garcia', { delay: 60 });
        await page.waitForTimeout(SETTLED_MS);
      }),
    );
    await page.getByRole('searchbox').first().fill('');
    await rows.nth(5).waitFor();
  }
  await page.context().close();
  return found.map(row);
}

async function road(browser: Browser, url: string, carrier: Person) {
  const page = await opened(browser, url, carrier, { width: 390, height: 844 });
  await page.goto('/pedidos-asignados');
  const complete = page.getByRole('button', { name: /^Completar ORD/ }).first();
  await complete.waitFor();
  const ms: number[] = [];
  for (let i = 0; i < TRIES; i += 1) {
    ms.push(
      await longest(page, async () => {
        await complete.click();
        await page.getByRole('dialog', { name: 'Completar Entrega' }).waitFor();
        await page.waitForTimeout(SETTLED_MS);
      }),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  }
  await page.context().close();
  return [row({ action: 'complete a delivery', ms })];
}

const SETTLED_MS = 700;
const row = ({ action, ms }: { action: string; ms: number[] }) => {
  const sorted = ms.sort((a, b) => a - b);
  return { 'processor ÷ 4': action, 'INP, ms (median)': sorted[Math.floor(sorted.length / 2)] ?? '', 'longest, ms': sorted.at(-1) ?? '' };
};

async function opened(browser: Browser, url: string, as: Person, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, locale: 'es-ES', baseURL: url });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('interactionId' in entry && entry.interactionId) seen.push(entry.duration);
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  });
  await signIn(page, as.email, as.password);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

/** Runs `act` and returns its longest interaction, in ms; 0 below the browser's threshold of 16. */
async function longest(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => void (window as unknown as { seen: number[] }).seen.splice(0));
  await act();
  return page.evaluate(() => Math.max(0, ...(window as unknown as { seen: number[] }).seen));
}
