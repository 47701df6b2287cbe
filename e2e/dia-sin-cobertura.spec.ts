import { createHash } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { listCajas } from '../contract/caja/caja.ts';
import { getCuadre, startCuadre } from '../contract/cuadre/cuadre.ts';
import { PER_PAGE } from '../contract/kit/pages.ts';
import { listPagos } from '../contract/payments/payments.ts';
import { getHistorial, getPedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { getEntrega, sendPrueba } from '../contract/pruebas/pruebas.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { dayInMadrid } from '../test/day.ts';
import { type Arranger, expect, keptVersions, type Person, programOf, row, test } from './fixtures.ts';
import { NEXT } from './next-version.ts';
import { asignados, dialog, draw, inHand } from './transportista.ts';

/* Two carriers work a day without coverage. Each delivery stored on their phones reaches the server once, complete and with its own time. */

const DELIVERIES = Number(process.env.DELIVERIES ?? 6);
const HOUR = 3_600_000;
/** Delay of the phones' clocks in ms, so that deliveries happen long before they are sent. */
const BEHIND = 2 * HOUR;

type Phone = { carrier: Person; orders: Pedido[]; page: Page; context: BrowserContext };
type Pedido = { id: string; numero_orden: string };
/** A delivery as stored in the phone's IndexedDB. */
type Kept = { pedido: string; at: string; file?: string; body: { cobrado?: number; pruebas?: { sha256: string }[] } };

const kept = (page: Page): Promise<Kept[]> =>
  page.evaluate(
    () =>
      new Promise((done, failed) => {
        const asked = indexedDB.open('enruta-bandeja');
        asked.onerror = () => failed(asked.error);
        asked.onsuccess = () => {
          const all = asked.result.transaction('acts').objectStore('acts').getAll();
          all.onsuccess = () => {
            asked.result.close();
            done(all.result);
          };
        };
      }),
  );

async function deliver(page: Page, { numero_orden }: Pedido) {
  const mine = row(asignados(page), numero_orden);
  await mine.getByRole('button', { name: `Completar ${numero_orden}` }).tap();
  const form = dialog(page, 'Completar Entrega');
  await form.getByRole('radio', { name: 'Efectivo' }).tap();
  await form.getByRole('radio', { name: 'En mano' }).tap();
  await form.getByRole('button', { name: 'Firmar' }).tap();
  await draw(page);
  await page.getByRole('button', { name: 'Aceptar firma' }).tap();
  await form.getByRole('button', { name: 'Completar entrega' }).tap();
}

/** Opens every page of the list and runs `work` for each order on the page. The list sorts differently from `orders`. */
async function throughPages(page: () => Page, orders: readonly Pedido[], work: (order: Pedido) => Promise<void> = async () => {}) {
  for (let at = 0; at < orders.length; at += PER_PAGE) {
    await page().goto(`/pedidos-asignados?page=${1 + at / PER_PAGE}`);
    const cards = row(asignados(page()), 'ORD-');
    await expect(cards).toHaveCount(Math.min(PER_PAGE, orders.length - at));
    const text = (await cards.allTextContents()).join();
    for (const order of orders.filter(({ numero_orden }) => text.includes(numero_orden))) await work(order);
  }
}

/** Completes the orders without coverage, and closes the tab halfway. */
async function dayOf(context: BrowserContext, orders: readonly Pedido[]): Promise<Page> {
  let page = await context.newPage();
  let n = 0;
  await throughPages(
    () => page,
    orders,
    async (order) => {
      await deliver(page, order);
      await expect(row(asignados(page), order.numero_orden)).toContainText('Pendiente de enviar');
      n += 1;
      if (n !== Math.ceil(orders.length / 2)) return;
      const address = page.url();
      await page.close();
      page = await context.newPage();
      await page.goto(address);
      await expect(row(asignados(page), order.numero_orden)).toContainText('Pendiente de enviar');
    },
  );
  return page;
}

/** Waits until the program and every page of the list are cached on the phone. */
async function ready(page: Page, orders: readonly Pedido[]) {
  await throughPages(() => page, orders);
  await expect.poll(() => keptVersions(page)).toBe(1);
  await page.reload();
  await throughPages(() => page, orders);
  await page.waitForLoadState('networkidle').catch(() => undefined);
}

/** Lets the first `times` POSTs to each path reach the server, but drops the responses. */
async function loseAnswers(page: Page, times: number): Promise<() => number> {
  let lost = 0;
  for (const path of [setEstado.path, sendPrueba.path]) {
    let left = times;
    await page.route(`**${path.replace(':id', '*')}`, async (route) => {
      if (route.request().method() !== 'POST' || left === 0) return route.continue();
      left -= 1;
      // Ignores a failure: the server may be restarting.
      await route.fetch().catch(() => undefined);
      lost += 1;
      await route.abort();
    });
  }
  return () => lost;
}

async function askForProofAndCash(api: Arranger) {
  const body = { cashOnDelivery: true, proofOfDelivery: true, prueba_en_mano_firma: 'obligatoria' } as const;
  expect((await api.admin.call(updateSettings, { body })).status).toBe(200);
}

async function expectOnServer(api: Arranger, url: string, deliveries: readonly Kept[]) {
  for (const { pedido: id, at, body } of deliveries) {
    const params = { id };
    const { data: pedido } = (await api.admin.call(getPedido, { params })).body;
    expect(pedido).toMatchObject({ estado: 'completado', fecha_completado: at });
    const { data: history } = (await api.admin.call(getHistorial, { params })).body;
    const completed = history.filter(({ estado_nuevo }) => estado_nuevo === 'completado');
    expect(completed).toMatchObject([{ ocurrido_at: at, ocurrido_dicho: null }]);
    const { data: pagos } = (await api.admin.call(listPagos, { params })).body;
    expect(pagos).toMatchObject([{ importe: body.cobrado, estado: 'pagado' }]);
    const { data: entrega } = (await api.admin.call(getEntrega, { params })).body;
    const [announced] = body.pruebas ?? [];
    expect(entrega).toMatchObject({ forma_entrega: 'en_mano', faltan: [], pruebas: [{ tipo: 'firma', sha256: announced?.sha256 }] });
    const cookie = [...api.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const file = await fetch(`${url}${entrega?.pruebas[0]?.url}`, { headers: { cookie } });
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(announced?.sha256);
  }
}

test('@phone deliveries of a day without coverage arrive once, despite killed tabs, lost responses and an update', async ({
  openAs,
  api,
  server,
  allowErrors,
}) => {
  test.setTimeout(240_000 + DELIVERIES * 10_000);
  allowErrors(/Failed to (?:fetch|load resource)/, /ERR_\w+/, /net::/);
  await askForProofAndCash(api);
  const phones: Phone[] = [];
  for (const who of [0, 1]) {
    const carrier = await api.user('transportista');
    const client = await api.as(carrier);
    const orders: Pedido[] = [];
    for (let n = 0; n < DELIVERIES / 2; n += 1) {
      const pack = await api.pack({ pack_price: 10 + who + n * 1.37 });
      orders.push(await inHand(api, client, { pack_id: pack.id, contra_reembolso: true }, 'en_proceso', 'en_ruta'));
    }
    const page = await openAs(carrier);
    phones.push({ carrier, orders, page, context: page.context() });
  }
  // Backdates the history: the phones' clocks are two hours behind, so deliveries would otherwise precede the start of delivery.
  await server.sql(`
    ALTER TABLE pedidos_historial DISABLE TRIGGER USER;
    UPDATE pedidos_historial SET created_at = created_at - interval '6 hours';
    ALTER TABLE pedidos_historial ENABLE TRIGGER USER`);

  const days = phones.map(async ({ page, context, orders }) => {
    await ready(page, orders);
    await page.close();
    await context.setOffline(true);
    await context.addInitScript((behind) => {
      const now = Date.now;
      globalThis.Date = class extends Date {
        constructor(...args: [number]) {
          if (args.length) super(...args);
          else super(now() - behind);
        }
        static override now = () => now() - behind;
      } as DateConstructor;
    }, BEHIND);
    return dayOf(context, orders);
  });
  const pages = await Promise.all(days);
  const done: Kept[][] = [];
  for (const [n, page] of pages.entries()) {
    const acts = await kept(page);
    const steps = acts.filter(({ file }) => file === undefined);
    expect(steps.map(({ pedido }) => pedido).sort()).toEqual(phones[n]?.orders.map(({ id }) => id).sort());
    expect(acts).toHaveLength(2 * steps.length);
    done.push(steps);
  }

  // The second phone's tab is closed. The first phone is sending when the server is killed and updated.
  const [sending, closed] = pages as [Page, Page];
  const [first, second] = phones as [Phone, Phone];
  await closed.close();
  const lost = await loseAnswers(sending, 2);
  await first.context.setOffline(false);
  await expect.poll(lost).toBeGreaterThan(0);
  await server.update();
  await second.context.setOffline(false);
  const opened = await second.context.newPage();
  const lostLater = await loseAnswers(opened, 2);
  // Retries, because a slow server makes the service worker answer with the cached screens of the previous version.
  await expect
    .poll(async () => {
      await opened.goto('/pedidos-asignados');
      return programOf(opened);
    })
    .toContain(NEXT);
  for (const page of [sending, opened]) await expect.poll(async () => (await kept(page)).length, { timeout: 60_000 }).toBe(0);
  expect(lostLater()).toBeGreaterThan(0);
  // The tab that stayed open still runs the previous version.
  expect(await programOf(sending)).not.toContain(NEXT);

  for (const [n, steps] of done.entries()) {
    const carrier = phones[n]?.carrier.id ?? '';
    await expectOnServer(api, server.url, steps);
    const byDay = new Map<string, number>();
    for (const { at, body } of steps) byDay.set(dayInMadrid(at), (byDay.get(dayInMadrid(at)) ?? 0) + Math.round((body.cobrado ?? 0) * 100));
    const { data } = (await api.admin.call(listCajas, { query: { transportista_id: carrier } })).body;
    expect(new Map(data.map(({ dia, esperado }) => [dia, Math.round(esperado * 100)]))).toEqual(byDay);
    expect(data.reduce((sum, { cobros }) => sum + cobros, 0)).toBe(steps.length);
  }
  await api.admin.call(startCuadre);
  await expect.poll(async () => (await api.admin.call(getCuadre)).body.data.ultimo?.diferencias).toEqual([]);
});

test('@phone a delivery with signature and cash takes seven taps besides the signature, each on a large target', async ({
  openAs,
  api,
}) => {
  await askForProofAndCash(api);
  const carrier = await api.user('transportista');
  const order = await inHand(api, await api.as(carrier), { contra_reembolso: true }, 'en_proceso', 'en_ruta');
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  await expect(row(asignados(page), order.numero_orden)).toBeVisible();
  const taps = await page.evaluateHandle(() => {
    const all: { on: string; height: number }[] = [];
    const note = ({ target, isTrusted }: Event) => {
      const on = target instanceof Element && isTrusted && target.closest('button, [role=radio], a, input, label, canvas');
      if (on && !(on instanceof HTMLCanvasElement)) all.push({ on: on.textContent, height: Math.round(on.getBoundingClientRect().height) });
    };
    addEventListener('click', note, true);
    return all;
  });
  await deliver(page, order);
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();
  const made = await taps.jsonValue();
  expect(made.length, JSON.stringify(made)).toBeLessThanOrEqual(7);
  expect(made.length).toBeGreaterThan(4);
  for (const { on, height } of made) expect(height, on).toBeGreaterThanOrEqual(44);
});
