import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { getInvitation } from '../../../contract/session/session.ts';
import { onPhone, open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';

/* Text at twice its size on a phone, for people with low vision (WCAG 1.4.4). */

beforeEach(async () => {
  await onPhone();
  document.documentElement.style.fontSize = '32px';
});
afterEach(() => {
  document.documentElement.style.fontSize = '';
});

/** Buttons and links whose words are cut off, and the pixels by which the page is wider than the window. */
function cut(): { wider: number; buttons: string[] } {
  const { scrollWidth, clientWidth } = document.documentElement;
  const labels = [...document.querySelectorAll<HTMLElement>('button *, a *')].filter(
    (element) => element.childElementCount === 0 && element.textContent?.trim() && element.clientWidth > 1 && element.checkVisibility(),
  );
  const isCut = (element: HTMLElement) => {
    const { left, right } = element.getBoundingClientRect();
    return (
      element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1 || left < 0 || right > clientWidth
    );
  };
  return { wider: scrollWidth - clientWidth, buttons: labels.filter(isCut).map(({ textContent }) => textContent ?? '') };
}
const FITS = { wider: 0, buttons: [] };

test('the sign-in screen fits a phone at double text size', async () => {
  open('/auth', 'nobody');
  await expect.element(page.getByRole('button', { name: 'Iniciar Sesión' })).toBeVisible();
  await expect.poll(cut).toEqual(FITS);
});

test('an invitation fits a phone at double text size', async () => {
  server.answer(getInvitation, { data: { full_name: 'Rita Sanz', email: 'rita.sanz@laolivera.test', empresa: 'La Olivera' } });
  open('/invitacion/abc', 'nobody');
  await expect.element(page.getByRole('button', { name: 'Guardar y entrar' })).toBeVisible();
  await expect.poll(cut).toEqual(FITS);
});

test('a carrier’s day fits a phone at double text size, with the label of every step', async () => {
  const fields = {
    cliente_nombre: 'Francisco Javier Carrasco',
    cliente_telefono: '600112233',
    transportista_id: person('transportista').id,
  };
  server.reply(listPedidos, () => pageOf([aPedido({ ...fields, estado: 'asignado' }), aPedido({ ...fields, estado: 'en_ruta' })]));
  open('/pedidos-asignados', 'transportista');
  await expect.element(page.getByRole('button', { name: /^Salir a reparto/ })).toBeVisible();
  await expect.poll(cut).toEqual(FITS);
});
