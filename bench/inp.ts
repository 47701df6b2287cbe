import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';
import { signIn } from '../e2e/fixtures.ts';
import { SLOWER } from './slow.ts';

const TRIES = 5;
type Person = { email: string; password: string };
/** `shown`: what the press brings; `undo`: key that takes it away, or another press. */
type Press = { action: string; at: (page: Page) => Locator; shown?: (page: Page) => Locator; undo: 'Escape' | ((page: Page) => Locator) };

const rows = (page: Page) => page.getByRole('table', { name: 'Pedidos', exact: true }).locator('tbody tr');
const dialog = (page: Page) => page.getByRole('dialog').first();
const menu = (page: Page) => page.getByRole('menu').first();
const tab = (n: number) => (page: Page) => page.getByRole('tab').nth(n);
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const estado = button(/^Estado:/);
const pending = (page: Page) => page.getByRole('menuitemcheckbox', { name: 'Pendiente', exact: true });

const OFFICE: Press[] = [
  { action: 'open an order', at: (page) => rows(page).nth(2).locator('td').nth(3), shown: dialog, undo: 'Escape' },
  { action: 'menu of a row', at: button(/^Acciones del pedido/), shown: menu, undo: 'Escape' },
  { action: 'dates', at: button(/^Fecha/), shown: dialog, undo: 'Escape' },
  { action: 'open a filter', at: estado, shown: menu, undo: 'Escape' },
  { action: 'next page', at: button('Siguiente'), undo: button('Anterior') },
];
const FILTER: Press[] = [{ action: 'choose a filter', at: pending, undo: pending }];
const TAB: Press[] = [{ action: 'tab', at: tab(1), undo: tab(0) }];
const ROAD: Press[] = [
  { action: 'complete a delivery', at: button(/^Completar ORD/), shown: dialog, undo: 'Escape' },
  { action: 'navigation', at: button('Abrir la navegación'), shown: dialog, undo: 'Escape' },
];

/**
 * Measures the longest delay between a press and the next painted frame (Interaction to Next Paint, ms) on a processor
 * four times slower: median and longest of several tries, as reported by the browser's event timing.
 */
export async function measureInp(url: string, { admin, carrier }: { admin: Person; carrier: Person }) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  try {
    const desk = await opened(browser, url, admin, { width: 1440, height: 900 });
    await desk.goto('/pedidos');
    await rows(desk).nth(5).waitFor();
    const found = [...(await pressed(desk, OFFICE)), await typed(desk)];
    await press(desk, estado(desk));
    found.push(...(await pressed(desk, FILTER)));
    await desk.goto('/configuracion');
    found.push(...(await pressed(desk, TAB)));
    const phone = await opened(browser, url, carrier, { width: 390, height: 844 });
    await phone.goto('/pedidos-asignados');
    return [...found, ...(await pressed(phone, ROAD))];
  } finally {
    await browser.close();
  }
}

async function pressed(page: Page, presses: readonly Press[]) {
  const found = [];
  for (const { action, at, shown, undo } of presses) {
    const ms: number[] = [];
    for (let i = 0; i < TRIES; i += 1) {
      ms.push(await longest(page, () => press(page, at(page))));
      await shown?.(page).waitFor();
      await (undo === 'Escape' ? page.keyboard.press('Escape') : press(page, undo(page)));
      await shown?.(page).waitFor({ state: 'hidden' });
    }
    found.push(row({ action, ms }));
  }
  return found;
}

/** Presses like a person: Playwright's own click asks the page during the press, which takes the slow processor's time. */
async function press(page: Page, at: Locator): Promise<void> {
  await at.waitFor();
  const { x, y, width, height } = (await at.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.waitForTimeout(SETTLED_MS);
  await page.mouse.click(x + width / 2, y + height / 2);
}

async function typed(page: Page) {
  const search = page.getByRole('searchbox').first();
  const ms: number[] = [];
  for (let i = 0; i < TRIES; i += 1) {
    await press(page, search);
    await page.waitForTimeout(SETTLED_MS);
    ms.push(await longest(page, () => page.keyboard.type('garcia', { delay: 60 })));
    await search.fill('');
    await rows(page).nth(5).waitFor();
  }
  return row({ action: 'type in the search', ms });
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

/** Runs `act`, lets the page come to rest, and returns the longest interaction, in ms; 0 below the browser's threshold of 16. */
async function longest(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => void (window as unknown as { seen: number[] }).seen.splice(0));
  await act();
  await page.waitForTimeout(SETTLED_MS);
  return page.evaluate(() => Math.max(0, ...(window as unknown as { seen: number[] }).seen));
}
