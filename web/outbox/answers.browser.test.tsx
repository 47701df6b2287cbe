import { openDB } from 'idb';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { ANSWERS_DB } from '../../contract/session/fields.ts';
import { getCsrfToken, getUser, logout } from '../../contract/session/session.ts';
import { close, onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { leaveKept } from '../../test/web/kept.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { call, queryClient, SESSION_KEY } from '../api.ts';
import { fetchSession } from '../session/session.ts';
import { dropSuspended } from '../session/suspended.ts';
import { lastSession, storeAnswers } from './answers.ts';

/* Cached answers, which a carrier sees when the program opens without coverage. */

// Prevents the suspended screen from staying in memory for the next test.
afterEach(dropSuspended);
const me = person('transportista');
const mine = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name }));
const ANOTHER = '00000000-0000-4000-8000-0000000000b1';
const kept = async () => (await indexedDB.databases()).some(({ name }) => name === ANSWERS_DB);
async function storedKeys() {
  const db = await openDB(ANSWERS_DB);
  const keys = await db.getAllKeys('answers');
  db.close();
  return keys;
}

async function seen() {
  await onPhone();
  server.answer(listPedidos, pageOf([mine]));
  open('/pedidos-asignados', 'transportista');
  await expect.element(row(mine.numero_orden)).toBeVisible();
  await expect.poll(async () => (await lastSession())?.session.user.id).toBe(me.id);
  queryClient.removeQueries({ queryKey: SESSION_KEY });
  await expect.poll(kept).toBe(false);
  reload('transportista');
  await expect.element(row(mine.numero_orden)).toBeVisible();
  await expect.poll(async () => (await lastSession())?.session.user.id).toBe(me.id);
  // An answer that comes after a test has moved the clock would be younger. The comments come last.
  await expect.poll(() => server.asked(getUser).length).toBe(2);
  await expect.poll(storedKeys).toContainEqual(expect.stringContaining(listComentarios.path));
  await expect.poll(() => queryClient.isFetching()).toBe(0);
}

const HOUR = 3_600_000;

test('cached answers last for twelve hours by the server’s clock', async () => {
  await seen();
  server.ahead(11.9 * HOUR);
  await call(getCsrfToken);
  expect((await lastSession())?.session.user.id).toBe(me.id);
  server.ahead(12.1 * HOUR);
  await call(getCsrfToken);
  expect(await lastSession()).toBeUndefined();
  await expect.poll(kept).toBe(false);
});

test('an answer counts from its arrival, even if the phone is slow to store the answer', async () => {
  await seen();
  // The phone opens its store only after the upgrade, which waits for this connection.
  const other = await openDB(ANSWERS_DB);
  const upgrade = indexedDB.open(ANSWERS_DB, 2);
  upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
  await queryClient.refetchQueries({ queryKey: [listPedidos.path] });
  server.ahead(11.9 * HOUR);
  await call(getCsrfToken);
  other.close();
  expect((await lastSession())?.session.user.id).toBe(me.id);
  server.ahead(12.1 * HOUR);
  await call(getCsrfToken);
  expect(await lastSession()).toBeUndefined();
});

test('cached answers survive a phone clock that is put forward, but not two days without the server', async () => {
  await seen();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * HOUR });
  expect((await lastSession())?.session.user.id).toBe(me.id);
  expect((await lastSession(null))?.session.user.id).toBe(me.id);
  vi.setSystemTime(Date.now() + 24 * HOUR);
  expect((await lastSession())?.session.user.id).toBe(me.id);
  expect(await lastSession(null)).toBeUndefined();
});

test('cached answers are deleted when the session has ended and twelve hours have passed at the server', async () => {
  await seen();
  close();
  await leaveKept(me, [[listPedidos.path], {}]);
  server.offline(true);
  reload('transportista');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  server.ahead(13 * HOUR);
  server.endSession();
  server.offline(false);
  await expect.element(page.getByRole('button', { name: 'Iniciar Sesión' })).toBeVisible();
  await expect.poll(kept).toBe(false);
});

