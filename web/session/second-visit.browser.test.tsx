import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { pedidoDisponible, pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { listPacks } from '../../contract/products/products.ts';
import { ANSWERS_DB } from '../../contract/session/fields.ts';
import { getUser, logout, type SessionUser } from '../../contract/session/session.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { listDisponibles } from '../../contract/transportista/transportista.ts';
import { address, close, onPhone, open, person } from '../../test/web/app.tsx';
import { emptyAnswer, server } from '../../test/web/fake-server.ts';
import { leaveKept } from '../../test/web/kept.ts';
import { row } from '../../test/web/list.ts';
import { aPack, aPedido, listed, pageOf } from '../../test/web/samples.ts';
import { passTime } from '../../test/web/waits.ts';
import { queryClient, SESSION_KEY } from '../api.ts';
import { lastSession } from '../outbox/answers.ts';

/* The second visit shows what the device has cached, until the server's response replaces it. */

const carrier = person('transportista');
const reseller: SessionUser = { ...person('revendedor'), conserva: true };
const mine = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: carrier.id, cliente_nombre: 'Begoña Sáez' }));
const sold = aPedido({ revendedor_id: reseller.id, cliente_nombre: 'Pilar Otero' });
const free = pedidoDisponible.parse(aPedido({ cliente_nombre: 'Ramón Gil' }));
const AGE = 'de hace 2 min';

/** Opens the program as in a new page: the age of cached data is shown only for data older than the page. */
function visit(path: string, user: SessionUser): void {
  vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(Date.now());
  open(path, user.role, user);
}
const kept = async () => (await indexedDB.databases()).some(({ name }) => name === ANSWERS_DB);

/** Opens a screen, closes the program, and leaves on the device what a killed tab would leave of two minutes ago. */
async function visited(path: string, user: SessionUser, seen: Locator): Promise<void> {
  await onPhone();
  visit(path, user);
  await expect.element(seen).toBeVisible();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await expect.poll(async () => (await lastSession())?.session.user.id).toBe(user.id);
  const stored = queryClient.getQueryCache().getAll();
  const answers = stored.flatMap(({ queryKey, state: { data } }) =>
    data && queryKey[0] !== SESSION_KEY[0] ? [[queryKey, data] as const] : [],
  );
  close();
  await expect.poll(kept).toBe(false);
  localStorage.setItem('enruta-respuestas-de', user.id);
  for (const answer of answers) await leaveKept(user, answer, Date.now() - 120_000);
}

const stats = (disponibles: number) => ({ data: { ...emptyAnswer(transportistaStats).data, disponibles } });
const SCREENS = [
  [
    '/pedidos-asignados',
    carrier,
    () => row('Begoña Sáez'),
    () => server.answer(listPedidos, pageOf([mine])),
    () => server.answer(listPedidos, pageOf([])),
  ],
  [
    '/mis-pedidos',
    reseller,
    () => row('Pilar Otero'),
    () => server.answer(listPedidos, pageOf([sold])),
    () => server.answer(listPedidos, pageOf([])),
  ],
  [
    '/pedidos-disponibles',
    carrier,
    () => row('Ramón Gil'),
    () => server.answer(listDisponibles, pageOf([free])),
    () => server.answer(listDisponibles, pageOf([])),
  ],
  [
    '/transportista-dashboard',
    carrier,
    () => page.getByText('417'),
    () => server.answer(transportistaStats, stats(417)),
    () => server.answer(transportistaStats, stats(3)),
  ],
  [
    '/pedidos/nuevo',
    reseller,
    () => page.getByPlaceholder('Elige un pack'),
    () => server.answer(listPacks, listed([aPack({ available: true })])),
    () => server.answer(listPacks, listed([])),
  ],
] as const;

test.each(SCREENS)('%s shows what the device has cached and its age, until the server answers', async (path, user, seen, before, after) => {
  before();
  await visited(path, user, seen().first());
  after();
  const release = server.silent();
  visit(path, user);
  await expect.element(seen().first()).toBeVisible();
  await expect.element(page.getByText(AGE)).toBeVisible();
  release();
  await expect.element(seen()).not.toBeInTheDocument();
  await expect.element(page.getByText(AGE)).not.toBeInTheDocument();
});

/** Holds back every read of the cached answers, as slow storage does. Returns a function that releases them. */
async function holdStorage(): Promise<() => void> {
  const db = await openDB(ANSWERS_DB);
  const { store } = db.transaction('session', 'readwrite');
  let held = true;
  void (async () => {
    while (held) await store.get('last');
    db.close();
  })();
  return () => {
    held = false;
  };
}

