import { type ChildProcess, spawn } from 'node:child_process';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import type { Person } from '../../e2e/api.ts';
import { CHROMIUM_ARGS, findChromium } from '../../e2e/chromium.ts';
import { asignados } from '../../e2e/transportista.ts';

/* A carrier's phone: a browser with a profile on the disk, whose tabs and processes can be killed. */

const SIZE = { width: 390, height: 844 };
/** Longest wait for the effect of a tap. */
const TAP_MS = 8000;
const OPEN_MS = 20_000;
const WELL = /(?:Pedidos Asignados)/;

const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach(killGroup));

type Running = { child: ChildProcess; browser: Browser; context: BrowserContext };
/** Operation of the outbox as stored. */
export type Stored = { pedido: string; numero: string; label: string; state: string; reason: string | null; faults?: number };

/** `url`: address of the phone's own line to the server. */
export function createPhone(url: string, person: Person, profile: string) {
  let running: Running | undefined;
  let page: Page | undefined;
  const kills = { tab: 0, browser: 0 };
  let signIns = 0;

  async function launch(): Promise<Running> {
    const flags = [`--user-data-dir=${profile}`, '--remote-debugging-port=0', '--headless=new', '--touch-events=enabled', '--lang=es-ES'];
    const child = spawn(findChromium(), [...CHROMIUM_ARGS, ...flags], {
      env: { ...process.env, TZ: 'Europe/Madrid' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    started.add(child);
    const address = await addressOf(child);
    const browser = await chromium.connectOverCDP(address);
    return { child, browser, context: browser.contexts()[0] as BrowserContext };
  }

  async function open(): Promise<Page> {
    if (page && !page.isClosed()) return page;
    running ??= await launch();
    const tab = await running.context.newPage();
    tab.setDefaultTimeout(TAP_MS);
    await tab.setViewportSize(SIZE);
    await tab.emulateMedia({ reducedMotion: 'reduce' });
    page = tab;
    await tab.goto(`${url}/pedidos-asignados`, { timeout: OPEN_MS, waitUntil: 'commit' });
    return tab;
  }

  async function signIn(tab: Page): Promise<void> {
    signIns += 1;
    await tab.getByLabel('Email o usuario').fill(person.email);
    await tab.getByLabel('Contraseña', { exact: true }).fill(person.password);
    await tab.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await tab.getByLabel('Contraseña', { exact: true }).waitFor({ state: 'detached' });
  }

  return {
    kills,
    signIns: () => signIns,
    person,
    open,
    /** Returns the tab if the list appears within seconds. `isWell`: the line works, so signing in can succeed. */
    async list(isWell: boolean): Promise<Page | undefined> {
      const tab = await open();
      await press(tab, 'Entendido');
      if (isWell && (await press(tab, 'Entrar'))) await tab.getByLabel('Email o usuario').waitFor();
      if (isWell && (await tab.getByLabel('Email o usuario').isVisible())) await signIn(tab);
      const heading = tab.getByRole('heading', { level: 1, name: WELL });
      const seen = await heading.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      // Closes an error page of the browser or a page of a captive portal, so that the next call opens the list again.
      if (!seen && !(await tab.getByLabel('Email o usuario').isVisible())) await tab.close();
      return seen ? tab : undefined;
    },
    /** Closes the tab without warning, as Android does when memory is low, or kills the whole browser. */
    async kill(what: 'tab' | 'browser'): Promise<void> {
      kills[what] += 1;
      const tab = page;
      page = undefined;
      if (what === 'tab') return void (await tab?.close().catch(() => undefined));
      const was = running;
      running = undefined;
      if (!was) return;
      killGroup(was.child);
      await was.browser.close().catch(() => undefined);
    },
    stored: async (): Promise<Stored[]> => (await open()).evaluate(readStore),
    async close(): Promise<void> {
      if (running) killGroup(running.child);
      await running?.browser.close().catch(() => undefined);
    },
  };
}
export type Phone = ReturnType<typeof createPhone>;

/** Presses a button if it is on the screen; returns true if so. */
export async function press(tab: Page, name: string): Promise<boolean> {
  const button = tab.getByRole('button', { name, exact: true });
  if (!(await button.isVisible())) return false;
  await button.click({ timeout: 2000 }).catch(() => undefined);
  return true;
}

/** Text of the listed orders, which contains their numbers. */
export const listed = async (tab: Page): Promise<string> => (await asignados(tab).allTextContents()).join();

/** Reads the store only if it exists: opening would create an empty store. */
async function readStore(): Promise<Stored[]> {
  const name = 'enruta-bandeja';
  if (!(await indexedDB.databases()).some((database) => database.name === name)) return [];
  return new Promise((done, failed) => {
    const asked = indexedDB.open(name);
    asked.onerror = () => failed(asked.error);
    asked.onsuccess = () => {
      const all = asked.result.transaction('acts').objectStore('acts').getAll();
      all.onerror = () => failed(all.error);
      all.onsuccess = () => {
        asked.result.close();
        done(all.result);
      };
    };
  });
}

function killGroup(child: ChildProcess): void {
  const { pid } = child;
  started.delete(child);
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The browser has already ended.
  }
}

/** Returns the browser's DevTools address, which the browser prints when it starts. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let output = '';
    child.stderr?.on('data', (chunk) => {
      output += chunk;
      const [, address] = /DevTools listening on (ws:\S+)/.exec(output) ?? [];
      if (address) done(address);
    });
    child.once('exit', (code) => failed(new Error(`The browser ended with ${code}: ${output.slice(-500)}`)));
  });
}