test('cached answers outlast the end of the session, and are deleted at sign-out', async () => {
  await seen();
  server.endSession();
  await queryClient.invalidateQueries({ queryKey: [listPedidos.path] });
  await expect.element(page.getByText('Tu sesión ha terminado')).toBeVisible();
  await expect.element(row(mine.numero_orden)).toBeVisible();
  expect(await kept()).toBe(true);
  server.answer(logout, asDone('Hasta luego', undefined as never));
  await page.getByRole('button', { name: /Tomás Gil/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(() => location.pathname).toBe('/auth');
  await expect.poll(kept).toBe(false);
});

/** Leaves another carrier's session and customers in the cache, as a killed tab does. */
const leftByAnother = () => leaveKept({ ...me, id: ANOTHER, full_name: 'Pepe Ríos' }, [[listPedidos.path], {}]);

/** Expects that the program shows nothing without coverage if the other carrier's answers were not deleted in time. */
async function expectNoneWithoutCoverage(): Promise<void> {
  close();
  await leftByAnother();
  server.offline(true);
  await expect(fetchSession()).rejects.toThrow('Sin conexión a Internet');
  expect(queryClient.getQueryData([listPedidos.path])).toBeUndefined();
}

test.each(['with', 'without'])('cached answers of another person are deleted %s that person’s session in the cache', async (how) => {
  await leftByAnother();
  const left = await openDB(ANSWERS_DB);
  if (how === 'without') await left.clear('session');
  left.close();
  // Names this person as owner: another owner would make the program delete the whole database.
  localStorage.setItem('enruta-respuestas-de', me.id);
  await onPhone();
  open('/pedidos-asignados', 'transportista');
  await expect.poll(async () => (await lastSession())?.session.user.id).toBe(me.id);
  expect(await storedKeys()).not.toContain(JSON.stringify([listPedidos.path]));
});

test('cached answers are deleted when another person signs in, even if that person’s role caches nothing', async () => {
  await leftByAnother();
  open('/mis-pedidos', 'revendedor');
  await expect.element(page.getByRole('button', { name: /Rita Sanz/ })).toBeVisible();
  await expect.poll(kept).toBe(false);
  await expectNoneWithoutCoverage();
});

test('cached answers are not shown to another carrier whose tab was killed before caching anything', async () => {
  await leftByAnother();
  open('/pedidos-asignados', 'transportista');
  await expect.poll(() => queryClient.getQueryData(SESSION_KEY)).toMatchObject({ id: me.id });
  await expectNoneWithoutCoverage();
});

test('cached answers stay deleted after sign-out, even while a screen is loading', async () => {
  await seen();
  const known = await lastSession();
  if (!known) throw new Error('nothing kept');
  queryClient.setQueryData(SESSION_KEY, null);
  await expect.poll(kept).toBe(false);
  await storeAnswers(known);
  expect(await kept()).toBe(false);
});

test('cached answers are deleted at sign-out even if this person’s role caches nothing', async () => {
  open('/pedidos', 'superadmin');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await leftByAnother();
  server.answer(logout, asDone('Hasta luego', undefined as never));
  await page.getByRole('button', { name: /Ada Ruiz/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(() => location.pathname).toBe('/auth');
  await expect.poll(kept).toBe(false);
});

test('cached answers contain the latest settings, and survive garbage collection of the settings', async () => {
  await seen();
  const known = (await lastSession())?.session;
  if (!known) throw new Error('nothing kept');
  const reading = [...SESSION_KEY, getUser.path, undefined];
  const negocio = { ...known.negocio, avisos: { tienda: 'Almazara', canales: ['sms' as const], textos: {} } };
  server.answer(getUser, { ...known, negocio });
  await queryClient.fetchQuery({ queryKey: reading, queryFn: () => call(getUser) });
  await expect.poll(async () => (await lastSession())?.session.negocio.avisos?.tienda).toBe('Almazara');
  queryClient.removeQueries({ queryKey: reading });
  expect(await kept()).toBe(true);
  expect((await lastSession())?.session.user.id).toBe(me.id);
});

test('roles other than carriers cache no answers', async () => {
  open('/pedidos', 'superadmin');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await kept()).toBe(false);
});
