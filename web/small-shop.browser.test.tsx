import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPacks, listProducts } from '../contract/products/products.ts';
import { listUsers } from '../contract/users/users.ts';
import { open } from '../test/web/app.tsx';
import { server } from '../test/web/fake-server.ts';
import { aPack, aProduct, aUser, listed } from '../test/web/samples.ts';

/* A shop of three without resellers, cash and VAT: no screen has their words. «Configuración» switches them on. */

const WORDS = /contra reembolso|\bcaja\b|\bIVA\b|\bNIF\b|\benvíos\b|facturar/gi;
const SCREENS: [path: string, heading: string][] = [
  ['/', 'Dashboard'],
  ['/entregas', 'Entregas'],
  ['/pedidos', 'Gestión de Pedidos'],
  ['/pedidos/nuevo-admin', 'Crear pedido'],
  ['/control-stock', 'Control de Stock'],
  ['/gestion-usuarios?rol=transportista', 'Gestión de Usuarios'],
  ['/clientes', 'Clientes'],
];
// The specification puts «Revendedor» on the other screens.
const SOLD_BY_US = ['/entregas', '/pedidos/nuevo-admin', '/clientes'];

beforeEach(() => {
  localStorage.setItem('mas-datos', 'abierto');
  server.reply(listUsers, ({ query }) => listed(query.role === 'transportista' ? [aUser('transportista')] : []));
  server.answer(listProducts, listed([aProduct()]));
  server.answer(listPacks, listed([aPack({ available: true, quedan: 9 })]));
});

test.each(SCREENS)('%s of a shop of three has no words of what it does not use', async (path, heading) => {
  open(path);
  await expect.element(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  const more = page.getByRole('button', { name: 'Más filtros' });
  if (more.elements().length > 0) await more.click();
  const found = () => document.body.innerText.match(WORDS) ?? [];
  await expect.poll(found).toEqual([]);
  if (SOLD_BY_US.includes(path)) await expect.poll(() => document.body.innerText.match(/revendedor/gi) ?? []).toEqual([]);
});
