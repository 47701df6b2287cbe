import { sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DOUBT_IDS, type DoubtId } from '../contract/doubts/doubts.ts';
import { type EditableField, PEDIDO_FIELDS } from '../contract/pedidos/fields.ts';
import { checkImport, importPedidos } from '../contract/pedidos/import.ts';
import { createPedido, duplicatePedido, patchPedido, setLineas } from '../contract/pedidos/pedidos.ts';
import { listPacks } from '../contract/products/products.ts';
import { recogniseOrder } from '../web/pedidos/chat/recognise.ts';
import { askDoubts } from '../web/pedidos/cliente/ask-doubts.ts';
import { clienteBody, clienteFrom, EMPTY_CLIENTE } from '../web/pedidos/cliente/cliente-values.ts';
import { loadProvinces, poblacionesDe } from '../web/pedidos/cliente/poblaciones.ts';
import { confirm } from '../web/ui/dialog/confirm.ts';
import type { Client, Reply } from './client.ts';
import { shop, tiendaForEachTest, world } from './tienda-world.ts';
import { readOrders } from './web/sheet.ts';
import { wooLine, wooOrder } from './woo.ts';

/*
 * Each rule of contract/doubts/doubts.ts at each door by which an order comes in. Every cell is tried with an order that the rule doubts, and the
 * rule's words must reach a person as the cell says. A rule or a door without its cells does not compile.
 */

vi.mock('../web/ui/dialog/confirm.ts', () => ({ confirm: vi.fn() }));

/** `asked`: before the order is made. `told`: made, with a notice. `waits`: kept until a person decides. */
type Cell = 'asked' | 'told' | 'waits' | { doesNotApply: string };
const DOORS = ['form', 'chat', 'sheet', 'woo', 'plain', 'key', 'rows', 'duplicate', 'edit'] as const;
type Door = (typeof DOORS)[number];

const EVERYWHERE: Record<Door, Cell> = {
  ...{ form: 'asked', chat: 'asked', sheet: 'asked', woo: 'told', plain: 'told', key: 'told' },
  ...{ rows: 'told', duplicate: 'told', edit: 'asked' },
};
const notIn = (what: string) => ({ doesNotApply: what });
const UNREAD = notIn('a chat is read into name, telephone, address, postcode, town and note only');
const COPY = notIn('a copy repeats its order on purpose');
const TYPED = notIn('the person who types the order decides this');
const EUROS = notIn('amounts of this door are in euros');
const UNKNOWN = notIn('the API has no such field');
const ENTERED = notIn('asked when the order came in');

const TABLE: Record<DoubtId, Record<Door, Cell>> = {
  telefono: { ...EVERYWHERE, chat: notIn('a chat takes only a whole telephone; another one stays in the text before the person') },
  pais: { ...EVERYWHERE, chat: UNREAD, rows: notIn('refused, for want of a tariff of that country') },
  codigo_postal: { ...EVERYWHERE, chat: notIn('a chat takes only a postcode of Spain; another one stays in the text before the person') },
  provincia: { ...EVERYWHERE, chat: UNREAD },
  poblacion: EVERYWHERE,
  puerta: EVERYWHERE,
  cortada: EVERYWHERE,
  franja: {
    ...{ ...EVERYWHERE, chat: UNREAD },
    woo: notIn('what the customer chose is `elegido`, and the order has no hours'),
    plain: notIn('the plain form has no hours'),
  },
  dia: {
    ...{ form: notIn('the form has no day'), chat: UNREAD, sheet: notIn('a sheet has no day of delivery') },
    ...{ woo: notIn('what the customer chose is `elegido`, and the day is counted'), plain: notIn('the plain form has no day') },
    ...{
      key: 'told',
      rows: notIn('an import has no day of delivery'),
      duplicate: notIn('the day of a copy is counted anew'),
      edit: 'told',
    },
  },
  repetido: { ...EVERYWHERE, form: 'told', chat: 'told', duplicate: COPY, edit: ENTERED },
  largo: {
    ...{ ...EVERYWHERE, form: 'told', chat: 'told', edit: 'told' },
    sheet: notIn('told when the company’s file is made, which names each order'),
  },
  elegido: {
    ...{ form: TYPED, chat: TYPED, sheet: notIn('a column that no field is for is asked by its heading'), woo: 'told' },
    ...{ plain: notIn('the plain form has no such field'), key: UNKNOWN, rows: UNKNOWN, duplicate: COPY, edit: ENTERED },
  },
  recogida: {
    ...{ form: TYPED, chat: TYPED, sheet: 'asked', woo: 'waits', plain: 'waits' },
    ...{ key: UNKNOWN, rows: UNKNOWN, duplicate: COPY, edit: ENTERED },
  },
  efectivo: {
    ...{ form: 'asked', chat: UNREAD, sheet: 'asked', woo: 'waits', plain: 'waits', key: 'asked' },
    ...{ rows: 'asked', duplicate: 'asked', edit: 'asked' },
  },
  moneda: { form: EUROS, chat: EUROS, sheet: 'asked', woo: 'waits', plain: EUROS, key: EUROS, rows: EUROS, duplicate: COPY, edit: EUROS },
};