test('cached lists are shown although the server has said first whose session it is', async () => {
  server.answer(listPedidos, pageOf([mine]));
  await visited('/pedidos-asignados', carrier, row('Begoña Sáez'));
  const read = await holdStorage();
  const release = server.hold(listPedidos);
  const asked = server.asked(getUser).length;
  visit('/pedidos-asignados', carrier);
  await expect.poll(() => server.asked(getUser).length).toBeGreaterThan(asked);
  await new Promise(requestAnimationFrame);
  read();
  await expect.element(row('Begoña Sáez')).toBeVisible();
  release();
});

test('storage that never answers keeps nobody out', async () => {
  server.answer(listPedidos, pageOf([mine]));
  await visited('/pedidos-asignados', carrier, row('Begoña Sáez'));
  const read = await holdStorage();
  visit('/pedidos-asignados', carrier);
  await expect.element(row('Begoña Sáez')).toBeVisible();
  read();
});

test('data that the open page has read shows no age', async () => {
  server.answer(listPedidos, pageOf([mine]));
  await onPhone();
  visit('/pedidos-asignados', carrier);
  await expect.element(row('Begoña Sáez')).toBeVisible();
  passTime(120_000);
  server.silent();
  void queryClient.invalidateQueries();
  await expect.poll(() => queryClient.isFetching()).toBeGreaterThan(0);
  // The sign is drawn with the next frame.
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  expect(page.getByText(/de hace/).elements()).toEqual([]);
});

test('no row moves while a finger is on the screen', async () => {
  server.answer(listPedidos, pageOf([mine]));
  await visited('/pedidos-asignados', carrier, row('Begoña Sáez'));
  const other: PedidoTransportista = {
    ...mine,
    id: '00000000-0000-4000-8000-0000000000c7',
    numero_orden: 'ORD-1',
    fecha_estimada: '2020-01-01T10:00:00.000Z',
  };
  server.answer(listPedidos, pageOf([other, mine]));
  const release = server.silent();
  visit('/pedidos-asignados', carrier);
  const old = row(mine.numero_orden);
  await expect.element(old).toBeVisible();
  const top = () => old.element().getBoundingClientRect().top;
  const finger = (type: string) => old.element().dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0 }));
  finger('pointerdown');
  const place = top();
  release();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await new Promise(requestAnimationFrame);
  expect(top()).toBe(place);
  finger('pointerup');
  await expect.element(row('ORD-1')).toBeVisible();
  expect(top()).toBeGreaterThan(place);
});

test('a reseller’s cached lists are deleted at sign-out', async () => {
  server.answer(listPedidos, pageOf([sold]));
  await visited('/mis-pedidos', reseller, row('Pilar Otero'));
  visit('/mis-pedidos', reseller);
  await expect.element(row('Pilar Otero')).toBeVisible();
  expect(await kept()).toBe(true);
  server.answer(logout, asDone('Hasta luego', undefined as never));
  await page.getByRole('button', { name: /Rita Sanz/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(address).toBe('/auth');
  await expect.poll(kept).toBe(false);
});

test.each(['with', 'without'])('a reseller’s cached lists are not shown after the end of the session, %s a cookie', async (how) => {
  server.answer(listPedidos, pageOf([sold]));
  await visited('/mis-pedidos', reseller, row('Pilar Otero'));
  server.endSession();
  open('/mis-pedidos', how === 'with' ? 'revendedor' : 'nobody');
  await expect.element(page.getByRole('button', { name: 'Iniciar Sesión' })).toBeVisible();
  await expect.element(row('Pilar Otero')).not.toBeInTheDocument();
  await expect.poll(kept).toBe(false);
});

test('a device that another person has used since shows nothing of the first, even behind a silent server', async () => {
  server.answer(listPedidos, pageOf([sold]));
  await visited('/mis-pedidos', reseller, row('Pilar Otero'));
  localStorage.setItem('enruta-respuestas-de', carrier.id);
  const release = server.silent();
  visit('/pedidos-asignados', carrier);
  await expect.element(page.getByText('Pilar Otero')).not.toBeInTheDocument();
  server.answer(listPedidos, pageOf([mine]));
  release();
  await expect.element(row('Begoña Sáez')).toBeVisible();
  await expect.poll(async () => (await lastSession())?.session.user.id).toBe(carrier.id);
});
