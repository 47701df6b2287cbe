import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';
import { signIn } from '../e2e/fixtures.ts';

/** A bad mobile connection: 400 kbps both ways, 400 ms of latency. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'es-ES', deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const TRIES = 3;

type Person = { email: string; password: string };
type Screen = { what: string; path: string; as?: Person; ready: (page: Page) => Promise<unknown> };

/**
 * Measures the time until a carrier's lists and the payment page can be used on a slow line, at the first and second
 * visit (s, median), and the transfer of the first (KB of 1000 bytes, and requests).
 */
export async function measureSlow(url: string, { carrier, pagar }: { carrier: Person; pagar: string }) {
  // Checks at every frame; Playwright's own wait checks every half second.
  const there = (selector: string) => (page: Page) =>
    page.waitForFunction((what) => document.querySelector(what)?.checkVisibility(), selector, { polling: 'raf' });
  const cards = (name: string) => there(`ul[aria-label="${name}"] button`);
  const screens: Screen[] = [
    { what: 'Pedidos disponibles', path: '/pedidos-disponibles', as: carrier, ready: cards('Pedidos disponibles') },
    { what: 'Pedidos asignados', path: '/pedidos-asignados', as: carrier, ready: cards('Pedidos asignados') },
    { what: 'the payment page', path: pagar, ready: (page) => page.getByRole('heading', { name: 'Transferencia bancaria' }).waitFor() },
  ];
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  try {
    const rows = [];
    for (const screen of screens) rows.push(await measure(browser, url, screen));
    return rows;
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, url: string, { what, path, as, ready }: Screen) {
  const [first, second, bytes, requests]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let i = 0; i < TRIES; i += 1) {
    const context = await browser.newContext({ ...PHONE, baseURL: url });
    if (as) await signIn(await context.newPage(), as.email, as.password);
    const visit = await open(context, path, ready);
    first.push(visit.seconds);
    bytes.push(visit.bytes / 1000);
    requests.push(visit.requests);
    second.push((await open(context, path, ready)).seconds);
    await context.close();
  }
  return {
    'on a slow line': what,
    'first visit, s': middle(first),
    'second, s': middle(second),
    KB: middle(bytes),
    requests: middle(requests),
  };
}

/** Opens an address in a new window, and measures until `ready`. */
async function open(context: BrowserContext, path: string, ready: Screen['ready']) {
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', LINE);
  let bytes = 0;
  let requests = 0;
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  const since = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await ready(page);
  const seconds = (performance.now() - since) / 1000;
  await page.close();
  return { seconds, bytes, requests };
}

const middle = (values: number[]) => Math.round(10 * (values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)) / 10;
