import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { getHistorial } from '../contract/pedidos/pedidos.ts';
import { type Arranger, arranger, connectAs, type Person } from '../e2e/api.ts';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';
import { keptVersions, row, signIn } from '../e2e/fixtures.ts';
import { openRoad } from '../e2e/road.ts';
import { CASES, type Case } from '../e2e/road-cases.ts';
import { SUPERADMIN, startServer } from '../e2e/server.ts';
import { asignados, dialog, inHand, step } from '../e2e/transportista.ts';

const PHONE = { viewport: { width: 390, height: 844 }, locale: 'es-ES', deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const TRIES = 5;
/** Orders in the carrier's hands while the program opens. */
const ORDERS = 20;
/** Duration of a fault after the delivery, long enough for the phone to retry. */
const FAULT_MS = 6000;
const LATE_MS = 60_000;

type Road = Awaited<ReturnType<typeof openRoad>>;
type Figures = Record<string, string | number>;

/** Measures, for ten faults of the line, what a carrier sees and when the office gets the delivery; and the opening without a server. */
export async function measureRoad(): Promise<{ faults: Figures[]; opening: Figures[] }> {
  const server = await startServer();
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  const road = await openRoad(server.url);
  try {
    const api = arranger(server.url, await connectAs(server.url, SUPERADMIN));
    const faults: Figures[] = [];
    for (const one of CASES) faults.push(await measureFault(browser, road, api, one));
    return { faults, opening: await measureOpening(browser, road, api) };
  } finally {
    await browser.close();
    await road.close();
    await server.stop();
  }
}

/** Returns a carrier's phone that has cached the program and the list. */
async function readyPhone(browser: Browser, road: Road, carrier: Person): Promise<{ context: BrowserContext; page: Page }> {
  road.set(undefined);
  const context = await browser.newContext({ ...PHONE, baseURL: road.url });
  const page = await context.newPage();
  await signIn(page, carrier.email, carrier.password);
  await page.goto('/pedidos-asignados');
  await row(asignados(page), 'ORD-').first().waitFor();
  while ((await keptVersions(page)) !== 1) await page.waitForTimeout(100);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  return { context, page };
}

const since = (from: number) => Math.round(performance.now() - from);

async function measureFault(
  browser: Browser,
  road: Road,
  api: Arranger,
  { name, fault, meanwhile, ends, signsIn }: Case,
): Promise<Figures> {
  const carrier = await api.user('transportista');
  const { id, numero_orden } = await inHand(api, await api.as(carrier), {}, 'en_ruta');
  const { context, page } = await readyPhone(browser, road, carrier);
  road.set(fault);
  await step(page, row(asignados(page), numero_orden), 'Completar');
  const form = dialog(page, 'Completar Entrega');
  const pressed = performance.now();
  await form.getByRole('button', { name: 'Completar entrega' }).click();
  await shown(page, numero_orden);
  const done = since(pressed);
  await meanwhile?.({ api, id, carrier });
  await page.close();

  const again = await context.newPage();
  const opened = performance.now();
  await again.goto('/pedidos-asignados', { waitUntil: 'commit' });
  // While the line is cut, the list shows the order as done; a captive portal shows its own page.
  const isListed = fault !== 'cut' && fault !== 'portal';
  if (isListed) await shown(again, numero_orden);
  const listed = isListed ? since(opened) : '';
  await again.waitForTimeout(FAULT_MS);
  const posts = road.posts();
  road.set(undefined);
  const well = performance.now();
  if (fault === 'portal') await again.reload();
  if (signsIn) await enter(again, carrier);
  const office = await untilOffice(api, id, ends, well);
  await context.close();
  return {
    fault: name,
    'done on the phone, ms': done,
    'opened again, ms': listed,
    'writes tried': posts,
    'the office has it, ms': office,
    ends,
  };
}

const shown = (page: Page, numero: string) =>
  page.waitForFunction(
    (text) =>
      [...document.querySelectorAll('main li')].some(
        ({ textContent }) => textContent?.includes(text) && textContent.includes('Completado'),
      ),
    numero,
    { polling: 'raf', timeout: LATE_MS },
  );

async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByLabel('Email o usuario').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
}

/** Returns the ms until the office has the delivery, once and as expected. Throws if the delivery does not arrive. */
async function untilOffice(api: Arranger, id: string, ends: Case['ends'], from: number): Promise<number> {
  while (performance.now() - from < LATE_MS) {
    const history = (await api.admin.call(getHistorial, { params: { id } })).body.data;
    const done = history.filter(({ estado_nuevo }) => estado_nuevo === 'completado').length;
    const unregistered = history.filter(({ accion }) => accion === 'Sin registrar: Completar').length;
    if (done + unregistered > 1 || (ends === 'done' ? unregistered : done))
      throw new Error(`${id}: done ${done} times, unregistered ${unregistered} times`);
    if (done + unregistered === 1) return since(from);
    await new Promise((then) => setTimeout(then, 50));
  }
  throw new Error(`${id}: the office has nothing`);
}

/** Measures the time until the list can be read in a new tab: without coverage, and behind a server that hangs. */
async function measureOpening(browser: Browser, road: Road, api: Arranger): Promise<Figures[]> {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  for (let n = 0; n < ORDERS; n += 1) await inHand(api, client, {}, 'en_ruta');
  const { context, page } = await readyPhone(browser, road, carrier);
  await page.close();
  const open = async () => {
    const tab = await context.newPage();
    const from = performance.now();
    await tab.goto('/pedidos-asignados', { waitUntil: 'commit' });
    await tab.waitForFunction((n) => document.querySelectorAll('main ul[aria-label="Pedidos asignados"] > li').length >= n, ORDERS, {
      polling: 'raf',
    });
    const ms = since(from);
    await tab.close();
    return ms;
  };
  const figures: Figures[] = [];
  for (const what of ['without coverage', 'behind a server that hangs'] as const) {
    await context.setOffline(what === 'without coverage');
    road.set(what === 'without coverage' ? 'dead' : 'hang');
    const times: number[] = [];
    for (let n = 0; n < TRIES; n += 1) times.push(await open());
    times.sort((a, b) => a - b);
    figures.push({ [`${ORDERS} rows`]: what, 'median, ms': times[TRIES >> 1] ?? '', 'longest, ms': times.at(-1) ?? '' });
  }
  await context.close();
  return figures;
}

if (import.meta.main) {
  const { faults, opening } = await measureRoad();
  console.table(faults);
  console.table(opening);
}
