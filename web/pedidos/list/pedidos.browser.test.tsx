import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getPedido, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { getUser } from '../../../contract/session/session.ts';
import { addressLine } from '../../../contract/text/address.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { randomAddress as anAddress } from '../../../demo/addresses.ts';
import { businessName, personName, randomPhone } from '../../../demo/names.ts';
import { seededRandom } from '../../../demo/random.ts';
import { address, expectAccessible, onPhone, open, person, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { head, row, rows, sortOf } from '../../../test/web/list.ts';
import { aPedido, aUser, listed, pedidosAsked } from '../../../test/web/samples.ts';
import { expectAfter, holdRetries } from '../../../test/web/waits.ts';

/* «Gestión de Pedidos»: search, filters and columns of the list of all orders. */

let pedidos: Pedido[];
beforeEach(() => {
  pedidos = [];
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
});

const table = page.getByRole('table');
const heads = () => [...(table.getByRole('row').first().element() as HTMLTableRowElement).cells];
const titles = () => heads().map(({ textContent }) => textContent);
const box = (of: { element: () => Element }) => of.element().getBoundingClientRect();
const view = page.getByRole('dialog', { name: 'Columnas' });
const openView = () => page.getByRole('button', { name: 'Columnas' }).click();
const many = (n: number, name: string) => Array.from({ length: n }, (_, i) => aPedido({ cliente_nombre: `${name} ${n - i}` }));
/** Last query of the list. */
const asked = () => server.asked(listPedidos).at(-1)?.query;

const USUAL = ['', 'ID Pedido', 'Cliente', 'Revendedor', 'Transportista', 'Estado', 'Total', 'Fecha', 'Acciones'];
const CHOSEN = [
  '',
  'ID Pedido',
  'Cliente',
  'Transportista',
  'Estado',
  'Total',
  'Producto',
  'Fecha',
  'Pagado',
  'Hora',
  'Prometido',
  'Acciones',
];

test('rows show telephone and street with its number at 1280, the whole address at 1440, and seven rows fit', async () => {
  await page.viewport(1280, 720);
  const random = seededRandom(48);
  pedidos = Array.from({ length: 20 }, (_, i) => {
    const business = i % 4 === 0;
    const cliente_nombre = business ? businessName(random) : personName(random);
    const people = { revendedor_nombre: personName(random), transportista_nombre: personName(random) };
    return aPedido({
      ...anAddress(random, business),
      ...people,
      cliente_nombre,
      cliente_telefono: randomPhone(random) ?? '+34 600 11 22 33',
    });
  });
  open('/pedidos');
  await expect.element(row(pedidos[19]?.numero_orden ?? '')).toBeInTheDocument();
  // Rows whose address is cut off before its first `characters`, or whose telephone is cut off.
  const cut = (characters: (pedido: Pedido) => number) =>
    pedidos.filter((pedido) => {
      const phone = row(pedido.numero_orden).element().querySelector('[data-shown="telefono"]') as HTMLElement;
      const text = phone.parentElement?.lastChild as Text;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, characters(pedido));
      const cell = phone.closest('td')?.getBoundingClientRect();
      const isBelow = range.getBoundingClientRect().bottom > (phone.parentElement?.getBoundingClientRect().bottom ?? 0) + 1;
      return isBelow || phone.getBoundingClientRect().right > (cell?.right ?? 0);
    });
  expect(cut(({ cliente_direccion }) => cliente_direccion.length)).toEqual([]);
  await page.viewport(1440, 900);
  expect(cut((pedido) => addressLine(pedido).length)).toEqual([]);
  await page.viewport(1280, 720);
  const height = pedidos.reduce((sum, { numero_orden }) => sum + box(row(numero_orden)).height, 0) / pedidos.length;
  const frame = table.element().closest('[data-scrollarea-viewport]') as HTMLElement;
  const headHeight = heads()[0]?.getBoundingClientRect().height ?? 0;
  expect(Math.floor((frame.clientHeight - headHeight) / height)).toBeGreaterThanOrEqual(7);
  // The link has the whole order number as its name and as its tooltip.
  const link = table.getByRole('link', { name: pedidos[0]?.numero_orden ?? '' });
  await expect.element(link).toHaveAttribute('title', pedidos[0]?.numero_orden);
});

