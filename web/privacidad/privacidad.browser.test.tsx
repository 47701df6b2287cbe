import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { requireProof } from '../../contract/account/account.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import {
  anonimizar,
  type Bloqueo,
  bloquear,
  buscarPersonas,
  desbloquear,
  getPlazo,
  listBloqueos,
  type PersonaEncontrada,
} from '../../contract/privacidad/privacidad.ts';
import { bloqueo, personaEncontrada } from '../../contract/privacidad/schemas.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { emptyOf, uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* «Datos personales»: finds a person, exports, blocks and anonymises their data. */

const NAME = 'Remedios Alba Cano';
let found: PersonaEncontrada[];
let blocked: Bloqueo[];
const aPersona = (fields: Partial<PersonaEncontrada> = {}): PersonaEncontrada => ({
  ...(emptyOf(personaEncontrada) as PersonaEncontrada),
  nombres: [NAME],
  telefonos: ['655 11 22 33'],
  lugar: 'Soria',
  pedidos: 2,
  primero: '2026-03-01T10:00:00Z',
  ultimo: '2026-04-01T10:00:00Z',
  coincide: ['Teléfono'],
  ...fields,
});
beforeEach(() => {
  [found, blocked] = [[aPersona()], []];
  server.reply(buscarPersonas, () => ({ ...pageOf(found), usuarios: [], usuarios_total: 0, sueltos: [] }));
  server.reply(listBloqueos, () => pageOf(blocked));
});

const search = page.getByRole('searchbox', { name: 'Nombre, teléfono o email' });
const look = () => page.getByRole('button', { name: 'Buscar', exact: true }).click();
const people = page.getByRole('list', { name: 'Clientes encontrados' });
const press = (name: string) => page.getByRole('button', { name }).click();
const dialog = page.getByRole('dialog');
const motivo = dialog.getByLabelText(/^Motivo/);

test('a person found by a search of three or more characters can be blocked with a reason', async () => {
  open('/privacidad');
  await search.fill('re');
  await look();
  await expect.element(page.getByText('Escribe al menos 3 letras o cifras')).toBeVisible();
  expect(server.asked(buscarPersonas)).toEqual([]);
  await search.fill('655112233');
  await look();
  await expect.poll(() => people.getByRole('listitem').elements()).toHaveLength(1);
  await expect.element(people).toMatchTextContent(/655 11 22 33, Soria.*2 pedidos, del 01\/03\/2026 al 01\/04\/2026/);
  await expect.element(people).toMatchTextContent('Se ha encontrado en teléfono.');
  await expect.poll(address).toContain('search=655112233');
  await expectAccessible();

  const persona = found[0]?.pedido_id;
  await press(`Bloquear los datos de ${NAME}`);
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect.element(motivo).toHaveAccessibleDescription(/Indica el motivo/);
  await motivo.fill('Lo pide por una reclamación');
  await expectAccessible();
  server.reply(bloquear, ({ body }) => {
    [found, blocked] = [[], [{ ...(emptyOf(bloqueo) as Bloqueo), numero_orden: 'ORD-2026000001', motivo: body.motivo }]];
    return asDone('2 pedidos bloqueados', { pedidos: 2 });
  });
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect.element(page.getByText('2 pedidos bloqueados')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(bloquear).map(({ body }) => body)).toEqual([{ persona, motivo: 'Lo pide por una reclamación' }]);
  await expect.element(page.getByText('No se ha encontrado a nadie')).toBeVisible();
  await expect.element(row('ORD-2026000001')).toMatchTextContent('Lo pide por una reclamación');
});

test('each order is listed with its name before data is taken out, and those of others are left out', async () => {
  const lista = ['Adela Relleno', 'Clara Relleno'].map((cliente_nombre, i) => ({
    id: uuid(),
    numero_orden: `ORD-202600000${i}`,
    cliente_nombre,
    fecha_pedido: '2026-11-02T10:00:00Z',
  }));
  found = [aPersona({ lista })];
  server.answer(anonimizar, asDone('Hecho', { pedidos: 1 }));
  open('/privacidad?search=relleno');
  await press(`Anonimizar los datos de ${NAME}`);
  await motivo.fill('Lo pide');
  await dialog.getByLabelText(/^Escribe ANONIMIZAR para confirmar/).fill('ANONIMIZAR');
  for (const { cliente_nombre } of lista) await dialog.getByRole('checkbox', { name: new RegExp(cliente_nombre) }).click();
  await dialog.getByRole('button', { name: 'Anonimizar para siempre' }).click();
  await expect.element(dialog).toMatchTextContent('Elige al menos un pedido');
  await dialog.getByRole('checkbox', { name: 'ORD-2026000000, Adela Relleno, 02/11/2026' }).click();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Anonimizar para siempre' }).click();
  await expect.poll(() => server.asked(anonimizar).map(({ body }) => body.pedidos)).toEqual([[lista[0]?.id]]);
});

test('a search for personal data without results says so', async () => {
  found = [];
  open('/privacidad?search=nadie');
  await expect.element(page.getByText('No se ha encontrado a nadie')).toBeVisible();
  await expect.element(page.getByText('No hay nada bloqueado')).toBeVisible();
});

test('a search for personal data also finds users of the program', async () => {
  const rita = { id: uuid(), full_name: 'Rita Sanz', email: 'rita@enruta.test', role: 'revendedor', activo: false };
  server.answer(buscarPersonas, {
    ...pageOf([]),
    usuarios: [rita, { ...rita, id: uuid(), full_name: 'Aux Uno', role: 'auxiliar' }],
    usuarios_total: 2,
    sueltos: [{ lugar: 'Registro', veces: 3 }],
  });
  open('/privacidad?search=rita');
  const users = page.getByRole('list', { name: 'Personas del programa' });
  await expect.element(users).toMatchTextContent('Rita Sanz · rita@enruta.test · Revendedor (desactivado)');
  await expect.element(users).toMatchTextContent('Aux Uno · rita@enruta.test · auxiliar (desactivado)');
  await expect.element(page.getByText('También está escrito, sin que sea de ningún pedido, en Registro: 3.')).toBeVisible();
});

