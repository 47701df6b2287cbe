import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { login, logout } from '../../contract/session/session.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { address, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf, theSettings } from '../../test/web/samples.ts';
import { holdWaits } from '../../test/web/waits.ts';
import { dropSuspended } from './suspended.ts';

/* An ended session hides the screen; after signing in again the same person finds everything unchanged. */

const ENDED = 'Tu sesión ha terminado. Entra otra vez y seguirás donde estabas.';
const { data: _, ...done } = asDone('Sesión iniciada', null);
const dialog = (name: string) => page.getByRole('dialog', { name });

let pedidos: Pedido[];
beforeEach(() => {
  pedidos = [];
  server.answer(login, done);
  server.reply(logout, () => {
    server.endSession();
    return done;
  });
  server.reply(listPedidos, () => pageOf(pedidos));
});
// Prevents the suspended screen from staying in memory for the next test.
afterEach(dropSuspended);

async function expectEnded() {
  await expect.poll(address).toMatch(/^\/auth\?volver=/);
  await expect.element(page.getByText(ENDED)).toBeVisible();
}
async function enter() {
  await page.getByRole('textbox', { name: 'Email o usuario', exact: true }).fill('ana@enruta.test');
  await page.getByLabelText('Contraseña', { exact: true }).fill('una clave muy larga');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect.poll(address).not.toMatch(/^\/auth/);
}

test('an idle screen stops showing data when its session has ended', async () => {
  const aMinute = holdWaits(60_000);
  pedidos = [aPedido({ cliente_nombre: 'Berta Olmo' })];
  open('/pedidos');
  await expect.element(row('Berta Olmo')).toBeVisible();
  server.endSession();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 95_000 });
  aMinute();
  await expect.element(page.getByText('Tu sesión ha terminado por inactividad. Entra otra vez y seguirás donde estabas.')).toBeVisible();
  expect(
    page
      .getByText('Berta Olmo')
      .elements()
      .filter((element) => element.checkVisibility()),
  ).toEqual([]);
});

// A page with a draft, a page without a draft, and a dialog: signing in again restores the whole screen.
const FORMS = [
  { what: '«Crear pedido»', at: '/pedidos/nuevo-admin', field: 'Dirección' },
  { what: 'the settings form', at: '/configuracion', field: 'Nombre de la empresa' },
  { what: 'the form of a new person', at: '/gestion-usuarios', pressed: 'Crear revendedor', field: 'Nombre completo' },
];
for (const { what, at, pressed, field } of FORMS) {
  test(`${what}, half filled in, is restored after signing in again`, async () => {
    server.answer(getSettings, { data: theSettings() });
    const aMinute = holdWaits(60_000);
    open(at);
    if (pressed) await page.getByRole('button', { name: pressed }).first().click();
    const input = pressed ? dialog(pressed).getByRole('textbox', { name: field }) : page.getByRole('textbox', { name: field, exact: true });
    await input.fill('A medio escribir');
    server.endSession();
    // The bell polls every minute.
    aMinute();
    await expectEnded();
    await expect.element(input).not.toBeInTheDocument();
    await enter();
    await expect.element(input).toHaveValue('A medio escribir');
  });
}

test('signing out deletes drafts without asking', async () => {
  open('/pedidos/nuevo', 'revendedor');
  await page.getByLabelText(/^Nombre/).fill('Ana Ruiz');
  await expect.poll(() => Object.values({ ...sessionStorage }).join()).toContain('Ana Ruiz');
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await expect.poll(address).toBe('/auth');
  await enter();
  open('/pedidos/nuevo', 'revendedor');
  await expect.element(page.getByLabelText(/^Nombre/)).toHaveValue('');
});
