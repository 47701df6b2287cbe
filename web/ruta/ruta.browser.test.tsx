import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getPedido, listPedidos, type Pedido, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { getRuta, guardarRuta, type Ruta } from '../../contract/ruta/ruta.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import { address, expectAccessible, onPhone, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { passTime } from '../../test/web/waits.ts';
import { queryClient } from '../api.ts';

/* A carrier arranges the visits of a day on a phone: by thumb, by keys, by a proposal. */

const me = person('transportista');
const own = (numero_orden: string, fields: Partial<Pedido> = {}): PedidoTransportista =>
  pedidoTransportista.parse(
    aPedido({ numero_orden, estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name, ...fields }),
  );

let mine: PedidoTransportista[];
let ruta: Ruta;
beforeEach(async () => {
  await onPhone();
  mine = ['ORD-1', 'ORD-2', 'ORD-3', 'ORD-4', 'ORD-5'].map((numero, at) =>
    own(numero, {
      cliente_direccion: `Calle Mayor ${at + 1}`,
      cliente_ciudad: 'Toledo',
      cliente_codigo_postal: '45001',
      cliente_provincia: 'Toledo',
    }),
  );
  ruta = { pedidos: mine.map(({ id }) => id), primera: null, ultima: null, paradas: [] };
  server.reply(listPedidos, ({ query }) => pageOf(mine.filter(({ estado }) => query.estado?.split(',').includes(estado))));
  server.reply(getPedido, ({ params }) => ({ data: mine.find(({ id }) => id === params.id) as PedidoTransportista }));
  server.reply(getRuta, () => ({ data: ruta }));
  server.reply(guardarRuta, ({ body: { ocurrido: _, ...arranged } }) => {
    ruta = { ...ruta, ...arranged };
    return { success: true as const, message: 'Ruta guardada' };
  });
});

const list = page.getByRole('list', { name: 'Ruta' });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const handle = (numero: string) => button(new RegExp(`^Mover ${numero}:`));
const element = (numero: string) => handle(numero).element() as HTMLElement;
const shown = () =>
  [...list.element().querySelectorAll('li')]
    .toSorted((first, second) => first.getBoundingClientRect().top - second.getBoundingClientRect().top)
    .map((item) => /ORD-\d+/.exec(item.textContent ?? '')?.[0]);
const stored = () =>
  server.asked(guardarRuta).map(({ body }) => body.pedidos.map((id) => mine.find((pedido) => pedido.id === id)?.numero_orden));

async function openRoute() {
  open('/pedidos-asignados', 'transportista', { ruta: true });
  await button('Ruta').click();
  await expect.element(list).toBeVisible();
}
const frame = () => new Promise((then) => requestAnimationFrame(then));
/** Moves a pointer from the handle to `y`, in steps, without letting go. */
async function drag(numero: string, y: number): Promise<(kind: 'pointerup' | 'pointercancel') => void> {
  const from = element(numero).getBoundingClientRect();
  const start = from.y + 20;
  const at = (clientY: number) => ({ bubbles: true, pointerId: 1, pointerType: 'touch', button: 0, clientX: from.x + 20, clientY });
  const top = list.element();
  // Synthetic pointers cannot be captured.
  top.setPointerCapture = () => undefined;
  element(numero).dispatchEvent(new PointerEvent('pointerdown', at(start)));
  for (let step = 1; step <= 4; step += 1) {
    await frame();
    top.dispatchEvent(new PointerEvent('pointermove', at(start + ((y - start) * step) / 4)));
  }
  await frame();
  return (kind) => top.dispatchEvent(new PointerEvent(kind, at(y)));
}
const middleOf = (numero: string) => {
  const { top, bottom } = (element(numero).closest('li') as HTMLElement).getBoundingClientRect();
  return (top + bottom) / 2;
};

test('a shop without routes has no button «Ruta», and requests no route', async () => {
  open('/pedidos-asignados', 'transportista');
  await expect.element(row('ORD-1')).toBeVisible();
  expect(button('Ruta').elements()).toHaveLength(0);
  expect(server.asked(getRuta)).toHaveLength(0);
});

test('a route that fails to load offers a retry', async () => {
  server.refuse(listPedidos, 500, { message: 'Ha fallado' });
  open('/pedidos-asignados?orden=ruta', 'transportista', { ruta: true });
  await expect.element(page.getByText('No se pudo cargar la ruta')).toBeVisible();
  server.reply(listPedidos, () => pageOf(mine));
  await page.getByRole('alert').filter({ hasText: 'No se pudo cargar la ruta' }).getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(list).toBeVisible();
});

