import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';
import { keptVersions, signIn } from '../e2e/fixtures.ts';
import { openRoad } from '../e2e/road.ts';

/** A bad mobile connection: 400 kbps both ways, 400 ms of latency. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'es-ES', deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const TRIES = 3;
/** Time for the open program to prefetch other screens. */
const REST_MS = 12_000;
/** Time for the telephone to keep the last answers, after it has kept the program. */
const KEPT_MS = 2000;

/** Slowdown of the processor that simulates an old phone. */
export const SLOWER = 4;

type Person = { email: string; password: string };
/** `tap`: name of the link to this screen on the person's first screen. */
type Screen = { what: string; path: string; as?: Person; tap?: string; ready: (page: Page) => Promise<unknown> };

type Road = Awaited<ReturnType<typeof openRoad>>;

/**
 * Measures the time until the phone's screens can be used on a slow line with a slow processor (s, median and longest): at the first
 * visit, at the second with what the telephone has kept, at one behind a server that hangs, and by a link in the open program. Also
 * measures the first visit's KB of 1000 bytes and requests.
 */
export async function measureSlow(url: string, { carrier, reseller, pagar }: { carrier: Person; reseller: Person; pagar: string }) {
  // Checks at every frame; Playwright's own wait checks every half second.
  const there = (selector: string) => (page: Page) =>
    page.waitForFunction((what) => document.querySelector(what)?.checkVisibility(), selector, { polling: 'raf' });
  const cards = (name: string) => there(`ul[aria-label="${name}"] button`);
  const screens: Screen[] = [
    {
      what: 'Mis Pedidos',
      path: '/mis-pedidos',
      as: reseller,
      tap: 'Mis Pedidos',
      ready: there('main li button[aria-label^="Ver el pedido"]'),
    },
    {
      what: 'Nuevo Pedido',
      path: '/pedidos/nuevo',
      as: reseller,
      tap: 'Nuevo Pedido',
      ready: there('input[name="cliente_nombre"], form input'),
    },
    { what: 'Pedidos disponibles', path: '/pedidos-disponibles', as: carrier, ready: cards('Pedidos disponibles') },
    { what: 'Pedidos asignados', path: '/pedidos-asignados', as: carrier, tap: 'Pedidos asignados', ready: cards('Pedidos asignados') },
    { what: 'the payment page', path: pagar, ready: there('#transferencia h2') },
  ];
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  const road = await openRoad(url);
  try {
    const rows = [];
    for (const screen of screens) rows.push(await measure(browser, road, screen));
    return rows;
  } finally {
    await browser.close();
    await road.close();
  }
}

async function measure(browser: Browser, road: Road, { what, path, as, tap, ready }: Screen) {
  const [first, second, hanging, taps, bytes, requests]: number[][] = [[], [], [], [], [], []];
  for (let i = 0; i < TRIES; i += 1) {
    const context = await browser.newContext({ ...PHONE, baseURL: road.url });
    if (as) await signIn(await context.newPage(), as.email, as.password, true);
    // Uses a separate context, because the first visit must find an empty cache.
    const other = await browser.newContext({ ...PHONE, baseURL: road.url, storageState: await context.storageState() });
    const visit = await open(other, path, ready);
    first?.push(visit.seconds);
    bytes?.push(visit.bytes / 1000);
    requests?.push(visit.requests);
    if (as) {
      await keep(other, path, ready);
      await slowWorkers(browser);
    }
    second?.push((await open(other, path, ready)).seconds);
    road.set('hang');
    if (as)
      hanging?.push(
        await open(other, path, ready).then(
          ({ seconds }) => seconds,
          () => Number.NaN,
        ),
      );
    road.set(undefined);
    await other.close();
    if (tap) taps?.push(await tapped(context, tap, ready));
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

/** Leaves the screen open at full speed until the telephone has kept the program, where it keeps one, and the last answers. */
async function keep(context: BrowserContext, path: string, ready: Screen['ready']): Promise<void> {
  const page = await context.newPage();
  await page.goto(path);
  await ready(page);
  const until = performance.now() + REST_MS;
  while (performance.now() < until && (await keptVersions(page)) === 0) await page.waitForTimeout(100);
  await page.waitForTimeout(KEPT_MS);
  await page.close();
}

/** Slows the service workers too, whose requests do not count as the page's. */
async function slowWorkers(browser: Browser): Promise<void> {
  const root = await browser.newBrowserCDPSession();
  const { targetInfos } = await root.send('Target.getTargets');
  for (const { targetId } of targetInfos.filter(({ type }) => type === 'service_worker')) {
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: false });
    const tell = (id: number, method: string, params: object) =>
      root.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    await tell(1, 'Network.enable', {});
    await tell(2, 'Network.emulateNetworkConditions', LINE);
  }
}

/** Opens an address in a new window, and measures until `ready`. */
async function open(context: BrowserContext, path: string, ready: Screen['ready']) {
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
  await ready(page);
  const seconds = (performance.now() - since) / 1000;
  await page.close();
  return { seconds, bytes, requests };
}

/** Opens the person's first screen, waits until it is idle, and measures from the tap on a link of the menu. */
async function tapped(context: BrowserContext, link: string, ready: Screen['ready']): Promise<number> {
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
  await ready(page);
  const seconds = (performance.now() - since) / 1000;
  await page.close();
  return seconds;
}

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