test('an empty list of orders leads to the form for the first order', async () => {
  open('/pedidos');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Gestión de Pedidos' })).toBeVisible();
  await expect.element(page.getByText('Todavía no hay pedidos')).toBeVisible();
  await expectAccessible();
  await page.getByRole('main').getByRole('link', { name: 'Crear pedido' }).last().click();
  await expect.poll(address).toBe('/pedidos/nuevo-admin');
});

test('a row shows an order’s customer, people, total and day, with a badge that stands out even if selected', async () => {
  pedidos = [
    aPedido({
      cliente_nombre: 'Nuria Peña',
      cliente_telefono: '600 11 22 33',
      cliente_direccion: 'Calle del Pez, 7',
      cliente_direccion2: '3.º B',
      cliente_codigo_postal: '28004',
      cliente_ciudad: 'Madrid',
      cliente_provincia: 'Madrid',
      revendedor_nombre: 'Rosa Vende',
      precio_total: 1234.5,
      // 00:30 on the 21st in Madrid.
      fecha_pedido: '2026-11-20T23:30:00Z',
    }),
  ];
  open('/pedidos');
  for (const text of [
    'Nuria Peña',
    '600 112 233',
    'Calle del Pez, 7, 3.º B, 28004 Madrid',
    'Rosa Vende',
    'Sin asignar',
    'Pendiente',
    '1.234,50',
    '21/11/2026',
  ])
    await expect.element(row(/^ORD-/)).toMatchTextContent(text);
  await expectAccessible();

  await row(/^ORD-/).getByRole('checkbox').click();
  await expect.element(page.getByText('1 pedido elegido')).toBeVisible();
  const text = row(/^ORD-/).getByText('Pendiente').element();
  const [badge, line] = [text.parentElement, text.closest('tr')].map((element) => element && getComputedStyle(element).backgroundColor);
  expect(badge).not.toBe(line);
});

test('pressing a column heading sorts the list, and the address keeps the sorting', async () => {
  pedidos = ['Zacarías Último', 'Abel Primero'].map((cliente_nombre) => aPedido({ cliente_nombre }));
  open('/pedidos');
  await expect.element(row('Zacarías Último')).toBeVisible();
  expect(titles()).toEqual(USUAL);
  await head('Cliente').click();
  await expect.element(rows().first()).toMatchTextContent('Abel Primero');
  expect(address()).toContain('sort=cliente_nombre&dir=asc');
  expect(asked()).toMatchObject({ sort: 'cliente_nombre', dir: 'asc' });
  expect(sortOf('Cliente')).toBe('ascending');
  await expect.element(page.getByRole('img', { name: 'de menor a mayor' })).toBeVisible();
  expect(sortOf('Estado')).toBe('none');
  await expect.element(page.getByRole('img', { name: 'sin ordenar' }).first()).toBeVisible();
  await head('Cliente').click();
  await expect.element(rows().first()).toMatchTextContent('Zacarías Último');
  expect(sortOf('Cliente')).toBe('descending');
  await expect.element(page.getByRole('img', { name: 'de mayor a menor' })).toBeVisible();
  reload();
  await expect.element(rows().first()).toMatchTextContent('Zacarías Último');
});

