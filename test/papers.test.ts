import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { comprobarRespuesta, createEnvio, envioFichero, listPlantillas } from '../contract/envios/envios.ts';
import { getPago } from '../contract/pagar/pagar.ts';
import type { PagoPage } from '../contract/pagar/page.ts';
import { isWhole, listPedidos } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { telephoneDigits, telephoneWords } from '../contract/text/telephone.ts';
import { renderPage } from '../web/pagar/page.tsx';
import { Albaran } from '../web/pedidos/print/albaran.tsx';
import { RouteSheet } from '../web/pedidos/print/lists.tsx';
import type { Printed } from '../web/pedidos/print/sheets.ts';
import { pdfPages } from './pdf.ts';
import { createWorld, type Person, type World } from './world.ts';

/*
 * What goes out is whole, or shortened by a rule that keeps number, door, gate and telephone: the eighty longest addresses of real chats, made
 * longer, on each paper. A field or a paper without its cells does not compile.
 */

const PAPERS = ['correos', 'mrw', 'gls', 'seur', 'label', 'note', 'route', 'page'] as const;
type Paper = (typeof PAPERS)[number];
type Field = Exclude<Extract<keyof Printed, `cliente_${string}`>, 'cliente_id' | 'cliente_nif'> | (typeof BESIDE)[number];
const BESIDE = ['numero_orden', 'franja_horaria', 'instrucciones', 'aviso_cliente'] as const;
type Cell = 'whole' | 'shortened' | { doesNotApply: string };

const SHOP = 'the page leads the customer, who knows these words; they are for the carrier';
const COMPANY_READS = 'a company delivers at its own hours, and reads nothing else of the shop';
const cells = (company: Cell, ours: Cell, page: Cell): Record<Paper, Cell> => ({
  ...{ correos: company, mrw: company, gls: company, seur: company },
  ...{ label: ours, note: ours, route: ours, page },
});
const TABLE: Record<Field, Record<Paper, Cell>> = {
  numero_orden: cells('shortened', 'whole', 'whole'),
  cliente_nombre: cells('shortened', 'whole', 'whole'),
  cliente_telefono: cells('shortened', 'whole', { doesNotApply: SHOP }),
  cliente_direccion: cells('shortened', 'whole', 'whole'),
  cliente_direccion2: cells('shortened', 'whole', 'whole'),
  cliente_codigo_postal: cells('whole', 'whole', 'whole'),
  cliente_ciudad: cells('shortened', 'whole', 'whole'),
  cliente_provincia: cells('whole', 'whole', 'whole'),
  cliente_pais: cells('whole', 'whole', 'whole'),
  cliente_nota: {
    ...cells(
      { doesNotApply: COMPANY_READS },
      { doesNotApply: 'a note on the customer is for the shop’s carrier alone' },
      { doesNotApply: SHOP },
    ),
    route: 'whole',
  },
  franja_horaria: cells({ doesNotApply: COMPANY_READS }, 'whole', { doesNotApply: SHOP }),
  instrucciones: cells('shortened', 'whole', { doesNotApply: SHOP }),
  aviso_cliente: cells({ doesNotApply: COMPANY_READS }, 'whole', 'whole'),
};