test('only a completed drag moves a stop, and links lead to the next stop or the next four', async () => {
  await openRoute();
  const link = (name: string) => page.getByRole('link', { name }).element().getAttribute('href') ?? '';
  // The links carry the addresses as typed.
  const place = (n: number) => `Calle Mayor ${n}, 45001 Toledo`;
  const next = new URL(link('Ir a la siguiente'));
  expect(next.searchParams.get('destination')).toBe(place(1));
  expect(next.searchParams.has('waypoints')).toBe(false);
  const { searchParams } = new URL(link('Ir a las 4 siguientes'));
  expect(searchParams.get('destination')).toBe(place(4));
  expect(searchParams.get('waypoints')?.split('|')).toEqual([place(1), place(2), place(3)]);

  const interrupt = await drag('ORD-1', middleOf('ORD-3') + 4);
  await expect.poll(shown).toEqual(['ORD-2', 'ORD-3', 'ORD-1', 'ORD-4', 'ORD-5']);
  interrupt('pointercancel');
  await expect.poll(shown).toEqual(['ORD-1', 'ORD-2', 'ORD-3', 'ORD-4', 'ORD-5']);
  const release = await drag('ORD-1', middleOf('ORD-3') + 4);
  await expect.poll(() => shown()[0]).toBe('ORD-2');
  await userEvent.keyboard('{Escape}');
  release('pointerup');
  await expect.poll(() => shown()[0]).toBe('ORD-1');
  expect(stored()).toEqual([]);

  expect(getComputedStyle(element('ORD-4')).touchAction).toBe('none');
  const drop = await drag('ORD-4', middleOf('ORD-2') - 4);
  await expect.poll(shown).toEqual(['ORD-1', 'ORD-4', 'ORD-2', 'ORD-3', 'ORD-5']);
  expect(stored()).toEqual([]);
  drop('pointerup');
  await expect.poll(stored).toEqual([['ORD-1', 'ORD-4', 'ORD-2', 'ORD-3', 'ORD-5']]);
  expect(shown()).toEqual(['ORD-1', 'ORD-4', 'ORD-2', 'ORD-3', 'ORD-5']);
  await expect.element(page.getByText('ORD-4: parada 2 de 5', { exact: true })).toBeVisible();
  await expectAccessible();
});

test('a stop moved by keys or buttons is announced, and keeps the focus', async () => {
  await openRoute();
  element('ORD-3').focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(page.getByRole('status').filter({ hasText: 'ORD-3: parada 2 de 5' })).toBeVisible();
  expect(document.activeElement).toBe(element('ORD-3'));
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(shown).toEqual(['ORD-1', 'ORD-2', 'ORD-3', 'ORD-4', 'ORD-5']);
  expect(document.activeElement).toBe(element('ORD-3'));
  await userEvent.keyboard('{Home}');
  await expect.poll(shown).toEqual(['ORD-3', 'ORD-1', 'ORD-2', 'ORD-4', 'ORD-5']);
  expect(document.activeElement).toBe(element('ORD-3'));
  await button('Bajar ORD-1').click();
  await expect.poll(shown).toEqual(['ORD-3', 'ORD-2', 'ORD-1', 'ORD-4', 'ORD-5']);
  expect(document.activeElement).toBe(button('Bajar ORD-1').element());
  await expect.poll(() => stored().at(-1)).toEqual(['ORD-3', 'ORD-2', 'ORD-1', 'ORD-4', 'ORD-5']);
});

test('a proposed route keeps the pinned last stop, and can be undone', async () => {
  const places = [
    [39.858, -4.023],
    [39.685, -3.774],
    [39.94, -4.02],
    [39.86, -4.03],
    [39.69, -3.78],
  ] as const;
  ruta.paradas = mine.map(({ id }, at) => ({ id, lat: places[at]?.[0] ?? 0, lng: places[at]?.[1] ?? 0 }));
  await openRoute();
  await button('Fijar la última').click();
  await expect.element(button('Fijar la última')).toHaveAttribute('aria-pressed', 'true');
  await button('Proponer ruta').click();
  await expect.poll(shown).toEqual(['ORD-3', 'ORD-4', 'ORD-1', 'ORD-2', 'ORD-5']);
  await expect.element(page.getByText('Ruta propuesta: 5 paradas', { exact: true })).toBeVisible();
  await expect.poll(() => server.asked(guardarRuta).at(-1)?.body.ultima).toBe(mine[4]?.id);
  await button('Deshacer').click();
  await expect.poll(shown).toEqual(['ORD-1', 'ORD-2', 'ORD-3', 'ORD-4', 'ORD-5']);
});

test('a route arranged without coverage stays on the phone, and is sent once the network is back', async () => {
  await openRoute();
  server.lose(guardarRuta);
  await button('Bajar ORD-1').click();
  await expect.poll(shown).toEqual(['ORD-2', 'ORD-1', 'ORD-3', 'ORD-4', 'ORD-5']);
  await button('Subir ORD-5').click();
  const arranged = ['ORD-2', 'ORD-1', 'ORD-3', 'ORD-5', 'ORD-4'];
  await expect.poll(shown).toEqual(arranged);
  // An unsent route must not count as an unsent order.
  await queryClient.invalidateQueries();
  expect(server.asked(listPedidos).at(-1)?.headers.get(UNSENT)).toBeNull();
  open(address(), 'transportista', { ruta: true });
  expect(address()).toContain('orden=ruta');
  await expect.element(list).toBeVisible();
  await expect.poll(shown).toEqual(arranged);
  server.reply(guardarRuta, ({ body: { ocurrido: _, ...sent } }) => {
    ruta = { ...ruta, ...sent };
    return { success: true as const, message: 'Ruta guardada' };
  });
  server.offline(true);
  passTime(6_000);
  server.offline(false);
  await expect
    .poll(() => ruta.pedidos.map((id) => mine.find((pedido) => pedido.id === id)?.numero_orden), { timeout: 10_000 })
    .toEqual(arranged);
  expect(shown()).toEqual(arranged);
});
