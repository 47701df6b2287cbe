import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { addComentario, type Comentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { placeWords } from '../../contract/pedidos/direccion.ts';
import { getPedido, listPedidos, type Pedido, type PedidoTransportista, setEstado } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { PERSON, UNSENT } from '../../contract/session/fields.ts';
import { getUser, login, logout, type SessionUser } from '../../contract/session/session.ts';
import { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { address, close, closeToasts, expectAccessible, onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { operation } from '../../test/web/operations.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { expectAfter, holdWaits, passTime } from '../../test/web/waits.ts';
import { queryClient } from '../api.ts';
import { openStore } from '../outbox/store.ts';
import { dropSuspended } from '../session/suspended.ts';

/* A carrier's steps without coverage: stored, shown, sent once. */

const me = person('transportista');
const onItsWay = (fields: Partial<Pedido> = {}): PedidoTransportista =>
  pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name, ...fields }));
// Drops the suspended screen, which would otherwise stay in memory for the next test.
afterEach(dropSuspended);
let mine: PedidoTransportista[];
beforeEach(async () => {
  mine = [];
  await onPhone();
  server.reply(listPedidos, ({ query }) => pageOf(mine.filter(({ estado }) => query.estado?.split(',').includes(estado))));
  server.reply(getPedido, ({ params }) => ({ data: mine.find(({ id }) => id === params.id) ?? onItsWay() }));
  server.reply(setEstado, ({ params, body }) => {
    mine = mine.map((pedido) => (pedido.id === params.id ? { ...pedido, estado: body.estado } : pedido));
    return asDone('Estado actualizado', mine.find(({ id }) => id === params.id) ?? onItsWay());
  });
});

const order = ({ numero_orden }: PedidoTransportista) => row(numero_orden);
const press = (name: string | RegExp, within: Pick<Locator, 'getByRole'> = page) => within.getByRole('button', { name }).click();
const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
async function complete(pedido: PedidoTransportista) {
  await press(/^Completar /, order(pedido));
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  await press('Completar entrega', dialog);
}
const asked = () => server.asked(setEstado).map(({ body, headers }) => ({ ...body, key: headers.get('idempotency-key') }));
/** What the latest request for the list reports about unsent steps. */
const unsent = () => server.asked(listPedidos).at(-1)?.headers.get(UNSENT) ?? '';
/** The network is back, after the pause of the outbox between two silences, which there can have been on a busy machine. */
function returnNetwork() {
  server.offline(true);
  passTime(6_000);
  server.offline(false);
}
const KEPT = 'Guardado en este teléfono: se enviará al volver la cobertura';

test('a delivery without coverage survives a killed tab, and is retried with the same key and time', async () => {
  const pedido = onItsWay();
  mine = [pedido];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toBeVisible();
  const before = Date.now();
  server.offline(true);
  await complete(pedido);
  await expect.element(page.getByText(KEPT)).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(order(pedido)).toMatchTextContent('Pendiente de enviar');
  await expect.element(order(pedido)).toMatchTextContent('Completado');
  await expectAccessible();
  const after = Date.now();
  server.lose(setEstado);
  returnNetwork();
  await expect.poll(() => asked().length).toBeGreaterThan(0);

  // Reopens the address of the form, as after a tab killed before the form closed.
  close();
  open(`/pedidos-asignados?pedido=${pedido.id}&accion=completar`, 'transportista');
  await expect.element(order(pedido)).toMatchTextContent('Pendiente de enviar');
  await expect.poll(address).toBe('/pedidos-asignados');
  await expect.element(dialog).not.toBeInTheDocument();
  await queryClient.invalidateQueries();
  expect(unsent()).toBe(`1;${asked()[0]?.ocurrido}`);
  expect(mine[0]?.estado).toBe('en_ruta');
  server.reply(setEstado, () => {
    mine = [{ ...pedido, estado: 'completado' }];
    return asDone('Estado actualizado', mine[0] ?? pedido);
  });
  returnNetwork();
  await expect.element(order(pedido)).not.toBeInTheDocument();
  await expect.poll(unsent).toBe('0');
  const [first, ...more] = asked();
  expect(more.length).toBeGreaterThan(0);
  for (const again of more) expect(again).toEqual(first);
  const happened = Date.parse(first?.ocurrido ?? '');
  expect(happened).toBeGreaterThanOrEqual(before);
  expect(happened).toBeLessThanOrEqual(after);
});