test('search and filters are kept in the address and restored from it', async () => {
  const carrier = aUser('transportista', { full_name: 'Celia Reparte' });
  server.reply(listUsers, ({ query }) => listed(query.role === 'transportista' ? [carrier] : []));
  const taken = {
    estado: 'asignado',
    transportista_id: carrier.id,
    transportista_nombre: carrier.full_name,
    empresa_transporte: 'mrw',
  } as const;
  const [mine, other] = [aPedido({ cliente_nombre: 'Óscar Búsqueda' }), aPedido({ cliente_nombre: 'Óscar Búsqueda', ...taken })];
  pedidos = [mine, other, aPedido()];
  open('/pedidos');
  const search = page.getByPlaceholder('Buscar por cliente, ID o revendedor...');
  await search.fill('oscar busq');
  await expect.element(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  expect(address()).toContain('search=oscar');

  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Asignado' }).click();
  await expect.element(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
  await page.getByRole('menuitemcheckbox', { name: 'Pendiente', exact: true }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Estado: 2 estados' })).toHaveFocus();

  await page.getByRole('combobox', { name: 'Transportista' }).click();
  await page.getByRole('option', { name: 'Sin asignar' }).click();
  await expect.element(row(other.numero_orden)).not.toBeInTheDocument();
  await expect.element(row(mine.numero_orden)).toBeVisible();

  history.back();
  await expect.element(row(other.numero_orden)).toBeVisible();
  open(address(), 'superadmin', { envios: true });
  await expect.element(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect.element(search).toHaveValue('oscar busq');

  await page.getByRole('button', { name: 'Más filtros' }).click();
  await page.getByRole('combobox', { name: 'Empresa de transporte' }).click();
  await page.getByRole('option', { name: 'MRW' }).click();
  await expect.element(row(mine.numero_orden)).not.toBeInTheDocument();
  await expect.element(row(other.numero_orden)).toMatchTextContent('Celia Reparte');
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Quitar filtros' }).click();
  await expect.poll(address).toBe('/pedidos');

  await search.fill('nadie se llama así');
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
});

test('where there are two web shops the list narrows to one of them', async () => {
  pedidos = [aPedido({ tienda: 'Outlet' })];
  open('/pedidos');
  const more = page.getByRole('button', { name: /^Más filtros|^Más\b/ });
  const shops = page.getByRole('combobox', { name: 'Tienda en línea' });
  await more.click();
  await expect.element(page.getByRole('combobox', { name: 'Pago' })).toBeVisible();
  await expect.element(shops).not.toBeInTheDocument();
  open('/pedidos', 'superadmin', { tiendas: ['Miel', 'Outlet'] });
  await more.click();
  await shops.click();
  await page.getByRole('option', { name: 'Outlet' }).click();
  await expect.poll(asked).toMatchObject({ tienda: 'Outlet' });
  await expect.poll(address).toBe('/pedidos?tienda=Outlet');
  await expectAccessible();
  // An address of before, with the name of a shop that there is not any more.
  open('/pedidos?tienda=Vieja');
  await more.click();
  await expect.element(shops).toHaveValue('Vieja');
});

test('a button opens the filters other than the search on a phone', async () => {
  pedidos = [aPedido({ cliente_nombre: 'Olga Oviedo' }), aPedido({ cliente_nombre: 'Lola León', estado: 'asignado' })];
  await onPhone();
  open('/pedidos');
  const button = page.getByRole('button', { name: 'Filtros', exact: true });
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  await expect.element(page.getByRole('combobox', { name: 'Transportista' })).not.toBeInTheDocument();
  await button.click();
  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Asignado' }).click();
  await expect.element(row('Olga Oviedo')).not.toBeInTheDocument();
  await expect.element(row('Lola León')).toBeVisible();
});

test('invalid parameters in the address are ignored', async () => {
  pedidos = [aPedido()];
  open('/pedidos?estado=inventado&sort=precio&dir=arriba&transportista_id=pepe&fecha_desde=ayer&page=-3');
  await expect.element(row(/^ORD-/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Quitar filtros' })).not.toBeInTheDocument();
  expect(asked()).toEqual({ page: '1', per_page: '20', sort: 'fecha_pedido', dir: 'desc' });
});

test('the list pages step by step, and recovers from a network failure', async () => {
  const retries = holdRetries();
  pedidos = many(41, 'Droguería');
  server.reply(listPedidos, ({ query }) => ({ ...pedidosAsked(pedidos, query), importe: 25 }));
  open('/pedidos?search=drogueria&estado=pendiente&page=2');
  await expect.element(row('Droguería 21')).toBeVisible();
  await expect.element(page.getByText('Página 2 de 3')).toBeVisible();
  await expect.element(page.getByText(/^Suman 25,00\s€$/)).toBeVisible();

  // Without a network the list shows an error, and loads once the network is back.
  server.offline(true);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expectAfter(retries, page.getByRole('alert').filter({ hasText: 'No se pudieron cargar los pedidos' }));
  server.offline(false);
  await expect.element(page.getByText('Mostrando 1 de 41 pedidos')).toBeVisible();
  await expect.element(rows()).toMatchTextContent('Droguería 1');
  expect(address()).toContain('page=3');
  await expect.element(page.getByRole('button', { name: 'Siguiente' })).toBeDisabled();
  await page.getByRole('button', { name: 'Anterior' }).click();
  await expect.element(row('Droguería 21')).toBeVisible();

  await page.getByRole('combobox', { name: 'Filas por página' }).click();
  await page.getByRole('option', { name: '50 por página' }).click();
  await expect.element(page.getByText('Mostrando 41 de 41 pedidos')).toBeVisible();
  expect(address()).not.toContain('page=');
  await expect.element(page.getByRole('button', { name: 'Anterior' })).toBeDisabled();
  reload();
  await expect.element(page.getByText('Mostrando 41 de 41 pedidos')).toBeVisible();
  expect(asked()).toMatchObject({ per_page: '50' });
});

test('a list that failed to load shows an error and can be retried', async () => {
  pedidos = [aPedido()];
  server.refuse(listPedidos, 500, { message: 'Ha ocurrido un error inesperado' });
  open('/pedidos');
  await expect.element(page.getByRole('alert')).toMatchTextContent('No se pudieron cargar los pedidos');
  await expectAccessible();
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(row(/^ORD-/)).toBeVisible();
});

test('a reseller is sent home from the page that edits an order', async () => {
  open('/pedidos/00000000-0000-4000-8000-000000000000/editar', 'revendedor');
  await expect.poll(address).toBe('/revendedor-dashboard');
});

test('chosen columns and row height are remembered for the person until they are reset', async () => {
  pedidos = [aPedido({ cantidad: 3, producto: 'Vino – Caja de vino', fecha_pedido: '2026-11-20T23:30:00Z' })];
  open('/pedidos');
  await expect.element(row(/^ORD-/)).toBeVisible();
  const height = () => box(rows().first()).height;
  expect(height()).toBeGreaterThan(40);
  await openView();
  for (const name of ['Producto', 'Pagado', 'Hora', 'Prometido']) await view.getByRole('checkbox', { name }).click();
  await view.getByRole('checkbox', { name: 'Revendedor' }).click();
  await view.getByRole('button', { name: 'Subir Producto' }).click();
  await view.getByRole('checkbox', { name: 'Filas de una línea' }).click();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Columnas' })).toHaveFocus();
  await expect.poll(height).toBeLessThan(34);
  expect(titles()).toEqual(CHOSEN);
  for (const text of ['3 × Vino – Caja de vino', 'Por cobrar', '00:30']) await expect.element(row(/^ORD-/)).toMatchTextContent(text);

  reload();
  await expect.element(row(/^ORD-/)).toBeVisible();
  expect(titles()).toEqual(CHOSEN);
  await expect.poll(height).toBeLessThan(34);
  await openView();
  await view.getByRole('button', { name: 'Restablecer columnas y anchos' }).click();
  await expect.poll(titles).toEqual(USUAL);
  await view.getByRole('checkbox', { name: 'Revendedor' }).click();
  await expect.poll(titles).not.toContain('Revendedor');

  open('/pedidos');
  const other = { ...person('superadmin'), id: person('transportista').id };
  server.answer(getUser, {
    user: other,
    negocio: { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false },
  });
  await expect.element(row(/^ORD-/)).toBeVisible();
  expect(titles()).toEqual(USUAL);
});

test('a column widened by dragging its edge keeps its width after a reload', async () => {
  pedidos = [aPedido()];
  open('/pedidos');
  await expect.element(row(/^ORD-/)).toBeVisible();
  const column = () => head('Revendedor').element().closest('th') as HTMLElement;
  const width = () => Math.round(column().getBoundingClientRect().width);
  const before = width();
  const edge = page
    .getByTitle(/^Arrastra para cambiar el ancho/)
    .elements()
    .find((element) => column().contains(element)) as Element;
  const { x, y } = edge.getBoundingClientRect();
  const pulled = [10, 20, 30, 43].map((by) => ({ coords: { x: x + by, y: y + 8 } }));
  await userEvent.pointer([{ target: edge, coords: { x: 3, y: 8 }, keys: '[MouseLeft>]' }, ...pulled, { keys: '[/MouseLeft]' }]);
  await expect.poll(width).toBeGreaterThan(before + 20);
  const wider = width();
  reload();
  await expect.element(row(/^ORD-/)).toBeVisible();
  await expect.poll(() => Math.abs(width() - wider)).toBeLessThan(4);
});

test('a set filter still shows its label', async () => {
  open('/pedidos?empresa_transporte=mrw&pagado=no');
  await page.getByRole('button', { name: 'Más filtros puestos: 2' }).click();
  for (const [label, name] of [
    ['Empresa de transporte', 'Empresa:'],
    ['Pago', 'Pago:'],
  ] as const) {
    const field = page.getByRole('combobox', { name: label });
    await expect.element(field).toBeVisible();
    const [value, labelBox] = [box(field), box(page.getByText(name, { exact: true }))];
    expect(labelBox.left).toBeGreaterThanOrEqual(value.left);
    expect(labelBox.right).toBeLessThanOrEqual(value.left + value.width / 2);
  }
});

test('the page of an order shows its goods and payments beside its recipient', async () => {
  // An order without payment or link has no part «Pagos».
  const pedido = aPedido({ payment_link: 'https://enruta.test/pagar/una-llave' });
  server.answer(getPedido, { data: pedido });
  open(`/pedidos/${pedido.id}`);
  await expect.element(page.getByRole('heading', { name: 'Historia y comentarios' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Pagos' })).toBeVisible();
  const payments = box(page.getByRole('heading', { name: 'Pagos' }));
  expect(box(page.getByText('Cliente - Nombre', { exact: true })).x).toBeGreaterThan(payments.x + 500);
});

const filters = page.getByRole('group', { name: 'Filtros' });
const tops = () =>
  ['combobox', 'button', 'searchbox']
    .flatMap((role) => filters.getByRole(role).elements())
    .map((element) => box({ element: () => element }).y);
const spread = () => Math.max(...tops()) - Math.min(...tops());
/** Returns the smallest number of filters on a line below the first; 99 if there is one line only. */
function fewestBelow() {
  const lines = tops().map((y) => Math.round(y / 12));
  return Math.min(99, ...lines.filter((line) => line > Math.min(...lines)).map((line) => lines.filter((other) => other === line).length));
}

test('the filters fit on one line in a wide window, or on two full lines when all are set', async () => {
  const [reseller, carrier] = [aUser('revendedor'), aUser('transportista')];
  server.reply(listUsers, ({ query }) => listed([reseller, carrier].filter(({ role }) => role === query.role)));
  const people = `revendedor_id=${reseller.id}&transportista_id=${carrier.id}`;
  const searchWidth = () => box(filters.getByRole('searchbox')).width;
  for (const search of ['', `?estado=pendiente_pago&${people}&fecha_desde=2026-11-01&fecha_hasta=2026-11-20&pagado=no`]) {
    open(`/pedidos${search}`);
    const field = filters.getByRole('combobox', { name: 'Transportista' });
    await expect.element(field).toHaveValue(search ? carrier.full_name : 'Transportista: todos');
    await expect
      .element(filters.getByRole('combobox', { name: 'Revendedor' }))
      .toHaveValue(search ? reseller.full_name : 'Revendedor: todos');
    for (const width of [1440, 1920]) {
      await page.viewport(width, 900);
      expect(tops().length).toBeGreaterThan(5);
      await expect.poll(spread, { message: `${width} ${search}` }).toBeLessThan(search ? 56 : 12);
      // The placeholder is not cut off.
      await expect.poll(searchWidth).toBeGreaterThanOrEqual(270);
      // Labels stay visible while the filters are set.
      for (const name of search ? ['Revendedor:', 'Transportista:'] : [])
        await expect.element(filters.getByText(name, { exact: true })).toBeInViewport();
    }
    if (search) continue;
    await page.viewport(1280, 900);
    await expect.poll(spread).toBeGreaterThan(12);
    await expect.poll(fewestBelow).toBeGreaterThan(4);
  }
  open('/pedidos?atrasado=si&incidencia=si&transferencia=si&ciudad=Madrid');
  await expect.element(filters.getByRole('button', { name: 'Más filtros' })).toBeVisible();
  for (const width of [1440, 1920]) {
    await page.viewport(width, 900);
    await expect.poll(fewestBelow).toBeGreaterThan(4);
  }
});

test('the list fits a narrow window with all its columns and at least nine rows, and fills a wide window', async () => {
  const people = { revendedor_nombre: 'Lucía Fernández Peña', transportista_nombre: 'Nuria Domínguez Sáez' };
  pedidos = many(20, 'Inmaculada Aguilar').map((pedido) => ({
    ...pedido,
    ...people,
    cliente_telefono: '600 11 22 33',
    cliente_direccion: 'Avenida de la Constitución, 148',
    precio_total: 162,
    pagado: 50,
    pendiente: 112,
  }));
  await page.viewport(1440, 900);
  open('/pedidos');
  await expect.element(row(pedidos[0]?.numero_orden ?? '')).toBeVisible();
  expect(titles()).toEqual(USUAL);
  const foot = () => box(page.getByText(/^Mostrando 20 de 20/)).top;
  const seen = () => pedidos.filter(({ numero_orden }) => box(row(numero_orden)).bottom <= foot()).length;
  await expect.poll(seen).toBeGreaterThanOrEqual(13);

  await page.viewport(1280, 720);
  await expect.poll(seen).toBeGreaterThanOrEqual(7);
  expect(heads().filter((head) => head.checkVisibility())).toHaveLength(9);
  await expect.element(head('Acciones')).toBeInViewport({ ratio: 0.9 });

  await page.viewport(1920, 1000);
  const spare = () => 1920 - box(table).right;
  await expect.poll(spare).toBeLessThan(40);
  await page.getByRole('button', { name: 'Contraer la navegación' }).click();
  await expect.poll(() => box(table).left).toBeLessThan(90);
  await expect.poll(spare).toBeLessThan(40);
});

test('the columns of «Entregas» fit a narrow window', async () => {
  pedidos = [aPedido({ cliente_direccion: 'Avenida de la Constitución, 148' })];
  await page.viewport(1280, 800);
  open('/entregas');
  await expect.element(row(/ORD-/)).toBeVisible();
  expect(heads().filter((head) => head.checkVisibility())).toHaveLength(8);
  await expect.element(head('Acciones')).toBeInViewport({ ratio: 0.9 });
  for (const name of ['Dirección', 'Producto · Cantidad'])
    expect(head(name).element().closest('th')?.clientWidth, name).toBeGreaterThan(85);
});