const ADDRESSES = readFileSync(join(import.meta.dirname, '../web/pedidos/chat/corpus.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('=> '))
  .map((line) => line.slice(3).split('|'))
  .map(([nombre = '', telefono = '', calle = '', piso = '']) => [nombre.trim(), telefono.trim(), calle.trim(), piso.trim()] as const)
  .filter(([nombre, telefono, calle]) => nombre && telefono && /\d/.test(calle))
  .toSorted((a, b) => b.join().length - a.join().length)
  .slice(0, 80);
const BEFORE = 'Urbanización Residencial Jardines de la Constitución Española, fase segunda, ';
const NOTE =
  'Dejar en la conserjería del edificio si no hay nadie en casa. Código de la verja 4521B. Llamar antes al 611 222 333, por favor';
const SAME = {
  ...{ instrucciones: NOTE, franja_horaria: 'de 9:30 a 13:30', aviso_cliente: 'Entregar el jueves 3. Mejor en el bar de la Calle Nueva 8' },
  ...{ cliente_codigo_postal: '18012', cliente_ciudad: 'Las Gabias y Anejos', cliente_provincia: 'Granada' },
};
const ABROAD = {
  cliente_codigo_postal: '4430-123',
  cliente_ciudad: 'Vila Nova de Gaia',
  cliente_provincia: 'Porto',
  cliente_pais: 'Portugal',
};

const session = vi.hoisted(() => ({ actor: undefined as unknown }));
vi.mock('../web/session/session.ts', () => ({ useSession: () => session.actor }));

let world: World;
let admin: Person;
let orders: Printed[] = [];
const tokens = new Map<string, string>();
beforeAll(async () => {
  world = await createWorld();
  admin = await world.as('superadmin');
  session.actor = admin.user;
  await admin.call(updateSettings, { body: { shipmentFiles: true, labelsAndLoading: true, companyName: 'La Olivera' } });
  for (const [i, [cliente_nombre, telefono, calle, cliente_direccion2]] of ADDRESSES.entries()) {
    const { id, pago_token } = await world.pedido({
      ...{ ...SAME, ...(i % 8 === 0 && ABROAD), cliente_nombre, cliente_direccion2, cliente_direccion: BEFORE + calle },
      numero_orden: `TIENDA-CENTRO-${i % 2 ? 'SUR' : 'NORTE'}-2026-${String(i >> 1).padStart(6, '0')}`,
      cliente_telefono: `${telefono}, 911 234 567`,
    });
    tokens.set(id, pago_token ?? '');
  }
  await world.db.updateTable('clientes').set({ nota: 'Perro suelto en el portal 2' }).execute();
  const { data } = (await admin.call(listPedidos, { query: { con: 'lineas', per_page: '100' } })).body;
  orders = data.flatMap((pedido) => (isWhole(pedido) ? [{ ...pedido, lineas: pedido.lineas ?? [] }] : []));
  return world.close;
});

const bare = (text: string) => text.replace(/\s+/g, '');
const figures = (text: string) => text.match(/\d+/g) ?? [];
const ids = () => orders.map(({ id }) => id);
/** A field of an order as papers write it; undefined where they leave it out: Spain. */
const shownOf = (order: Printed, field: Field) =>
  field === 'cliente_pais' && order.cliente_pais === 'España'
    ? undefined
    : field === 'cliente_telefono'
      ? telephoneWords(order.cliente_telefono)
      : order[field];

const COMPANY = { companyName: 'La Olivera', companyEmail: '', companyPhone: '', companyNif: '', companyAddress: '', logo: '' };
const textIn = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
const drawn = (sheet: ReactElement) => textIn(renderToStaticMarkup(sheet));
const download = async (url: string) => {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { rawPayload, statusCode } = await world.app.inject({ method: 'GET', url, headers: { cookie } });
  expect(statusCode).toBe(200);
  return rawPayload;
};

/** Text of each order on a paper of the shop. */
const BY: Record<'label' | 'note' | 'route' | 'page', () => Promise<(order: Printed) => string>> = {
  label: async () => {
    const pages = pdfPages(await download(`/api/pedidos/etiquetas?ids=${ids().join(',')}`)).map(bare);
    return ({ numero_orden }) => pages.find((page) => page.includes(numero_orden)) ?? '';
  },
  note: async () => (pedido) => drawn(createElement(Albaran, { pedido, lineas: pedido.lineas, company: COMPANY })),
  route: async () => (stop) =>
    drawn(createElement(RouteSheet, { route: { carrier: 'Rosa', stops: [stop] }, today: 'hoy', company: COMPANY })),
  page: async () => {
    const pages = new Map<string, string>();
    for (const [id, token] of tokens) {
      const pago = (await world.nobody().call(getPago, { params: { token } })).body.data;
      const page: PagoPage = { path: '', origin: '', script: '', color: '#3b82f6', pago, outcome: undefined, clave: '' };
      pages.set(id, textIn(renderPage(page).html));
    }
    return ({ id }) => pages.get(id) ?? '';
  },
};

test('there are eighty addresses', () => expect([ADDRESSES.length, orders.length]).toEqual([80, 80]));

const fieldsOn = (paper: Paper, cell: Cell) => (Object.keys(TABLE) as Field[]).filter((field) => TABLE[field][paper] === cell);

test.each(['label', 'note', 'route', 'page'] as const)('the paper «%s» holds what the table says, whole', async (paper) => {
  const textOf = await BY[paper]();
  for (const order of orders) {
    const text = bare(textOf(order));
    const lacking = fieldsOn(paper, 'whole').filter((field) => !text.includes(bare(shownOf(order, field) ?? '')));
    expect([order.numero_orden, lacking, text]).toEqual([order.numero_orden, [], text]);
  }
});

const COLUMNS: Partial<Record<Field, string>> = {
  ...{ cliente_nombre: 'Nombre', cliente_direccion: 'Direccion', cliente_direccion2: 'Direccion', cliente_codigo_postal: 'CP' },
  ...{ cliente_ciudad: 'Poblacion', cliente_provincia: 'Provincia', cliente_pais: 'Pais', instrucciones: 'Observaciones' },
};

test.each(['correos', 'mrw', 'gls', 'seur'] as const)(
  'the file of %s holds what finds the door, and its answer is read',
  async (plantilla) => {
    const { body } = await admin.call(createEnvio, { body: { plantilla, ids: ids(), aunque_tenga_envio: true } });
    expect(body.data.pedidos).toBe(orders.length);
    expect(body.avisos).toEqual([expect.stringMatching(/^No cabe entero en «Observaciones»: TIENDA-.* y 75 más$/)]);
    const company = (await admin.call(listPlantillas, {})).body.data.find(({ clave }) => clave === plantilla);
    const columnas = company?.columnas ?? [];
    const text = (await download(envioFichero.path.replace(':id', body.data.id))).toString(company?.codificacion);
    const rows = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';').map((cell) => cell.replace(/^"|"$/g, '')));
    const at = (titulo: string) => columnas.findIndex((columna) => columna.titulo === titulo);
    const inFile = orders.toSorted((a, b) => (a.numero_orden < b.numero_orden ? -1 : 1));
    for (const [i, order] of inFile.entries()) {
      const row = rows[i] ?? [];
      for (const [column, { max }] of columnas.entries()) expect(row[column]?.length ?? 0).toBeLessThanOrEqual(max || 999);
      for (const [field, titulo] of Object.entries(COLUMNS) as [Field, string][]) {
        const cell = row[at(titulo)] ?? '';
        if (TABLE[field][plantilla] === 'whole') expect(cell).toBe(order[field] ?? '');
        for (const figure of figures(order[field] ?? '')) expect(cell).toContain(figure);
      }
      const door = order.cliente_direccion2?.split(' ').at(-1) ?? '';
      if (door.length < 3) expect(row[at('Direccion')]?.endsWith(door)).toBe(true);
      expect(telephoneDigits(row[at('Telefono')])).toBe(telephoneDigits(order.cliente_telefono, order.cliente_pais));
    }
    const references = rows.map((row) => row[at('Referencia')] ?? '');
    expect(new Set(references).size).toBe(orders.length);
    const filas = references.map((referencia) => ({ referencia, seguimiento: null, estado: null, lectura: 'entregado' as const }));
    const { data } = (await admin.call(comprobarRespuesta, { params: { id: body.data.id }, body: { filas } })).body;
    expect(new Set(data.map(({ pedido_id }) => pedido_id)).size).toBe(orders.length);
  },
);