type Fields = Partial<Record<EditableField, string>>;
/** `says`: words of the rule. `shop`: fields of the shop's own message. `columns`: headings and cells beside the usual ones. */
type Example = {
  fields?: Fields;
  says: RegExp;
  dia?: string;
  cantidad?: number;
  twice?: true;
  woo?: Record<string, unknown>;
  plain?: Record<string, unknown>;
  columns?: Record<string, string>;
};
const LONG = 'Avenida de la Constitución Española de mil novecientos setenta y ocho, urbanización Los Almendros, número 145';
const COD = { payment_method: 'cod', transaction_id: '', date_paid_gmt: null };
const EXAMPLES: Record<DoubtId, Example> = {
  telefono: { fields: { cliente_telefono: '60015260' }, says: /no parece completo/ },
  pais: { fields: { cliente_pais: 'Freedonia' }, says: /No se conoce el país/ },
  codigo_postal: { fields: { cliente_codigo_postal: '99001', cliente_provincia: '', cliente_ciudad: '' }, says: /no es de España/ },
  provincia: { fields: { cliente_provincia: 'Toledo', cliente_ciudad: '' }, says: /es de Madrid, no de Toledo/ },
  poblacion: { fields: { cliente_ciudad: 'Getafe', cliente_provincia: '' }, says: /no de Getafe/ },
  puerta: { fields: { cliente_direccion: 'Calle Mayor' }, says: /no lleva número/ },
  cortada: { fields: { cliente_direccion: 'Calle 12 de Octubre de la Igles' + 'i' }, says: /puede estar cortada/ },
  franja: { fields: { franja_horaria: 'de 20 a 18' }, says: /no son dos horas/ },
  dia: { dia: '2026-01-07T12:00:00Z', says: /ya ha pasado/ },
  repetido: { twice: true, says: /ismo (pedido|teléfono)/ },
  largo: {
    fields: { instrucciones: `${LONG}. ${LONG}. Código del portal 4521B` },
    says: /No cabe entero en «Observaciones»/,
  },
  elegido: { woo: { meta_data: [{ id: 1, key: '_delivery_date', value: '2026-12-24' }] }, says: /ha elegido día de entrega: 2026-12-24/ },
  recogida: {
    woo: { shipping_lines: [{ method_id: 'local_pickup', method_title: 'Recogida en tienda', meta_data: [] }] },
    plain: { recogida: 'Recogida en tienda' },
    columns: { 'Forma de envío': 'Recogida en tienda' },
    says: /[Rr]ecogida en tienda/,
  },
  efectivo: {
    cantidad: 20,
    woo: {
      ...COD,
      line_items: [wooLine({ quantity: 20, subtotal: '1000.00', subtotal_tax: '0.00' })],
      total: '1004.95',
      total_tax: '0.86',
    },
    plain: {
      contra_reembolso: true,
      situacion: 'por_pagar',
      pago: null,
      lineas: [{ sku: 'ACEITE-6', cantidad: 20, total: 1000 }],
      total: 1004.95,
    },
    columns: { 'Contra reembolso': 'Sí' },
    says: /Ley 11\/2021|en efectivo/,
  },
  moneda: { woo: { currency: 'SEK' }, columns: { Moneda: 'SEK' }, says: /SEK/ },
};

