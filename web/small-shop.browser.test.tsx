import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { listPacks, listProducts } from '../contract/products/products.ts';
import { listDisponibles } from '../contract/transportista/transportista.ts';
import { listUsers } from '../contract/users/users.ts';
import { open } from '../test/web/app.tsx';
import { server } from '../test/web/fake-server.ts';
import { aPack, aPedido, aProduct, aUser, listed, pageOf } from '../test/web/samples.ts';
import { queryClient } from './api.ts';
import { itemsFor } from './nav/nav-items.ts';

/*
 * A shop of three without resellers, delivery companies, cash and VAT: no screen of its menu has their words. «Configuración» switches
 * them on.
 */

const WORDS =
  /contra reembolso|\bcaja\b|\bIVA\b|\bNIF\b|facturar|revendedor\w*|\benvíos\b|fichero de envío|empresas? de transporte|con (?:una )?empresa|empresa: todas|\bMRW\b|FedEx|\bcorreos\b/gi;
/** Words that the specification puts on a screen. */
const SPECIFIED: Partial<Record<string, string[]>> = {
  '/': ['Revendedores'],
  '/pedidos': ['Revendedor', 'revendedor'],
  '/gestion-usuarios': ['Revendedores'],
  '/admin': ['Revendedor'],
};
const ROLES = ['superadmin', 'transportista'] as const;
const SCREENS = ROLES.flatMap((role) =>
  [...itemsFor(role).map(({ path }) => path), ...(role === 'superadmin' ? ['/pedidos/nuevo-admin'] : [])]
    .filter((path) => path !== '/configuracion')
    .map((path) => [role, path] as const),
);

/** All that can be read: text, names of controls, values and placeholders of fields. */
function read(): string {
  const controls = [...document.querySelectorAll<HTMLInputElement>('[aria-label], input')].filter((control) => control.checkVisibility());
  const texts = controls.flatMap((control) => [control.getAttribute('aria-label'), control.value, control.placeholder]);
  return [document.body.innerText, ...texts].join('\n');
}

beforeEach(() => {
  localStorage.setItem('mas-datos', 'abierto');
  server.reply(listUsers, ({ query }) => listed(query.role === 'transportista' ? [aUser('transportista')] : []));
  server.answer(listProducts, listed([aProduct()]));
  server.answer(listPacks, listed([aPack({ available: true, quedan: 9 })]));
  const orders = pageOf([aPedido({ producto: 'Aceite – Unidad' })]);
  server.answer(listPedidos, orders);
  server.answer(listDisponibles, orders);
});

test.each(SCREENS)('a %s of a shop of three reads no words at %s about features that the shop does not use', async (role, path) => {
  open(path === '/gestion-usuarios' ? `${path}?rol=transportista` : path, role);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const found = () => [...new Set(read().match(WORDS))].toSorted();
  await expect.poll(() => queryClient.isFetching() || document.querySelector('main [aria-busy="true"]')).toBeFalsy();
  await expect.poll(found).toEqual(SPECIFIED[path] ?? []);
  for (const name of ['Más filtros', /^(?:Más acciones|Acciones) del pedido/]) {
    const more = page.getByRole('button', { name }).first();
    if (more.elements().length === 0) continue;
    await more.click();
    await expect.poll(() => more.element().ariaExpanded).toBe('true');
    await expect.poll(found).toEqual(SPECIFIED[path] ?? []);
    await userEvent.keyboard('{Escape}');
  }
});