test('an order that no rule makes short enough stays out, by its name', async () => {
  const long = await world.pedido({ cliente_direccion: `Calle ${'1234567890 '.repeat(12)}`, numero_orden: 'ORD-LARGO' });
  const alone = await admin.call(createEnvio, { body: { plantilla: 'mrw', ids: [long.id] } });
  expect([alone.status, alone.body.message]).toEqual([409, 'Fuera del fichero, porque no cabe en «Direccion»: ORD-LARGO']);
  const { body } = await admin.call(createEnvio, {
    body: { plantilla: 'mrw', ids: [long.id, ...ids().slice(0, 1)], aunque_tenga_envio: true },
  });
  expect([body.data.pedidos, body.avisos[0]]).toEqual([1, 'Fuera del fichero, porque no cabe en «Direccion»: ORD-LARGO']);
});

test('the label of an order with the longest texts keeps the figures of its note', async () => {
  const word = 'Urbanización Residencial Jardines ';
  const { id } = await world.pedido({
    ...{ cliente_nombre: word.repeat(5).slice(0, 160), cliente_direccion: word.repeat(8).slice(0, 240) },
    ...{ cliente_direccion2: word.repeat(8).slice(0, 200), cliente_ciudad: word.repeat(4).slice(0, 120) },
    ...{ cliente_provincia: word.repeat(4).slice(0, 120), aviso_cliente: `${word.repeat(8)}, portal 17` },
    instrucciones: `${'Dejarlo en la conserjería del edificio, por favor. '.repeat(18)}Código de la verja 4521B`,
  });
  const [page = ''] = pdfPages(await download(`/api/pedidos/etiquetas?ids=${id}`));
  for (const figure of ['4521B', 'portal 17']) expect(page).toContain(figure);
});
