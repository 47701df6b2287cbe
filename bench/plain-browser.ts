import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHROMIUM_ARGS, findChromium } from '../e2e/chromium.ts';

type Conditions = { line: object; slower: number; viewport: { width: number; height: number } };
type Message = {
  id?: number;
  method?: string;
  params?: { sessionId: string; targetInfo: { type: string } };
  result?: Record<string, unknown>;
};

const READ = 'document.readyState && globalThis.thereAt';
/** Notes when an element first fits `selector`, and has been painted. */
const watch = (selector: string) => `{
  const look = () => document.querySelector(${JSON.stringify(selector)})?.checkVisibility()
    ? requestAnimationFrame(() => setTimeout(() => { globalThis.thereAt = performance.now(); }))
    : requestAnimationFrame(look);
  requestAnimationFrame(look);
}`;
const PATIENCE_MS = 20_000;

/**
 * A started browser with the profile `folder`, driven without Playwright, whose connection makes the browser compile the program twice: for the
 * lines of stacks that nobody reads (0.15 to 0.3 s of a second visit on a slow processor). `visit` opens an address in a new window and returns
 * the seconds until `selector` is painted; NaN after 20.
 */
export async function startPlainBrowser(folder: string, { line, slower, viewport }: Conditions) {
  const portFile = join(folder, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const args = [...CHROMIUM_ARGS, '--headless', '--lang=es-ES', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
  const child = spawn(findChromium(), args, { stdio: 'ignore' });
  const exited = new Promise((done) => child.once('exit', done));
  const [port, path] = await readPort(portFile);
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  await new Promise((done) => socket.addEventListener('open', done, { once: true }));
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  const send = (method: string, params: object = {}, sessionId?: string) =>
    new Promise<Record<string, unknown>>((done) => {
      last += 1;
      waiting.set(last, ({ result }) => done(result ?? {}));
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
  const slowLine = async (sessionId: string) => {
    await send('Network.enable', {}, sessionId);
    await send('Network.emulateNetworkConditions', line, sessionId);
  };
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id) waiting.get(message.id)?.(message);
    // The requests of a service worker do not count as the page's.
    if (message.method === 'Target.attachedToTarget' && message.params?.targetInfo.type === 'service_worker')
      void slowLine(message.params.sessionId);
  });
  await send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: true,
    filter: [{ type: 'service_worker' }, { exclude: true }],
  });

  async function visit(address: string, selector: string): Promise<number> {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const page = (method: string, params: object = {}) => send(method, params, String(sessionId));
    await page('Page.enable');
    await slowLine(String(sessionId));
    await page('Emulation.setCPUThrottlingRate', { rate: slower });
    await page('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 2, mobile: true });
    await page('Page.addScriptToEvaluateOnNewDocument', { source: watch(selector) });
    await page('Page.navigate', { url: address });
    const until = performance.now() + PATIENCE_MS;
    let ms: unknown;
    while (ms === undefined && performance.now() < until) {
      await pause(200);
      ms = ((await page('Runtime.evaluate', { expression: READ })).result as { value?: number } | undefined)?.value;
    }
    await send('Target.closeTarget', { targetId });
    return typeof ms === 'number' ? ms / 1000 : Number.NaN;
  }
  return {
    visit,
    close: async () => {
      void send('Browser.close');
      await exited;
    },
  };
}

/** Reads the port and path of the browser's connection, which it writes once it listens. */
async function readPort(file: string): Promise<string[]> {
  for (let i = 0; i < 100; i += 1) {
    try {
      return readFileSync(file, 'utf8').split('\n');
    } catch {
      await pause(100);
    }
  }
  throw new Error('The browser has not started');
}
