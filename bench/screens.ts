import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { measureScreens } from './browser.ts';
import { measureInp } from './inp.ts';
import { unpaidPage } from './pagar.ts';
import { ADMIN, CARRIER, RESELLER } from './people.ts';
import { run, serve } from './process.ts';
import { measureSlow } from './slow.ts';

/* `npm run bench:screens [orders] [table|press|slow]`: measures only the browser, on a shop of 20,000 orders by default. */

const [, , ORDERS = '20000', part] = process.argv;
const DATA_DIR = mkdtempSync(join(tmpdir(), 'enruta-screens-'));
const env = { DATA_DIR, SECRET_KEY: 'only for the bench: thirty-two characters' };
try {
  await run('bench/fill.ts', [ORDERS], env);
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { stop } = await serve('server/main.ts', { ...env, PORT: port, LOG_LEVEL: 'error' }, `${url}/readyz`);
  const wanted = (name: string) => part === undefined || part === name;
  if (wanted('table')) console.table(await measureScreens(url, ADMIN));
  if (wanted('press')) console.table(await measureInp(url, { admin: ADMIN, carrier: CARRIER }));
  if (wanted('slow'))
    for await (const screen of measureSlow(url, { carrier: CARRIER, reseller: RESELLER, pagar: await unpaidPage(url) }))
      console.table([screen]);
  await stop();
} finally {
  rmSync(DATA_DIR, { recursive: true, force: true });
}
