import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';
import { keptVersions, signIn } from '../e2e/fixtures.ts';
import { openRoad } from '../e2e/road.ts';
import { startPlainBrowser } from './plain-browser.ts';

/** A bad mobile connection: 400 kbps both ways, 400 ms of latency. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'es-ES', deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const BROWSER = { executablePath: findChromium(), args: CHROMIUM_ARGS };
const TRIES = 3;
/** Time for the open program to prefetch other screens. */
const REST_MS = 12_000;
/** Time for the telephone to keep the last answers, after it has kept the program. */
const KEPT_MS = 2000;

/** Slowdown of the processor that simulates an old phone. */
export const SLOWER = 4;

type Person = { email: string; password: string };
/** `tap`: name of the link to this screen on the person's first screen. `ready`: what stands on it once it can be used. */
type Screen = { what: string; path: string; as?: Person; tap?: string; ready: string };
type Seen = (page: Page) => Promise<unknown>;

type Road = Awaited<ReturnType<typeof openRoad>>;

/**
 * Measures the time until the phone's screens can be used on a slow line with a slow processor (s, median and longest): at the first
 * visit, at the second in a browser that has just started, with what the telephone has kept, at one behind a server that hangs, and by a link in the open program. Also
 * measures the first visit's KB of 1000 bytes and requests. Each screen takes some three minutes.
 */
export async function* measureSlow(url: string, { carrier, reseller, pagar }: { carrier: Person; reseller: Person; pagar: string }) {
  const cards = (name: string) => `ul[aria-label="${name}"] button`;
  const screens: Screen[] = [
    {
      what: 'Mis Pedidos',
      path: '/mis-pedidos',
      as: reseller,
      tap: 'Mis Pedidos',
      ready: 'main li button[aria-label^="Acciones del pedido"]',
    },
    {
      what: 'Nuevo Pedido',
      path: '/pedidos/nuevo',
      as: reseller,
      tap: 'Nuevo Pedido',
      ready: 'input[name="cliente_nombre"], form input',
    },
    { what: 'Pedidos disponibles', path: '/pedidos-disponibles', as: carrier, ready: cards('Pedidos disponibles') },
    { what: 'Pedidos asignados', path: '/pedidos-asignados', as: carrier, tap: 'Pedidos asignados', ready: cards('Pedidos asignados') },
    { what: 'the payment page', path: pagar, ready: '#transferencia h2' },
  ];
  const browser = await chromium.launch(BROWSER);
  const road = await openRoad(url);
  try {
    for (const screen of screens) yield await measure(browser, road, screen);
  } finally {
    await browser.close();
    await road.close();
  }
}

async function measure(browser: Browser, road: Road, { what, path, as, tap, ready }: Screen) {
  const [first, second, hanging, taps, bytes, requests]: number[][] = [[], [], [], [], [], []];
  const there = seen(ready);
  for (let i = 0; i < TRIES; i += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'enruta-phone-'));
    const phone = await chromium.launchPersistentContext(folder, { ...BROWSER, ...PHONE, baseURL: road.url });
    if (as) await signIn(await phone.newPage(), as.email, as.password, true);
    const context = await browser.newContext({ ...PHONE, baseURL: road.url, storageState: await phone.storageState() });
    const visit = await open(context, path, there);
    first?.push(visit.seconds);
    bytes?.push(visit.bytes / 1000);
    requests?.push(visit.requests);
    await waitUntilStored(phone, path, there, !!as);
    await phone.close();
    const plain = await startPlainBrowser(folder, { line: LINE, slower: SLOWER, viewport: PHONE.viewport });
    second?.push(await plain.visit(road.url + path, ready));
    road.set('hang');
    if (as) hanging?.push(await plain.visit(road.url + path, ready));
    road.set(undefined);
    await plain.close();
    rmSync(folder, { recursive: true, force: true });
    if (tap) taps?.push(await tapped(context, tap, there));
    await context.close();
  }
  return {
    'on a slow line': what,
    'first visit, s': times(first),
    'second, s': times(second),
    'server hangs, s': times(hanging),
    'tap, s': times(taps),
    KB: middle(bytes),
    requests: middle(requests),
  };
}

/** Leaves the screen open at full speed until the telephone has kept the last answers, and the program too where it keeps one. */
async function waitUntilStored(context: BrowserContext, path: string, there: Seen, program: boolean): Promise<void> {
  const page = await context.newPage();
  await page.goto(path);
  await there(page);
  const until = performance.now() + REST_MS;
  while (program && performance.now() < until && (await keptVersions(page)) === 0) await page.waitForTimeout(100);
  await page.waitForTimeout(KEPT_MS);
  await page.close();
}

/** Opens an address in a new window, and measures until `ready`. */
async function open(context: BrowserContext, path: string, there: Seen) {
  const page = await context.newPage();
  const line = await slowed(page);
  let bytes = 0;
  let requests = 0;
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  const since = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await there(page);
  const seconds = (performance.now() - since) / 1000;
  await page.close();
  return { seconds, bytes, requests };
}

/** Opens the person's first screen, waits until it is idle, and measures from the tap on a link of the menu. */
async function tapped(context: BrowserContext, link: string, there: Seen): Promise<number> {
  const page = await context.newPage();
  await slowed(page);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(REST_MS);
  await page.getByRole('button', { name: 'Abrir la navegación' }).click();
  const target = page.getByRole('dialog').getByRole('link', { name: link, exact: true });
  await target.waitFor();
  const since = performance.now();
  await target.click();
  await there(page);
  const seconds = (performance.now() - since) / 1000;
  await page.close();
  return seconds;
}

/** Waits at every frame; Playwright's own wait looks every half second. */
const seen =
  (selector: string): Seen =>
  (page) =>
    page.waitForFunction((what) => document.querySelector(what)?.checkVisibility(), selector, { polling: 'raf' });

async function slowed(page: Page) {
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', LINE);
  await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return line;
}

const sorted = (values: number[] = []) => values.toSorted((a, b) => a - b);
const middle = (values: number[] | undefined) => Math.round(sorted(values)[Math.floor((values?.length ?? 0) / 2)] ?? 0);
/** Median and longest, in s. */
function times(values: number[] | undefined): string {
  const all = sorted(values);
  const of = (index: number) => (all[index] ?? 0).toFixed(2);
  return all.length ? `${of(all.length >> 1)} (${of(all.length - 1)})` : '';
}
