import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AvisosCliente } from '../../../contract/avisos-cliente/fields.ts';
import { getPedido, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../../contract/pedidos/schemas.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import { getUser } from '../../../contract/session/session.ts';
import { getRed } from '../../../contract/settings/settings.ts';
import { expectAccessible, onPhone, open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';
import { queryClient } from '../../api.ts';

/* «Avisar al cliente»: the text, the channels, and the permissions. */

const AVISOS: AvisosCliente = { tienda: 'Almazara', canales: ['whatsapp', 'sms', 'llamada'], textos: {} };
const NEGOCIO = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
const CLIENTE = { cliente_nombre: 'Nuria Vidal', cliente_telefono: '611 222 333', cliente_direccion: 'Rambla del Mar 3' };

function openIn(role: Role, path: string, avisos: AvisosCliente | undefined = AVISOS) {
  open(path, role);
  server.answer(getUser, { user: person(role), negocio: { ...NEGOCIO, ...(avisos && { avisos }) } });
}
function openPage(role: Role, fields: Partial<Pedido>, avisos?: AvisosCliente) {
  const pedido = aPedido({ ...CLIENTE, ...fields });
  server.answer(getPedido, { data: pedido });
  openIn(role, `/pedidos/${pedido.id}`, avisos);
  return pedido;
}
const button = page.getByRole('button', { name: 'Avisar al cliente' });
const hrefOf = (name: string) => page.getByRole('menuitem', { name }).element().getAttribute('href') ?? '';
async function menu() {
  await button.click();
  await expect.element(page.getByRole('menuitem').first()).toBeVisible();
}

test('a reseller sends the payment link of an unpaid order by WhatsApp or SMS, or calls the customer', async () => {
  const link = 'https://enruta.test/pagar/abc?x=1&y=2';
  const pedido = aPedido({ ...CLIENTE, estado: 'pendiente_pago', payment_link: link, revendedor_id: person('revendedor').id });
  const { numero_orden } = pedido;
  server.answer(listPedidos, pageOf([pedido]));
  server.answer(getPedido, { data: pedido });
  openIn('revendedor', '/mis-pedidos');
  await page.getByRole('link', { name: numero_orden, exact: true }).click();
  await menu();
  const texto = decodeURIComponent(hrefOf('WhatsApp').slice('https://wa.me/34611222333?text='.length));
  expect(texto).toContain(`Hola, Nuria Vidal: hemos recibido tu pedido ${numero_orden} de Almazara.`);
  expect(texto).toContain(`${link}`);
  await expect.element(page.getByText(texto)).toBeVisible();
  expect(hrefOf('SMS')).toBe(`sms:+34611222333?&body=${encodeURIComponent(texto)}`);
  expect(hrefOf('Llamar')).toBe('tel:611222333');
  await expectAccessible();
});

test('a message never carries a link that only this machine opens: it carries the address for others, or is not offered', async () => {
  const pedido = aPedido({ ...CLIENTE, estado: 'pendiente_pago', payment_link: '/pagar/abc' });
  server.answer(getPedido, { data: pedido });
  openIn('superadmin', `/pedidos/${pedido.id}`);
  server.answer(getRed, { data: { publica: null, abierta: false, siempre: false, puede: true, direcciones: [] } });
  await menu();
  await expect.element(page.getByText('Aún solo se abre en este ordenador.').first()).toBeVisible();
  expect(page.getByRole('menuitem').elements()).toHaveLength(1);
  expect(hrefOf('Llamar')).toBe('tel:611222333');

  open(`/pedidos/${pedido.id}`);
  server.answer(getUser, { user: person('superadmin'), negocio: { ...NEGOCIO, avisos: AVISOS, direccion: 'http://192.168.1.5:3000' } });
  await menu();
  expect(decodeURIComponent(hrefOf('SMS'))).toContain('http://192.168.1.5:3000/pagar/abc');
});

test('the office writes with the text and the channels that the business has set', async () => {
  const avisos: AvisosCliente = { ...AVISOS, canales: ['sms'], textos: { en_ruta: '{repartidor} va a {direccion}' } };
  openPage('superadmin', { estado: 'en_ruta', transportista_nombre: 'Celia {cliente} $&', cliente_direccion2: '2.º B 🏡' }, avisos);
  await menu();
  expect(page.getByRole('menuitem').elements()).toHaveLength(1);
  expect(decodeURIComponent(hrefOf('SMS'))).toContain('body=Celia {cliente} $& va a Rambla del Mar 3, 2.º B 🏡');
});

test('an order that is cancelled or has no telephone number offers no message', async () => {
  for (const fields of [{ estado: 'cancelado' }, { cliente_telefono: '' }] as const) {
    const { numero_orden } = openPage('superadmin', fields);
    await expect.element(page.getByRole('heading', { level: 1, name: new RegExp(`Pedido ${numero_orden}$`) })).toBeVisible();
    await expect.element(button).not.toBeInTheDocument();
  }
});

test('a carrier writes from the open order under their own name, without the payment link', async () => {
  await onPhone();
  const me = person('transportista');
  const taken = pedidoTransportista.parse(
    aPedido({ ...CLIENTE, estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name }),
  );
  server.answer(listPedidos, pageOf([taken]));
  openIn('transportista', '/pedidos-asignados');
  await page.getByRole('button', { name: `Más acciones del pedido ${taken.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Ver detalles' }).click();
  await menu();
  const written = decodeURIComponent(hrefOf('WhatsApp'));
  expect(written).toContain(`Hola, Nuria Vidal: ${me.full_name} va de camino a Rambla del Mar 3`);
  expect(written).not.toMatch(/pagar|€/);
  // «Llamar» already stands beside the button.
  expect(page.getByRole('menuitem', { name: 'Llamar' }).elements()).toHaveLength(0);
  await expectAccessible();
});

test('a carrier without coverage writes with the text that the telephone last received', async () => {
  await onPhone();
  const me = person('transportista');
  const taken = pedidoTransportista.parse(
    aPedido({ ...CLIENTE, estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name }),
  );
  server.answer(listPedidos, pageOf([taken]));
  const details = async () => {
    await page.getByRole('button', { name: `Más acciones del pedido ${taken.numero_orden}` }).click();
    await page.getByRole('menuitem', { name: 'Ver detalles' }).click();
    await menu();
  };
  openIn('transportista', '/pedidos-asignados', { ...AVISOS, textos: { en_ruta: 'Antes: {cliente}' } });
  await details();
  expect(decodeURIComponent(hrefOf('SMS'))).toContain('body=Antes: Nuria Vidal');
  // The office changes the text, and the telephone's next request receives the change.
  server.answer(getUser, { user: me, negocio: { ...NEGOCIO, avisos: { ...AVISOS, textos: { en_ruta: 'Ya voy, {cliente}' } } } });
  await queryClient.refetchQueries({ queryKey: [getUser.path, getUser.path] });
  await expect.poll(() => decodeURIComponent(hrefOf('SMS'))).toContain('body=Ya voy, Nuria Vidal');
  await userEvent.keyboard('{Escape}{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  server.offline(true);
  // After two minutes the cached settings are stale, and refetching them fails.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  await details();
  expect(decodeURIComponent(hrefOf('WhatsApp'))).toBe('https://wa.me/34611222333?text=Ya voy, Nuria Vidal');
  expect(decodeURIComponent(hrefOf('SMS'))).toBe('sms:+34611222333?&body=Ya voy, Nuria Vidal');
  await expect.element(page.getByRole('link', { name: 'Llamar' })).toHaveAttribute('href', 'tel:611222333');
});
