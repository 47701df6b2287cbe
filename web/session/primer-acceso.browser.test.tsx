import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { firstAccess, getFirstAccess, getUser } from '../../contract/session/session.ts';
import { address, expectAccessible, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';

/* The first superadmin of an empty shop. */

const CODE = 'Xb3-_q9';
const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
const { data: _, ...done } = asDone('¡Bienvenido!', null);
const field = (name: string) => page.getByLabelText(name, { exact: true });
const press = () => page.getByRole('button', { name: 'Crear cuenta y entrar' }).click();

beforeEach(() => {
  server.answer(getFirstAccess, { data: { pendiente: true } });
  server.reply(firstAccess, () => {
    server.answer(getUser, { user: person('superadmin'), negocio });
    server.answer(getFirstAccess, { data: { pendiente: false } });
    return done;
  });
});

async function fillIn() {
  await field('Nombre completo').fill('Ada Ruiz');
  await field('Email').fill('ada@tienda.es');
  await field('Contraseña').fill('una buena clave');
}

test('the first-access screen accepts the full address of the code, and leads to the dashboard', async () => {
  open('/primer-acceso', 'nobody');
  await expect.element(page.getByText('Todavía no hay nadie en este Enruta', { exact: false })).toBeVisible();
  await expect.element(field('Código de primer acceso')).toHaveFocus();
  await expectAccessible();
  await field('Código de primer acceso').fill(` http://127.0.0.1:3000/primer-acceso/${CODE} `);
  await fillIn();
  await press();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(address()).toBe('/');
  expect(server.asked(firstAccess).map(({ body }) => body)).toEqual([
    { token: CODE, full_name: 'Ada Ruiz', email: 'ada@tienda.es', password: 'una buena clave' },
  ]);
});

test('the first-access screen uses a code in the address, and asks for the code only if refused', async () => {
  open(`/primer-acceso/${CODE}`, 'nobody');
  await expect.element(field('Nombre completo')).toHaveFocus();
  await expect.element(field('Código de primer acceso')).not.toBeInTheDocument();
  server.refuse(firstAccess, 422, { message: 'Revisa los campos', errors: { token: ['El código no es el último'] } });
  await fillIn();
  await press();
  await expect.element(field('Código de primer acceso')).toHaveAccessibleDescription(/El código no es el último/);
  expect(address()).toBe(`/primer-acceso/${CODE}`);
});

test('the first-access screen links to the sign-in if the shop has a superadmin', async () => {
  server.answer(getFirstAccess, { data: { pendiente: false } });
  open('/primer-acceso', 'nobody');
  await page.getByRole('link', { name: 'Iniciar Sesión' }).click();
  await expect.poll(address).toBe('/auth');
});
