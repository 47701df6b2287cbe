import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { getUser, type SessionUser } from '../../contract/session/session.ts';
import { address, close, onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { leaveKept } from '../../test/web/kept.ts';
import { row } from '../../test/web/list.ts';
import { operation } from '../../test/web/operations.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { queryClient } from '../api.ts';
import { lastSession } from '../outbox/answers.ts';
import { setHeld } from '../outbox/held.ts';
import { stopOutbox } from '../outbox/outbox.ts';
import { openStore } from '../outbox/store.ts';
import { dropSuspended } from './suspended.ts';

/* A carrier opens the program on a connection that loses requests. */

const me = person('transportista');
const settings = (compactMode: boolean) => ({ timezone: 'Europe/Madrid', theme: 'light' as const, primaryColor: '#3b82f6', compactMode });
const named = (name: RegExp) => page.getByRole('button', { name });

// Loads the modules first, so that loading does not count towards the timeouts below.
beforeAll(async () => void (await Promise.all([import('../shell/shell.tsx'), import('../transportista/asignados.page.tsx')])));
// Prevents the suspended screen from staying in memory for the next test.
afterEach(dropSuspended);
beforeEach(async () => {
  await onPhone();
  await leaveKept(me, [['/api/nada'], {}]);
});

/** Opens the list while the request of the session is held. The later response names `user`, or is a 401. */
async function openOnBadLine(user?: SessionUser): Promise<() => void> {
  open('/pedidos-asignados', 'transportista');
  if (user) server.answer(getUser, { user, negocio: settings(true) });
  else server.refuse(getUser, 401, { message: 'Usuario no autenticado' });
  const release = server.hold(getUser);
  await expect.element(page.getByRole('heading', { level: 1 }), { timeout: 5000 }).toBeVisible();
  await expect.element(named(/Tomás Gil/)).toBeVisible();
  return release;
}

test('the cached list opens within seconds, and settings that arrive later are applied', async () => {
  const release = await openOnBadLine(me);
  release();
  await expect.poll(async () => (await lastSession())?.session.negocio.compactMode).toBe(true);
  expect(address()).toBe('/pedidos-asignados');
  expect(server.asked(getUser)).toHaveLength(1);
});

test('a late response about an ended session offers to sign in above the cached list', async () => {
  const release = await openOnBadLine();
  release();
  await expect.element(page.getByText('Tu sesión ha terminado')).toBeVisible();
  await expect.element(named(/Tomás Gil/)).toBeVisible();
  expect(address()).toBe('/pedidos-asignados');
  expect((await lastSession())?.session.user.id).toBe(me.id);
  await named(/^Entrar$/).click();
  await expect.poll(address).toMatch(/^\/auth/);
  await named(/^Volver a la lista$/).click();
  await expect.poll(address).toBe('/pedidos-asignados');
  await expect.element(named(/Tomás Gil/)).toBeVisible();
});

test('the cached list opens without a session cookie, as after closing the browser', async () => {
  open('/pedidos-asignados', 'nobody');
  await expect.element(named(/Tomás Gil/)).toBeVisible();
  await expect.element(page.getByText('Tu sesión ha terminado')).toBeVisible();
});

test('a late response for another person replaces the cached list', async () => {
  const release = await openOnBadLine({ ...person('revendedor') });
  release();
  await expect.element(named(/Rita Sanz/)).toBeVisible();
  await expect.element(named(/Tomás Gil/)).not.toBeInTheDocument();
  await expect.poll(address).not.toBe('/pedidos-asignados');
  await expect.poll(() => lastSession()).toBeUndefined();
});

test('the cached list opens while the server fails', async () => {
  server.refuse(getUser, 500, { message: 'Error interno. Inténtalo de nuevo.' });
  open('/pedidos-asignados', 'nobody');
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  await expect.element(named(/Tomás Gil/)).toBeVisible();
  expect(page.getByText('Tu sesión ha terminado').elements()).toEqual([]);
});

test('the session is requested again once the network is back', async () => {
  server.offline(true);
  open('/pedidos-asignados', 'transportista');
  await expect.element(named(/Tomás Gil/)).toBeVisible();
  server.answer(getUser, { user: person('revendedor'), negocio: settings(false) });
  server.offline(false);
  await expect.element(named(/Rita Sanz/)).toBeVisible();
});

test('the cached list opens at once with unsent steps while the server is silent, and says so', async () => {
  const pedido = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id }));
  server.reply(listPedidos, () => pageOf([pedido]));
  open('/pedidos-asignados', 'transportista');
  const mine = row(pedido.numero_orden);
  await expect.element(mine.getByRole('button', { name: /^Completar / })).toBeVisible();
  const [query] = queryClient.getQueryCache().findAll({ queryKey: [listPedidos.path] });
  stopOutbox();
  close();
  await leaveKept(me, [[...(query?.queryKey ?? [])], pageOf([pedido])]);
  const store = openStore();
  await store.add(operation(crypto.randomUUID(), pedido.id, { person: me.id, body: { estado: 'completado', paso: 'completar' } }));
  store.close();
  setHeld(me.id, true);
  let undone = false;
  const watch = new MutationObserver(() => {
    undone ||= mine.getByRole('button', { name: /^Completar / }).elements().length > 0;
  });
  watch.observe(document.body, { childList: true, subtree: true });
  // Of every endpoint, because any answer says that the server can be reached.
  const release = server.silent();
  reload('transportista');
  await expect.element(mine).toMatchTextContent('Pendiente de enviar');
  expect(undone).toBe(false);
  watch.disconnect();
  await expect.element(page.getByText(/Sin conexión desde/), { timeout: 9000 }).toBeVisible();
  server.reply(setEstado, () => asDone('Hecho', { ...pedido, estado: 'completado' }));
  release();
});
