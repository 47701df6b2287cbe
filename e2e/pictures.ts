import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, devices, type Page } from '@playwright/test';
import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { freePort } from '../test/free-port.ts';
import { ready, until } from '../test/until.ts';
import { connectAs } from './api.ts';
import { CHROMIUM_ARGS, findChromium } from './chromium.ts';
import { expectFilled, signIn } from './fixtures.ts';
import { arrangePicture, fillPedido, GUIDE_IMAGES, GUIDE_PICTURES, windowOf } from './guide-pictures.ts';

/*
 * `npm run pictures`: starts the demonstration with a temporary data folder and takes the pictures of README.md and the guide. With names
 * (`npm run pictures -- invitar`), takes only these pictures of the guide.
 */

const FOLDER = join(import.meta.dirname, '../docs/pictures');
const MAX_BYTES = 120_000;
const MAX_GUIDE_BYTES = 60_000;
const DESK = { viewport: { width: 1440, height: 860 } };
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 };

const named = process.argv.slice(2);

type Account = { email: string; password: string };

const dataDir = mkdtempSync(join(tmpdir(), 'enruta-pictures-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const { PATH, HOME } = process.env;
const program = spawn(process.execPath, ['server/main.ts', '--demo'], {
  env: { PATH, HOME, PORT: String(port), DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
program.stdout.on('data', (chunk) => (printed += chunk));
try {
  await until(
    async () => program.exitCode !== null || (/^ *transportista /m.test(printed) && (await ready(url))),
    () => `The demonstration did not start:\n${printed}`,
    300,
  );
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  try {
    const payment = await unpaidPage();
    if (named.length === 0) await takeOfReadme(browser, payment);
    await takeOfGuide(browser, payment);
  } finally {
    await browser.close();
  }
} finally {
  await end(program);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Path of the payment page of an unpaid order of the reseller. */
async function unpaidPage(): Promise<string> {
  const client = await connectAs(url, accountOf('revendedor'));
  const { body } = await client.call(listPedidos, { query: { estado: 'pendiente_pago' } });
  const link = body.data.flatMap((pedido) => ('payment_link' in pedido && pedido.payment_link) || [])[0];
  if (!link) throw new Error('The demonstration has no unpaid order of this reseller');
  return new URL(link, url).pathname;
}

async function takeOfReadme(browser: Browser, payment: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const office = await open(browser, DESK, accountOf('superadmin'));
  await office.goto('/pedidos');
  await save(office, 'pedidos');

  const reseller = await open(browser, DESK, accountOf('revendedor'));
  await reseller.goto('/pedidos/nuevo');
  await fillPedido(reseller);
  await save(reseller, 'nuevo-pedido');

  const carrier = await open(browser, PHONE, accountOf('transportista'));
  await carrier.goto('/pedidos-asignados');
  await save(carrier, 'transportista');

  const customer = await open(browser, PHONE);
  await customer.goto(payment);
  await save(customer, 'cliente');
}

async function takeOfGuide(browser: Browser, payment: string): Promise<void> {
  for (const picture of GUIDE_PICTURES.filter(({ name }) => named.length === 0 || named.includes(name))) {
    const how = { viewport: windowOf(picture), deviceScaleFactor: picture.phone ? 1.5 : 1 };
    const page = await open(browser, how, picture.role === 'cliente' ? undefined : accountOf(picture.role));
    await arrangePicture(page, picture, payment);
    await save(page, picture.name, { folder: GUIDE_IMAGES, max: MAX_GUIDE_BYTES });
    await page.context().close();
  }
}

async function open(browser: Browser, how: object, account?: Account): Promise<Page> {
  const context = await browser.newContext({
    ...how,
    baseURL: url,
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (account) await signIn(page, account.email, account.password);
  return page;
}

/** Writes a screenshot as WebP, in the best quality that fits `max` bytes. The browser encodes, because Playwright has no WebP. */
async function save(page: Page, name: string, { folder = FOLDER, max = MAX_BYTES } = {}): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expectFilled(page);
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  const painter = await page.context().newPage();
  const webps = await painter.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return [0.85, 0.75, 0.65, 0.55].map((quality) => canvas.toDataURL('image/webp', quality).split(',')[1] ?? '');
  }, png);
  await painter.close();
  const bytes = webps.map((webp) => Buffer.from(webp, 'base64')).find(({ length }) => length <= max);
  if (!bytes) throw new Error(`${name}.webp has more than ${max} bytes`);
  writeFileSync(join(folder, `${name}.webp`), bytes);
  console.log(`${name}.webp ${Math.round(bytes.length / 1000)} KB`);
}

/** Returns the account of a role, as printed by the demonstration at its start. */
function accountOf(role: string): Account {
  const [, email, password] = new RegExp(String.raw`^ *${role} +(\S+) +(\S+)$`, 'm').exec(printed) ?? [];
  if (!email || !password) throw new Error(`The demonstration printed no ${role}:\n${printed}`);
  return { email, password };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