test('a person’s data is downloaded once the password is confirmed', async () => {
  const downloads: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.pathname + this.search);
  });
  server.answer(requireProof, { success: true, message: 'Hecho' });
  open('/privacidad?search=remedios');
  await press(`Exportar los datos de ${NAME}`);
  await expect.poll(() => downloads).toEqual([`/api/privacidad/export?persona=${found[0]?.pedido_id}`]);
  expect(server.asked(requireProof)).toHaveLength(1);
});

test('anonymising a person needs a typed word, and is refused while an order is unfinished', async () => {
  found = [aPersona({ abiertos: 1 })];
  const refusal = 'Estos pedidos no han terminado: complétalos o cancélalos antes. ORD-2026000001.';
  server.refuse(anonimizar, 409, { message: refusal });
  open('/privacidad?search=remedios');
  await expect.element(page.getByText('1 sin terminar')).toBeVisible();
  await press(`Anonimizar los datos de ${NAME}`);
  await expect.element(dialog).toMatchTextContent('Un pedido no ha terminado: complétalos o cancélalos antes.');
  await motivo.fill('Lo pide');
  const word = dialog.getByLabelText(/^Escribe ANONIMIZAR para confirmar/);
  const confirm = dialog.getByRole('button', { name: 'Anonimizar para siempre' });
  await confirm.click();
  await expect.element(word).toHaveFocus();
  await expectAccessible();
  await word.fill('ANONIMIZAR');
  found = [aPersona()];
  await confirm.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText(refusal)).toBeVisible();
  // The refusal has refetched the person, whose order has ended meanwhile.
  await expect.element(page.getByText('1 sin terminar')).not.toBeInTheDocument();

  server.answer(anonimizar, asDone('2 pedidos anonimizados', { pedidos: 2 }));
  await press(`Anonimizar los datos de ${NAME}`);
  await motivo.fill('Lo pide');
  await word.fill('ANONIMIZAR');
  await confirm.click();
  await expect.element(page.getByText('2 pedidos anonimizados')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(anonimizar).at(-1)?.body).toMatchObject({ motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' });
});

test('«Datos personales» shows the retention period and the blocked orders, which can be unblocked', async () => {
  server.answer(getPlazo, { data: { meses: 24, pendientes: 3, proxima: '2026-11-21T02:40:00Z', anonimizados: 5 } });
  const id = uuid();
  blocked = [{ ...(emptyOf(bloqueo) as Bloqueo), pedido_id: id, numero_orden: 'ORD-2026000001', motivo: 'Reclamación' }];
  open('/privacidad');
  const term = page.getByRole('region', { name: 'Por plazo' });
  await expect
    .element(term)
    .toMatchTextContent(/24 meses después de terminar\. Lo han cumplido 3 pedidos; la próxima vez es el 21\/11\/2026 03:40/);
  await expect.element(term).toMatchTextContent('Hay 5 pedidos sin datos del cliente.');

  await press('Desbloquear ORD-2026000001');
  await motivo.fill('Resuelto');
  server.reply(desbloquear, () => {
    blocked = [];
    return asDone('1 pedido desbloqueado', { pedidos: 1 });
  });
  await dialog.getByRole('button', { name: 'Desbloquear' }).click();
  await expect.element(page.getByText('1 pedido desbloqueado')).toBeVisible();
  await expect.element(page.getByText('No hay nada bloqueado')).toBeVisible();
  expect(server.asked(desbloquear).map(({ body }) => body)).toEqual([{ pedidos: [id], motivo: 'Resuelto' }]);
});

test('a reseller who opens «Datos personales» is redirected home', async () => {
  open('/privacidad', 'revendedor');
  await expect.poll(address).toBe('/revendedor-dashboard');
});

test('an order with blocked data says so, and cannot be edited', async () => {
  const pedido = aPedido({ cliente_nombre: 'Cliente bloqueado', estado: 'completado', bloqueado_at: '2026-11-20T10:00:00Z' });
  server.answer(getPedido, { data: pedido });
  open(`/pedidos/${pedido.id}`);
  await expect.element(page.getByText('Datos bloqueados')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Editar' })).not.toBeInTheDocument();
});

test('a reseller sees that the data of an order is blocked, and cannot repeat the order', async () => {
  const pedido = aPedido({ cliente_nombre: 'Cliente bloqueado', estado: 'completado', bloqueado_at: '2026-11-20T10:00:00Z' });
  server.answer(listPedidos, pageOf([pedido]));
  server.answer(getPedido, { data: pedido });
  open('/mis-pedidos', 'revendedor');
  await row('Cliente bloqueado').getByText('Cliente bloqueado').click();
  await expect.element(dialog.getByText('Datos bloqueados')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Repetir pedido' })).not.toBeInTheDocument();
});

test('an order with anonymised data says so', async () => {
  const pedido = aPedido({ cliente_nombre: 'Cliente anonimizado', estado: 'completado', anonimizado_at: '2026-11-20T23:30:00Z' });
  server.answer(getPedido, { data: pedido });
  open(`/pedidos/${pedido.id}`);
  await expect.element(page.getByText('Datos anonimizados el 21/11/2026')).toBeVisible();
  await expect.element(page.getByText('Cliente anonimizado').first()).toBeVisible();
  await expectAccessible();
});