const GOOD: Fields = {
  ...{ cliente_nombre: 'Ana Ruiz', cliente_telefono: '687 553 290', cliente_direccion: 'Calle Mayor 3', cliente_codigo_postal: '28013' },
  ...{ cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid', cliente_pais: 'España' },
};
const fieldsOf = ({ fields }: Example): Fields => ({ ...GOOD, ...fields });
const isCash = ({ cantidad }: Example) => cantidad !== undefined;

/** What a door does with an order: how it reaches a person, and its words. */
type Outcome = { how: 'asked' | 'told' | 'waits'; words: string };
const ANSWER = (reply: Reply<unknown>): Outcome => {
  const { avisos = [] } = reply.body as { avisos?: { frase: string }[] };
  if (reply.status === 422) return { how: 'asked', words: reply.text };
  expect(reply.status, reply.text).toBeLessThan(300);
  return { how: 'told', words: avisos.map(({ frase }) => frase).join(' ') };
};

const line = ({ cantidad = 1 }: Example) => ({ pack_id: shop.pack.id, cantidad });
const make = (by: Client, values: Fields, example: Example, more = {}) =>
  by.request('POST', createPedido.path, {
    body: {
      ...clienteBody({ ...EMPTY_CLIENTE, ...values }),
      ...line(example),
      ...(isCash(example) && { contra_reembolso: true }),
      ...more,
    },
  });

/** Saves a form, answering «Corregir» to its question. */
async function save(values: Fields, send: () => Promise<Outcome>, before?: Fields): Promise<Outcome> {
  vi.mocked(confirm).mockResolvedValue(false);
  let sent: Promise<Outcome> | undefined;
  await askDoubts({ ...EMPTY_CLIENTE, ...values }, () => (sent = send()), before && { ...EMPTY_CLIENTE, ...before });
  return sent ?? { how: 'asked', words: String(vi.mocked(confirm).mock.lastCall?.[0].message ?? '') };
}

async function waiting(): Promise<Outcome> {
  const rows = await shop.waiting();
  const row = rows.at(-1);
  return { how: row?.estado === 'por_revisar' ? 'waits' : 'told', words: [row?.motivo, row?.aviso].join(' ') };
}

const form = (values: Fields, example: Example) => save(values, async () => ANSWER(await make(shop.admin, values, example)));

const BY: Record<Door, (example: Example) => Promise<Outcome>> = {
  form: (example) => form(fieldsOf(example), example),
  chat: async (example) => {
    const values = fieldsOf(example);
    const text = [
      `Nombre: ${values.cliente_nombre}`,
      `Dirección: ${values.cliente_direccion}`,
      `CP: ${values.cliente_codigo_postal}`,
      ...(values.cliente_ciudad ? [`Ciudad: ${values.cliente_ciudad}`] : []),
      `Teléfono: ${values.cliente_telefono}`,
      ...(values.instrucciones ? [`Nota: ${values.instrucciones}`] : []),
    ].join('\n');
    const {
      items: _,
      rest: __,
      ...read
    } = recogniseOrder(text, { towns: await poblacionesDe(values.cliente_codigo_postal ?? '', ''), packs: [] });
    return form(read, example);
  },
  sheet: async (example) => {
    const cells = { ...fieldsOf(example), pack: shop.pack.alias, cantidad: String(example.cantidad ?? 1) };
    const headings = { pack: 'Pack', cantidad: 'Cantidad' } as Record<string, string>;
    const titled = Object.entries(cells).map(([name, cell]) => [headings[name] ?? PEDIDO_FIELDS[name as EditableField].label, cell]);
    const columns = [...titled, ...Object.entries(example.columns ?? {})];
    const packs = (await shop.admin.call(listPacks, {})).body.data;
    const text = [0, 1].map((at) => columns.map((column) => `"${column[at]}"`).join(';')).join('\n');
    const { asked, doubts, errors, filas } = readOrders(text, { packs, provinces: await loadProvinces(['28']) });
    if (asked.length + doubts.length + errors.length > 0) return { how: 'asked', words: [...asked, ...doubts, ...errors].join(' ') };
    const { status, text: answer, body } = await shop.admin.call(checkImport, { body: { filas } });
    if (status === 422) return { how: 'asked', words: answer };
    return body.data.repetidas.length > 0 ? { how: 'asked', words: 'mismo teléfono y pack' } : { how: 'told', words: '' };
  },
  woo: async (example) => {
    const {
      cliente_direccion,
      cliente_direccion2 = '',
      cliente_codigo_postal,
      cliente_ciudad,
      cliente_provincia,
      cliente_pais,
      ...rest
    } = fieldsOf(example);
    const place = { address_1: cliente_direccion, address_2: cliente_direccion2, city: cliente_ciudad, state: cliente_provincia };
    const person = { first_name: rest.cliente_nombre, last_name: '', company: '', phone: rest.cliente_telefono };
    const shipping = { ...person, ...place, postcode: cliente_codigo_postal, country: cliente_pais === 'España' ? 'ES' : cliente_pais };
    await shop.take(
      wooOrder({ shipping, billing: { ...shipping, email: 'a@ejemplo.es' }, customer_note: rest.instrucciones ?? '', ...example.woo }),
    );
    return waiting();
  },
  plain: async (example) => {
    const cliente = Object.fromEntries(
      Object.entries(fieldsOf(example)).flatMap(([name, text]) => (name.startsWith('cliente_') ? [[name.slice(8), text]] : [])),
    );
    await shop.takePlain({
      ...{ id: 'A-1', situacion: 'pagado', cliente, instrucciones: example.fields?.instrucciones, pago: { metodo: 'bizum' } },
      ...{ lineas: [{ sku: 'ACEITE-6', cantidad: 1, total: 44 }], envio: 4.95, total: 48.95, ...example.plain },
    });
    return waiting();
  },
  key: async (example) => {
    const program = await world.program(['pedido:create', 'pedido:prices', 'pedido:create-free', 'pedido:promise']);
    return ANSWER(await make(program, fieldsOf(example), example, example.dia && { fecha_estimada: example.dia }));
  },
  rows: async (example) => {
    const program = await world.program(['pedido:create', 'pedido:prices']);
    const other = { ...GOOD, cliente_nombre: 'Luis Gil', cliente_telefono: '655 432 198', cliente_direccion: 'Calle Luna 8' };
    const filas = [other, fieldsOf(example)].map((values, i) => ({
      ...clienteBody({ ...EMPTY_CLIENTE, ...values }),
      ...(i === 0 ? line({ says: /$/ }) : { ...line(example), contra_reembolso: isCash(example) }),
    }));
    const reply = await program.request('POST', importPedidos.path, { body: { filas } });
    const { avisos = [] } = reply.body as { avisos?: { fila: number }[] };
    expect(avisos.filter(({ fila }) => fila !== 1)).toEqual([]);
    return ANSWER(reply);
  },
  duplicate: async (example) => {
    const cheap = isCash(example);
    if (cheap) await price(100);
    const { body } = await make(shop.admin, fieldsOf(example), example);
    if (cheap) await price(5000);
    const { id } = (body as { data: { id: string } }).data;
    return ANSWER(await shop.admin.call(duplicatePedido, { params: { id } }));
  },
  edit: async (example) => {
    const { body } = await make(shop.admin, GOOD, {} as Example, isCash(example) && { contra_reembolso: true });
    const { id, version } = (body as { data: { id: string; version: number } }).data;
    const params = { id };
    if (isCash(example)) return ANSWER(await shop.admin.call(setLineas, { params, body: { lineas: [line(example)], version } }));
    const changed = { ...clienteBody({ ...EMPTY_CLIENTE, ...fieldsOf(example) }), ...(example.dia && { fecha_estimada: example.dia }) };
    return save(
      fieldsOf(example),
      async () => ANSWER(await shop.admin.call(patchPedido, { params, body: { ...changed, version } })),
      clienteFrom(GOOD),
    );
  },
};

const price = (cents: number) => sql`UPDATE product_packs SET pack_price_cents = ${cents}`.execute(world.db);

tiendaForEachTest();
beforeEach(() => shop.settings({ shipmentFiles: true }));

const cells = DOUBT_IDS.flatMap((id) => DOORS.map((door) => [id, door, TABLE[id][door]] as const));

describe('a doubtful order', () => {
  test.each(cells.filter(([, , cell]) => typeof cell === 'string'))('%s by %s is %s', async (id, door, cell) => {
    const example = EXAMPLES[id];
    if (example.twice) await make(shop.admin, GOOD, example);
    const { how, words } = await BY[door](example);
    expect([how, words]).toEqual([cell, expect.stringMatching(example.says)]);
  });

  test.each(DOORS)('an order without doubts passes by %s', async (door) => {
    const { words } = await BY[door]({ says: /$/ });
    expect(words.trim()).toBe('');
  });
});