test('a comment written without coverage stays listed as unsent after a reload, and is saved once', async () => {
  const pedido = onItsWay();
  mine = [pedido];
  let written: Comentario[] = [];
  server.reply(listComentarios, () => ({ data: written, personas: [] }));
  open(`/pedidos-asignados?pedido=${pedido.id}`, 'transportista');
  const field = page.getByRole('textbox', { name: 'Escribe un comentario' });
  await expect.element(field).toBeVisible();
  server.offline(true);
  await field.fill('El timbre no funciona');
  await press('Comentar');
  const notes = page.getByRole('list', { name: 'Comentarios' });
  await expect.element(notes).toMatchTextContent(/Pendiente de enviar.*El timbre no funciona/);
  await expect.element(field).toHaveValue('');
  await expectAccessible();
  server.lose(addComentario);
  returnNetwork();
  await expect.poll(() => server.asked(addComentario)).not.toEqual([]);
  reload('transportista');
  await expect.element(notes).toMatchTextContent('Pendiente de enviar');
  server.reply(addComentario, ({ body }) => {
    written = [{ id: me.id, autor_nombre: me.full_name, autor_role: 'transportista', created_at: new Date().toISOString(), ...body }];
    return asDone('Comentario guardado', written[0] as Comentario);
  });
  returnNetwork();
  await expect.element(notes).not.toMatchTextContent('Pendiente de enviar');
  await expect.poll(() => notes.getByRole('listitem').elements()).toHaveLength(1);
  expect(new Set(server.asked(addComentario).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('unsent steps are sent once and in order, with the reason and time of a failed attempt', async () => {
  // The forms wait for an answer: the first step of an order goes first, and a silent lane pauses.
  const moment = holdWaits(1500);
  const [pedido, absent] = [onItsWay({ estado: 'asignado' }), onItsWay()];
  mine = [pedido, absent];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toBeVisible();
  server.offline(true);
  await press(/^Salir a reparto /, order(pedido));
  await expect.element(order(pedido)).toMatchTextContent('En Ruta');
  await complete(pedido);
  await expectAfter(moment, dialog, 0);
  await expect.element(order(pedido)).toMatchTextContent('Completado');

  const before = Date.now();
  await press(/^Más acciones/, order(absent));
  await page.getByRole('menuitem', { name: 'Intento fallido' }).click();
  const failed = page.getByRole('dialog', { name: 'Intento fallido' });
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await failed.getByRole('radio', { name: 'Al cliente' }).click();
  await press('Registrar intento fallido', failed);
  await expectAfter(moment, failed, 0);
  await expect.element(order(absent)).toMatchTextContent(/1\.er intento el .*: Ausente/);
  await expect.element(order(absent)).toMatchTextContent('Pendiente de enviar');
  const after = Date.now();
  returnNetwork();
  await expect.poll(() => asked().map(({ estado }) => estado)).toEqual(['en_ruta', 'completado', 'asignado']);
  await expect.element(order(pedido)).not.toBeInTheDocument();
  await expect.element(order(absent)).not.toMatchTextContent('Pendiente de enviar');
  const [sent, ...more] = asked().slice(2);
  expect([sent, more]).toMatchObject([{ paso: 'fallar', motivo: 'Ausente', llamado: 'cliente' }, []]);
  // The address that the telephone showed, which the office may have changed meanwhile.
  expect(sent?.direccion_vista).toBe(placeWords(absent));
  expect(Date.parse(sent?.ocurrido ?? '')).toBeGreaterThanOrEqual(before);
  expect(Date.parse(sent?.ocurrido ?? '')).toBeLessThanOrEqual(after);
});

test('the refusal of an unsent step is explained until read, and reported to the office once', async () => {
  const pedido = onItsWay({ contra_reembolso: true, por_cobrar: 34.5 });
  mine = [pedido];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toMatchTextContent('Cobrar 34,50');
  server.offline(true);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
  await press(/^Completar /, order(pedido));
  await dialog.getByRole('radio', { name: 'Efectivo' }).click();
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  await press('Completar entrega', dialog);
  await expect.element(order(pedido)).toMatchTextContent('Pendiente de enviar');
  await expect.element(order(pedido)).not.toMatchTextContent('Cobrar 34,50');
  vi.useRealTimers();
  mine = [];
  server.refuse(setEstado, 409, { message: 'Ada Ruiz ha cancelado este pedido', code: 'retirado' });
  server.refuse(getPedido, 404, { message: 'Ada Ruiz ha cancelado este pedido', code: 'retirado' });
  server.lose(contarNoAceptado);
  returnNetwork();
  const refused = page.getByRole('alert').filter({ hasText: `${pedido.numero_orden}: no se ha registrado` });
  for (const text of ['Lo que hiciste: Completar a las', 'Ada Ruiz ha cancelado este pedido', 'Reparto propio', 'Cobrado (€): 34,50'])
    await expect.element(refused).toMatchTextContent(text);
  await expectAccessible();

  const reports = () => server.asked(contarNoAceptado);
  await expect.poll(() => reports().length).toBeGreaterThan(0);
  const lost = reports().length;
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  returnNetwork();
  await expect.poll(() => reports().length).toBeGreaterThan(lost);
  expect(new Set(reports().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  expect(reports()[0]?.body).toMatchObject({
    pedido_id: pedido.id,
    paso: 'completar',
    rechazo: 'Ada Ruiz ha cancelado este pedido',
    metodo_entrega: 'manual',
    cobrado: 34.5,
    cobrado_metodo: 'efectivo',
  });

  reload('transportista');
  await expect.element(refused).toBeVisible();
  await press('Entendido', refused);
  await expect.element(refused).not.toBeInTheDocument();
  expect(asked()).toMatchObject([{ cobrado: 34.5, cobrado_metodo: 'efectivo' }]);
});

test('a telephone without free storage says so in the dialog, and keeps the typed values', async () => {
  const pedido = onItsWay();
  mine = [pedido];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toBeVisible();
  const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await press(/^Completar /, order(pedido));
  await dialog.getByRole('radio', { name: 'MRW' }).click();
  const number = dialog.getByLabelText('Número de seguimiento (opcional)');
  await number.fill('MRW-1');
  await press('Completar entrega', dialog);
  await expect.element(page.getByText(/No queda sitio en este teléfono/)).toBeVisible();
  await expect.element(number).toHaveValue('MRW-1');
  expect(asked()).toEqual([]);
  add.mockRestore();
  await press('Completar entrega', dialog);
  await expect.poll(() => asked()).toMatchObject([{ numero_seguimiento: 'MRW-1' }]);
});

test('a browser tab with coverage shows how to install the program, until the hint is dismissed', async () => {
  // The warning's patience, and the pause between two probes of the server.
  const waits = holdWaits(4_000, 2_500);
  const pedido = onItsWay();
  mine = [pedido];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toBeVisible();
  const hint = page.getByRole('note').filter({ hasText: 'Sin cobertura podrás seguir' });
  await expect.element(hint).toMatchTextContent('Para que el navegador no lo borre, instala Enruta.');
  const [first, below] = [order(pedido), hint].map((locator) => locator.element().getBoundingClientRect());
  expect(below?.top).toBeGreaterThan(first?.bottom ?? 0);
  // An answer on its way would say that the server can be reached.
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  server.offline(true);
  const warning = page.getByText(/Sin conexión desde/);
  await expectAfter(waits, warning);
  await expect.element(hint).not.toBeInTheDocument();
  server.offline(false);
  await expectAfter(waits, hint);
  await press('Entendido', hint);
  await expect.element(hint).not.toBeInTheDocument();
  reload('transportista');
  await expect.element(order(pedido)).toBeVisible();
  expect(hint.elements()).toEqual([]);
});

const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
async function enterAs(user: SessionUser) {
  server.answer(login, { success: true, message: 'Sesión iniciada' });
  server.answer(getUser, { user, negocio });
  await page.getByRole('textbox', { name: 'Email o usuario', exact: true }).fill('a@enruta.test');
  await page.getByLabelText('Contraseña', { exact: true }).fill('una clave muy larga');
  await press('Iniciar Sesión');
  await expect.poll(address).not.toMatch(/^\/auth/);
}

/** Signs in through the bar above the list. */
async function enterOver(user: SessionUser) {
  await press(/^Entrar$/);
  await expect.poll(address).toMatch(/^\/auth/);
  closeToasts();
  await enterAs(user);
}

test('a phone whose session has ended requests no list until touched', async () => {
  mine = [onItsWay()];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(mine[0] as Pedido)).toBeVisible();
  server.endSession();
  await queryClient.refetchQueries();
  await expect.element(page.getByText('Tu sesión ha terminado')).toBeVisible();
  const lists = () => server.asked(listPedidos).length;
  const before = lists();
  const later = Date.now() + 60_000;
  vi.spyOn(Date, 'now').mockImplementation(() => later);
  await queryClient.refetchQueries();
  expect(lists()).toBe(before);
  await userEvent.keyboard(' ');
  await queryClient.refetchQueries();
  expect(lists()).toBe(before + 1);
});

test('a step made after the end of the session is stored, and sent when the same person signs in', async () => {
  const pedido = onItsWay();
  mine = [pedido];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toBeVisible();
  await press(/^Completar /, order(pedido));
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  server.endSession();
  await press('Completar entrega', dialog);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(order(pedido)).toMatchTextContent('Pendiente de enviar');
  await expectAccessible();
  await enterOver(me);
  await expect.poll(() => mine[0]?.estado).toBe('completado');
  expect(new Set(asked().map(({ key }) => key)).size).toBe(1);
  await expect.element(page.getByText('Tu sesión ha terminado')).not.toBeInTheDocument();
});

test.each(['superadmin', 'transportista'] as const)(
  'unsent steps are neither shown nor sent while a %s other than their carrier is signed in',
  async (role) => {
    const pedido = onItsWay();
    mine = [pedido];
    open('/pedidos-asignados', 'transportista');
    await expect.element(order(pedido)).toBeVisible();
    server.offline(true);
    await complete(pedido);
    await expect.element(order(pedido)).toMatchTextContent('Pendiente de enviar');
    server.endSession();
    server.offline(false);
    await enterOver({ ...person(role), id: '00000000-0000-4000-8000-0000000000bb', full_name: 'Pepe' });
    const menu = page.getByRole('button', { name: /^Pepe/ });
    await expect.element(menu).toBeVisible();
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (role === 'transportista') await expect.element(order(pedido)).toMatchTextContent('En Ruta');
    expect(document.body.textContent).not.toContain('Pendiente de enviar');
    // Counts the requests refused because the session had ended.
    const refused = asked().length;
    server.reply(logout, () => {
      server.endSession();
      return asDone('Hasta luego', undefined as never);
    });
    // Clicks the element directly, because notices of the ended session cover the menu for some seconds.
    (menu.element() as HTMLElement).click();
    await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
    await expect.poll(address).toBe('/auth');
    expect(asked()).toHaveLength(refused);
    await enterAs(me);
    await expect.poll(() => asked().length).toBeGreaterThan(refused);
  },
);

test('signing out sends unsent steps first, and is refused while they cannot be sent', async () => {
  server.answer(logout, asDone('Hasta luego', undefined as never));
  const [pedido, other] = [onItsWay(), onItsWay()];
  mine = [pedido, other];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido)).toBeVisible();
  const signOut = async () => {
    await page.getByRole('button', { name: /Tomás Gil/ }).click();
    await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  };
  const takesSteps = () => server.reply(setEstado, () => asDone('Estado actualizado', { ...pedido, estado: 'completado' }));
  server.lose(setEstado);
  await complete(pedido);
  await expect.element(page.getByText(KEPT)).toBeVisible();
  await signOut();
  await expect.element(page.getByText(/Queda 1 acto sin enviar/)).toBeVisible();
  expect(server.asked(logout)).toEqual([]);
  expect(address()).toBe('/pedidos-asignados');
  takesSteps();
  await press('Enviar ahora');
  await expect.element(order(pedido)).not.toMatchTextContent('Pendiente de enviar');

  server.lose(setEstado);
  await complete(other);
  await expect.element(order(other)).toMatchTextContent('Pendiente de enviar');
  const before = asked().length;
  takesSteps();
  await signOut();
  await expect.poll(address).toBe('/auth');
  expect(asked().length).toBeGreaterThan(before);
  expect(server.asked(logout)).toHaveLength(1);
  // The header lets the server refuse a step in the session of another person.
  expect(server.asked(setEstado).map(({ headers }) => headers.get(PERSON))).toEqual(asked().map(() => me.id));
});

test('search and further pages work without coverage, from the orders stored on the phone', async () => {
  const towns = ['Jaén', 'Úbeda'];
  const now = Date.now();
  const all = Array.from({ length: 27 }, (_, i) =>
    onItsWay({
      // Most are promised for one day, and were numbered in another sequence than the server lists them.
      id: `00000000-0000-4000-8000-0000000001${99 - i}`,
      numero_orden: `ORD-20260001${String(i).padStart(2, '0')}`,
      cliente_nombre: `Cliente ${i}`,
      cliente_ciudad: towns[i % 2] ?? null,
      fecha_estimada: new Date(now + Math.min(i, 10) * 86_400_000).toISOString(),
    }),
  ).sort((a, b) => `${a.fecha_estimada} ${a.id}`.localeCompare(`${b.fecha_estimada} ${b.id}`));
  server.reply(listPedidos, ({ query }) => {
    const [size, at] = [Number(query.per_page ?? 20), Number(query.page ?? 1)];
    const data = mine.slice((at - 1) * size, at * size);
    const { length: total } = mine;
    return { ...pageOf(data), total, current_page: at, last_page: Math.ceil(total / size), per_page: size };
  });
  mine = all.slice(0, 21);
  open('/pedidos-asignados?page=2', 'transportista');
  await expect.element(order(all[20] as PedidoTransportista)).toBeVisible();
  await press('Anterior');
  await expect.element(row('ORD-2026000100')).toBeVisible();
  mine = all;
  await queryClient.invalidateQueries({ queryKey: [listPedidos.path] });
  // The whole list loads after the visible page.
  await expect.poll(() => server.asked(listPedidos).some(({ query }) => Number(query.per_page) === 100)).toBe(true);
  await expect.poll(() => server.asked(listComentarios).length).toBe(27);
  server.offline(true);
  await press('Siguiente');
  await expect.element(order(all[26] as PedidoTransportista)).toBeVisible();
  expect(page.getByRole('main').getByRole('listitem').elements()).toHaveLength(7);
  for (const pedido of all.slice(20)) await expect.element(order(pedido)).toBeVisible();
  await press('Anterior');
  for (const pedido of all.slice(0, 20)) await expect.element(order(pedido)).toBeVisible();
  await press('Siguiente');
  await page.getByRole('searchbox').fill('cliente 25');
  await expect.element(row('ORD-2026000125')).toBeVisible();
  await expect.element(row('ORD-2026000126')).not.toBeInTheDocument();
  const pedido = mine.find(({ numero_orden }) => numero_orden === 'ORD-2026000125');
  if (!pedido) throw new Error('no order');
  await press(/^Más acciones/, order(pedido));
  await page.getByRole('menuitem', { name: 'Ver detalles' }).click();
  await expect.element(page.getByRole('region', { name: 'Comentarios' })).toBeVisible();
  expect(page.getByText('No se pudieron cargar los comentarios').elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  // A delivery on a page read from the phone is stored like any other.
  await complete(pedido);
  await expect.element(order(pedido)).toMatchTextContent('Pendiente de enviar');
});

test('an order that waits for an answer is listed last, without a primary button', async () => {
  const waits = onItsWay({ estado: 'asignado', incidencia_at: new Date().toISOString(), motivo: 'Ausente' });
  const other = onItsWay({ id: '00000000-0000-4000-8000-0000000000c7', numero_orden: 'ORD-2026000099' });
  mine = [waits, other];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(waits)).toBeVisible();
  const cards = page.getByRole('main').getByRole('listitem').elements();
  expect(cards.map((card) => card.textContent?.includes(waits.numero_orden))).toEqual([false, true]);
  const variants = [...(cards[1]?.querySelectorAll('[data-variant=filled]') ?? [])];
  expect(variants.map((button) => button.textContent)).toEqual([]);
});

test('unsent steps of another carrier on a shared phone are counted, not shown', async () => {
  const store = openStore();
  const theirs = { person: '00000000-0000-4000-8000-0000000000b7', personName: 'Pepe Ríos', numero: 'ORD-2026000777' };
  await store.add(operation(crypto.randomUUID(), 'x', theirs));
  store.close();
  mine = [onItsWay()];
  open('/pedidos-asignados', 'transportista');
  await expect.element(page.getByText('En este teléfono queda 1 entrega de Pepe Ríos: que entre para enviarla')).toBeVisible();
  expect(document.body.textContent).not.toContain('ORD-2026000777');
  await expectAccessible();
  await expect.poll(unsent).not.toContain('undefined');
});
