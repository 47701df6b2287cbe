import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type Account, getAccount } from '../../contract/account/account.ts';
import { account as accountSchema } from '../../contract/account/schemas.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { expectAccessible, onPhone, open, person } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { operation } from '../../test/web/operations.ts';
import { installWords } from '../outbox/installed.ts';
import { openStore } from '../outbox/store.ts';

/* «Mi cuenta» of a carrier: unsent operations on the phone, and whether the browser keeps them. */

const section = page.getByRole('region', { name: 'Trabajar sin cobertura' });
const button = (name: string) => section.getByRole('button', { name });
const show = (role: 'transportista' | 'superadmin') => {
  server.answer(getAccount, { data: { ...(emptyOf(accountSchema) as Account), password_changed_at: '2026-03-10T10:00:00Z' } });
  open('/mi-cuenta', role);
};

test('a carrier sees the number and age of unsent operations, and can request persistent storage', async () => {
  await onPhone();
  const kept = vi.spyOn(navigator.storage, 'persisted').mockResolvedValue(false);
  const persist = vi.spyOn(navigator.storage, 'persist').mockResolvedValueOnce(false).mockResolvedValue(true);
  const store = openStore();
  const { id } = person('transportista');
  for (const key of ['1', '2'])
    await store.add(operation(key, key, { person: id, at: '2026-11-25T11:40:00.000Z', body: { estado: 'en_ruta', paso: 'salir' } }));
  store.close();
  server.lose(setEstado);
  show('transportista');
  await expect.element(section).toMatchTextContent('Quedan 2 actos por enviar; el más antiguo, del 25/11/2026');
  await expect.element(button('Enviar ahora')).toBeVisible();
  await expect.element(section).toMatchTextContent('puede borrar lo pendiente');
  await expectAccessible(section.element());
  await button('Pedir que lo guarde').click();
  await expect.element(page.getByText(/no lo ha concedido/)).toBeVisible();
  kept.mockResolvedValue(true);
  (button('Pedir que lo guarde').element() as HTMLElement).click();
  await expect.element(section).toMatchTextContent('guarda lo pendiente hasta que se envía');
  expect(persist).toHaveBeenCalledTimes(2);
});

test('the offline section is hidden from superadmins, and its installation instructions fit the phone', async () => {
  show('superadmin');
  await expect.element(page.getByRole('region', { name: 'Sesiones' })).toBeVisible();
  await expect.element(section).not.toBeInTheDocument();
  expect(installWords('iPhone OS 18_0')).toMatch(/^En Safari/);
  expect(installWords('Linux; Android 15')).toMatch(/^En Chrome/);
  expect(installWords('Windows')).toMatch(/^Android: .*iPhone: /);
});
