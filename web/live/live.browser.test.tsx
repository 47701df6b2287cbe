import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Topic } from '../../contract/live/live.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { listProducts } from '../../contract/products/products.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, aProduct, listed, pageOf } from '../../test/web/samples.ts';
import { holdWaits } from '../../test/web/waits.ts';
import { setEnded } from '../ended.ts';
import { type LiveMessage, listenLive } from './live-sign.tsx';

/* Live updates on an open screen. The stream is a fake that the test drives. */

let broken: boolean;
let streams: Stream[];
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  onopen: (() => void) | undefined;
  onerror: (() => void) | undefined;
  /** When the stream was asked for, by the clock of the page. */
  readonly asked = performance.now();
  readonly address: string;
  constructor(address: string) {
    super();
    this.address = address;
    streams.push(this);
    queueMicrotask(() => (broken ? this.breaks() : this.onopen?.()));
  }
  /** Breaks for good: the browser does not reconnect. */
  breaks() {
    this.readyState = Stream.CLOSED;
    this.onerror?.();
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
}
vi.stubGlobal('EventSource', Stream);
beforeEach(() => {
  [broken, streams] = [false, []];
  setEnded(false);
});
/** Announces a change of `topic`. */
const tell = (topic: Topic) => streams.at(-1)?.dispatchEvent(new MessageEvent('change', { data: topic }));
const heard = () => expect.poll(() => streams, { timeout: 5_000 }).toHaveLength(1);
const sign = page.getByText('Sin conexión en directo: los datos se actualizan cada poco');

test('an open list of orders shows a new order at once', async () => {
  const old = aPedido();
  server.answer(listPedidos, pageOf([old]));
  open('/pedidos');
  await heard();
  await expect.element(row(old.numero_orden)).toBeVisible();
  const fresh = aPedido({ cliente_nombre: 'Begoña Etxeberria' });
  server.answer(listPedidos, pageOf([fresh, old]));
  tell('pedidos');
  await expect.element(row(fresh.numero_orden)).toMatchTextContent('Begoña Etxeberria');
});

test('the live stream is requested with the age of its page, which does not grow on the way', async () => {
  open('/pedidos');
  await heard();
  const [stream] = streams;
  const age = Number(new URL(stream?.address ?? '', 'http://enruta').searchParams.get('edad'));
  // The answer comes late; what the server compares is the age at the request.
  expect(Math.abs(age - (stream?.asked ?? 0))).toBeLessThan(50);
});

test('a second tab hears what changed while its page loaded', async () => {
  open('/pedidos');
  await heard();
  tell('products');
  const messages: LiveMessage[] = [];
  const stop = listenLive((message) => messages.push(message));
  await expect.poll(() => messages).toContainEqual({ kind: 'change', topic: 'products' });
  stop();
});

test('an open stock list shows a booking made elsewhere', async () => {
  const product = aProduct({ name: 'Garbanzo', stock: 39 });
  server.answer(listProducts, listed([product]));
  open('/control-stock');
  await heard();
  await expect.element(row('Garbanzo')).toMatchTextContent('39');
  server.answer(listProducts, listed([{ ...product, stock: 512 }]));
  tell('products');
  await expect.element(row('Garbanzo')).toMatchTextContent('512');
});

test('the bell counts a new notification without a reload', async () => {
  open('/pedidos');
  await heard();
  const bell = page.getByRole('button', { name: /^Avisos/ });
  await expect.element(bell).toHaveAccessibleName('Avisos');
  server.answer(listNotifications, { data: [], unread: 1 });
  tell('notifications');
  await expect.element(bell).toHaveAccessibleName('Avisos: 1 sin leer');
});

test('a phone whose session has ended does not open the live stream until touched', async () => {
  const patience = holdWaits(4_000);
  open('/pedidos');
  await heard();
  setEnded(true);
  const later = Date.now() + 60_000;
  vi.spyOn(Date, 'now').mockImplementation(() => later);
  streams[0]?.breaks();
  for (let i = 0; i < 5; i++) patience();
  expect(streams).toHaveLength(1);
  await userEvent.keyboard(' ');
  patience();
  expect(streams).toHaveLength(2);
});

test('a sign shows that the live stream is cut, and the screens poll until the stream is back', async () => {
  const patience = holdWaits(4_000);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [known, missed, late] = [aPedido(), aPedido(), aPedido()];
  server.answer(listPedidos, pageOf([known]));
  open('/pedidos');
  await heard();
  await expect.element(row(known.numero_orden)).toBeVisible();
  await expect.element(sign).not.toBeInTheDocument();

  broken = true;
  streams[0]?.breaks();
  await expect.element(sign).not.toBeInTheDocument();
  patience();
  await expect.element(sign).toBeInTheDocument();
  await expectAccessible();

  server.answer(listPedidos, pageOf([missed, known]));
  await expect.element(row(missed.numero_orden)).not.toBeInTheDocument();
  vi.advanceTimersByTime(20_000);
  await expect.element(row(missed.numero_orden)).toBeVisible();
  await expect.element(sign).toBeInTheDocument();

  broken = false;
  server.answer(listPedidos, pageOf([late, missed, known]));
  patience();
  await expect.element(sign).not.toBeInTheDocument();
  await expect.element(row(late.numero_orden)).toBeVisible();
});
