import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit.ts';
import { pedidoTransportista } from '../../contract/pedidos.schemas.ts';
import { listPedidos } from '../../contract/pedidos.ts';
import { ANSWERS_DB, getUser, logout } from '../../contract/session.ts';
import { onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { call, queryClient, SESSION_KEY } from '../api.ts';
import { lastSession } from './answers.ts';

/* What a carrier sees when the program opens without coverage. */

const me = person('transportista');
const mine = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name }));
const kept = async () => (await indexedDB.databases()).some(({ name }) => name === ANSWERS_DB);

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
}

test('opens without coverage on what the carrier last saw, for twelve hours', async () => {
  await seen();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11.9 * 3_600_000 });
  expect((await lastSession())?.session.user.id).toBe(me.id);
  vi.setSystemTime(Date.now() + 0.2 * 3_600_000);
  expect(await lastSession()).toBeUndefined();
  await expect.poll(kept).toBe(false);
});

test('is gone when the session has ended, and at sign-out', async () => {
  await seen();
  queryClient.setQueryData(SESSION_KEY, null);
  await expect.poll(kept).toBe(false);
  await seen();
  server.answer(logout, asDone('Hasta luego', undefined as never));
  await page.getByRole('button', { name: /Tomás Gil/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(() => location.pathname).toBe('/auth');
  await expect.poll(kept).toBe(false);
});

test('drops what another person was answered', async () => {
  const db = await openDB(ANSWERS_DB, 1, {
    upgrade: (made) => {
      for (const name of ['answers', 'session']) made.createObjectStore(name);
    },
  });
  await db.put('session', { session: { user: { ...me, id: 'otra' } }, at: Date.now() }, 'last');
  await db.put('answers', { key: [listPedidos.path], data: {}, at: Date.now() }, 'de otra');
  await onPhone();
  open('/pedidos-asignados', 'transportista');
  await expect.poll(async () => (await db.get('session', 'last')).session.user.id).toBe(me.id);
  expect(await db.getAllKeys('answers')).not.toContain('de otra');
  db.close();
});

test('is gone at sign-out also while nothing is being kept', async () => {
  (await openDB(ANSWERS_DB, 1)).close();
  expect(await kept()).toBe(true);
  open('/pedidos', 'superadmin');
  server.answer(logout, asDone('Hasta luego', undefined as never));
  await page.getByRole('button', { name: /Ada Ruiz/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(() => location.pathname).toBe('/auth');
  await expect.poll(kept).toBe(false);
});

test('stays when a reading of the settings leaves memory, and has the settings as last seen', async () => {
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

test('others keep nothing', async () => {
  open('/pedidos', 'superadmin');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await kept()).toBe(false);
});
