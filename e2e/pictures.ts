import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, devices, type Page } from '@playwright/test';
import { listPedidos } from '../contract/pedidos.ts';
import { freePort } from '../test/free-port.ts';
import { ready, until } from '../test/until.ts';
import { connectAs } from './api.ts';
import { CHROMIUM_ARGS, findChromium } from './chromium.ts';
import { expectFilled, signIn } from './fixtures.ts';

/* `npm run pictures`: starts the demonstration in a folder of its own and takes the pictures of README.md. */

const FOLDER = join(import.meta.dirname, '../docs/pictures');
const MAX_BYTES = 120_000;
const DESK = { viewport: { width: 1440, height: 860 } };
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 };

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
    await takeAll(browser);
  } finally {
    await browser.close();
  }
} finally {
  await end(program);
  rmSync(dataDir, { recursive: true, force: true });
}

async function takeAll(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });

  const office = await open(browser, DESK, accountOf('superadmin'));
  await office.goto('/pedidos');
  await save(office, 'pedidos');

  const reseller = await open(browser, DESK, accountOf('revendedor'));
  await reseller.goto('/pedidos/nuevo');
  await reseller.getByLabel('Nombre').fill('Ana Ruiz Molina');
  await reseller.getByLabel('Dirección').fill('Calle Mayor 3');
  await reseller.getByLabel('Teléfono').fill('600 123 987');
  await reseller.getByLabel('Código Postal').fill('28013');
  await reseller.getByRole('combobox', { name: 'Pack' }).fill('aceite');
  await reseller.keyboard.press('Enter');
  await reseller.getByRole('textbox', { name: 'Cantidad' }).fill('3');
  await reseller.keyboard.press('Tab');
  await save(reseller, 'nuevo-pedido');

  const carrier = await open(browser, PHONE, accountOf('transportista'));
  await carrier.goto('/pedidos-asignados');
  await save(carrier, 'transportista');

  const client = await connectAs(url, accountOf('revendedor'));
  const { body } = await client.call(listPedidos, { query: { estado: 'pendiente_pago' } });
  const link = body.data.flatMap((pedido) => ('payment_link' in pedido && pedido.payment_link) || [])[0];
  if (!link) throw new Error('The demonstration has no unpaid order of this reseller');
  const customer = await open(browser, PHONE);
  await customer.goto(new URL(link, url).pathname);
  await save(customer, 'cliente');
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

/** Writes what the window shows as WebP, which Playwright does not make by itself. */
async function save(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expectFilled(page);
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  const painter = await page.context().newPage();
  const webp = await painter.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.85).split(',')[1] ?? '';
  }, png);
  await painter.close();
  const bytes = Buffer.from(webp, 'base64');
  if (bytes.length > MAX_BYTES) throw new Error(`${name}.webp has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  writeFileSync(join(FOLDER, `${name}.webp`), bytes);
  console.log(`docs/pictures/${name}.webp ${Math.round(bytes.length / 1000)} KB`);
}

/** Reads the account of a role from what the demonstration prints at its start. */
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
