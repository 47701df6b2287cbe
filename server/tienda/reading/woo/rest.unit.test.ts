import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SentState, ShopApi } from '../../connector.ts';
import { changedOrders, isOff, ordersNow, publishedProducts, readRefunds, sendBack, switchOn } from './rest.ts';

/** Answers by «METHOD path»: a status and a content, or a content alone. A path that is not listed has no order. */
let answers: Record<string, unknown>;
let calls: [string, unknown][];
let headers: Record<string, unknown>;
let server: Server;
let api: ShopApi;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = `${request.method} ${(request.url ?? '').replace('/wp-json/wc/v3/', '')}`;
    headers = request.headers;
    calls.push([path, body && JSON.parse(body)]);
    const found = answers[path] ?? [404, { code: 'woocommerce_rest_shop_order_invalid_id' }];
    const [status, content] = Array.isArray(found) && typeof found[0] === 'number' ? found : [200, found];
    response.writeHead(status).end(typeof content === 'string' ? content : JSON.stringify(content));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  api = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}//`, key: 'ck', secret: 'cs', anywhere: true };
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  answers = {};
  calls = [];
});
const made = () => calls.map(([path]) => path);

const STATE: SentState = {
  externo_id: '7',
  numero_orden: 'ORD-1',
  estado: 'completado',
  estado_label: 'Completado',
  seguimiento: null,
  aims: 'completado',
  devuelto_cents: 0,
};
const ON_ROAD = { estado: 'en_ruta', estado_label: 'En Ruta', aims: undefined } as const;
const noteMark = (value: string) => [
  { key: 'otro', value: 'x' },
  { key: '_enruta_dicho', value },
];
/** Sends a state to a shop where the order 7 has these fields. */
const send = (there: object, state: Partial<SentState> = {}, more: object = {}) => {
  answers = {
    'GET orders/7': { id: 7, status: 'processing', ...there },
    'POST orders/7/notes': {},
    'PUT orders/7': {},
    'POST orders/7/refunds': { id: 900 },
    ...more,
  };
  return sendBack(api, { ...STATE, ...state });
};

describe('a state is sent back', () => {
  test('with its note first, and the mark that the note is written', async () => {
    expect(await send({}, { seguimiento: 'PQ1' })).toEqual({});
    expect(calls).toEqual([
      ['GET orders/7', ''],
      ['POST orders/7/notes', { note: 'Enruta ORD-1: Completado · Seguimiento PQ1' }],
      [
        'PUT orders/7',
        {
          status: 'completed',
          meta_data: [
            { key: '_enruta_estado', value: 'completado' },
            { key: '_enruta_seguimiento', value: 'PQ1' },
            { key: '_enruta_dicho', value: 'completado PQ1' },
          ],
        },
      ],
    ]);
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from('ck:cs').toString('base64')}`,
      'content-type': 'application/json',
      'user-agent': 'Enruta',
    });
  });

  test('without a tracking number, where there is none', async () => {
    await send({});
    expect(calls.slice(1)).toEqual([
      ['POST orders/7/notes', { note: 'Enruta ORD-1: Completado' }],
      ['PUT orders/7', expect.objectContaining({ meta_data: expect.arrayContaining([{ key: '_enruta_seguimiento', value: '' }]) })],
    ]);
  });

  const NOTE = 'POST orders/7/notes';
  const PUT = 'PUT orders/7';
  test.each<[string, object, Partial<SentState>, string[]]>([
    ['that was sent before: nothing', { status: 'completed', meta_data: noteMark('completado ') }, {}, []],
    ['whose note was sent before: the state alone', { meta_data: noteMark('completado ') }, {}, [PUT]],
    ['that the shop does not have: the note alone', {}, ON_ROAD, [NOTE, PUT]],
    ['that the shop does not have, sent before: nothing', { meta_data: noteMark('en_ruta ') }, ON_ROAD, []],
    ['with another tracking number: note and mark', { meta_data: noteMark('en_ruta A') }, { ...ON_ROAD, seguimiento: 'B' }, [NOTE, PUT]],
  ])('%s', async (_, there, state, wanted) => {
    expect(await send(there, state)).toEqual({});
    expect(made().slice(1)).toEqual(wanted);
    for (const [path, body] of calls)
      if (path === PUT) expect((body as { status?: string }).status).toBe(state.estado ? undefined : 'completed');
  });

  test.each([
    ['cancelled', 'cancelado'],
    ['refunded', 'reembolsado'],
    ['failed', 'fallido'],
    ['trash', 'trash'],
  ])('over no final state: %s', async (status, word) => {
    expect(await send({ status })).toEqual({ contradiction: `En la tienda está ${word}: no se ha cambiado` });
    expect(calls.at(-1)?.[1]).not.toHaveProperty('status');
  });

  test.each<[string, object, Partial<SentState>, boolean]>([
    ['delivered there', { status: 'completed', meta_data: noteMark('completado ') }, ON_ROAD, true],
    ['cancelled there', { status: 'cancelled', meta_data: noteMark('cancelado ') }, ON_ROAD, true],
    ['the shop is not there', { status: 'processing', meta_data: noteMark('completado ') }, ON_ROAD, false],
    ['never said', { status: 'completed' }, ON_ROAD, false],
    ['said as it is', { status: 'completed', meta_data: noteMark('completado ') }, { aims: undefined }, false],
  ])('a step taken back is named as such if %s', async (_, there, state, isNamed) => {
    const { contradiction } = await send(there, state);
    expect(contradiction?.startsWith('Aquí se ha deshecho y en la tienda sigue') ?? false).toBe(isNamed);
  });

  test('a cancellation here is not over a delivery there, and not said to be taken back', async () => {
    const there = { status: 'completed', meta_data: noteMark('completado ') };
    expect(await send(there, { estado: 'cancelado', estado_label: 'Cancelado', aims: 'cancelado' })).toEqual({
      contradiction: 'En la tienda está completado: no se ha cambiado',
    });
  });

  test('a refused state is named with the shop’s words, of at most two hundred letters', async () => {
    const refused = (status: number, content: object) => send({}, {}, { 'PUT orders/7': [status, content] });
    expect(await refused(403, { message: 'No &quot;puedes&quot;' })).toEqual({
      contradiction: 'La tienda no ha cambiado su estado: No "puedes"',
    });
    for (const status of [409, 422])
      expect(await refused(status, {})).toEqual({ contradiction: `La tienda no ha cambiado su estado: La tienda ha respondido ${status}` });
    expect((await refused(400, { message: 'a'.repeat(201) })).contradiction).toMatch(/: a{200}$/);
    for (const status of [399, 401, 402, 404, 408, 410, 421, 423, 500])
      await expect(refused(status, {})).rejects.toThrow(`La tienda ha respondido ${status}`);
  });
});

describe('a refund is sent back', () => {
  test.each<[string, object, number, string | undefined]>([
    ['whole', {}, 1050, '10.50'],
    ['of what is missing', { refunds: [{ total: '-5.00' }, { total: '0.25' }, {}] }, 1050, '5.25'],
    ['of a cent', { refunds: [{ total: '-10.49' }] }, 1050, '0.01'],
    ['once', { refunds: [{ total: '-10.50' }] }, 1050, undefined],
    ['of nothing', {}, 0, undefined],
  ])('%s', async (_, there, devuelto_cents, amount) => {
    expect(await send({ ...there, meta_data: noteMark('en_ruta ') }, { ...ON_ROAD, devuelto_cents })).toEqual(
      amount ? { refund: '900' } : {},
    );
    expect(calls.slice(1)).toEqual(amount ? [['POST orders/7/refunds', { amount, reason: 'Enruta ORD-1', api_refund: false }]] : []);
  });

  test('and a refusal is named beside that of the state', async () => {
    const answer = await send(
      { status: 'cancelled' },
      { devuelto_cents: 550 },
      { 'POST orders/7/refunds': [400, { message: 'Demasiado' }] },
    );
    expect(answer).toEqual({
      contradiction: 'La tienda no ha anotado el reembolso de 5,50 €: Demasiado. En la tienda está cancelado: no se ha cambiado',
    });
  });
});

describe('what the shop answers', () => {
  const ask = () => sendBack(api, STATE);
  test('that it does not have the order is said', async () => {
    expect(await ask()).toEqual({ contradiction: 'La tienda ya no tiene este pedido' });
  });
  test.each<[string, unknown]>([
    ['La tienda ha respondido 404', [404, { code: 'rest_no_route' }]],
    ['La tienda ha respondido 404', [404, 'no JSON']],
    ['La tienda ha respondido 403', [403, {}]],
    ['La tienda ha respondido 500', [500, { code: 'woocommerce_rest_shop_order_invalid_id' }]],
    ['La tienda ha respondido 300', [300, {}]],
    ['La tienda no ha respondido con JSON', [200, '<html>']],
    ['La tienda no ha respondido con JSON', [200, 'null']],
    ['La tienda no responde con el pedido por el que se le pregunta', [200, {}]],
  ])('«%s»', async (message, answer) => {
    answers = { 'GET orders/7': answer };
    await expect(ask()).rejects.toThrow(
      expect.objectContaining({ message, ...(/respondido/.test(message) && { host: new URL(api.url).host }) }),
    );
  });
  test('a status of 299 is an answer, and a shop that is away is named', async () => {
    answers = { 'GET orders/7': [299, { id: 7, status: 'completed', meta_data: noteMark('completado ') }] };
    expect(await ask()).toEqual({});
    await expect(sendBack({ ...api, url: 'http://127.0.0.1:1' }, STATE)).rejects.toThrow(
      expect.objectContaining({ message: 'No acepta la conexión', host: '127.0.0.1:1' }),
    );
    await expect(sendBack({ ...api, url: 'mi tienda' }, STATE)).rejects.toThrow(expect.objectContaining({ host: 'mi tienda' }));
  });
});

/** Pages of fifty of a list. */
const paged = (list: string, rows: readonly unknown[]) =>
  Object.fromEntries(
    Array.from({ length: Math.floor(rows.length / 50) + 1 }, (_, i) => [
      `GET ${list}${list.includes('?') ? '&' : '?'}per_page=50&page=${i + 1}`,
      rows.slice(i * 50, (i + 1) * 50),
    ]),
  );

test('changed orders are read page by page, up to the first that is not full', async () => {
  const list = 'orders?modified_after=2026-11-20T10%3A00%3A00Z&dates_are_gmt=true&status=any&orderby=id&order=asc';
  const read = async (n: number) => {
    calls = [];
    answers = paged(
      list,
      Array.from({ length: n }, (_, id) => ({ id })),
    );
    const sizes: number[] = [];
    for await (const page of changedOrders(api, '2026-11-20T10:00:00Z')) sizes.push(page.length);
    return sizes;
  };
  expect([await read(49), await read(50), await read(120)]).toEqual([[49], [50, 0], [50, 50, 20]]);
});

test('a shop that answers without end is named after four hundred pages', async () => {
  const full = Array.from({ length: 50 }, (_, id) => ({ id }));
  answers = Object.fromEntries(Array.from({ length: 402 }, (_, i) => [`GET orders/7/refunds?per_page=50&page=${i + 1}`, full]));
  await expect(readRefunds(api, '7')).rejects.toThrow('Da más de 20000 resultados: no se han leído todos');
  expect([calls.length, calls.at(-1)]).toEqual([400, ['GET orders/7/refunds?per_page=50&page=400', '']]);
  expect(headers).not.toHaveProperty('content-type');
});

test('a list that is none is named', async () => {
  answers = { 'GET orders/7/refunds?per_page=50&page=1': {} };
  await expect(readRefunds(api, '7')).rejects.toThrow('La tienda no ha respondido con una lista');
});

test('refunds say their amount and goods', async () => {
  answers = paged('orders/7/refunds', [
    { amount: '-10.50', line_items: [{ name: 'Miel &amp; sal', quantity: -2 }, { name: 'Porte', quantity: 0 }, {}] },
    {},
  ]);
  expect(await readRefunds(api, '7')).toEqual([
    { cents: 1050, de: '2 × Miel & sal, 1 × Porte, 1 × ' },
    { cents: 0, de: '' },
  ]);
});

test('orders are asked for in the lists, the bin, and one by one', async () => {
  const [seven, eight, nine] = [{ id: 7 }, { id: 8, status: 'trash' }, { id: 9 }];
  answers = {
    ...paged('orders?include=7,8,9,10,11&status=any', [seven, { id: 70 }]),
    ...paged('orders?include=7,8,9,10,11&status=trash', [eight]),
    'GET orders/9': nine,
    'GET orders/11': { id: 12 },
  };
  expect(await ordersNow(api, ['7', '8', '9', '10', '11'])).toEqual({ there: [seven, eight, nine], gone: ['10'] });
  expect(made().slice(2)).toEqual(['GET orders/9', 'GET orders/10', 'GET orders/11']);
});

test('our webhooks that the shop has switched off are switched on, and no other', async () => {
  const hook = (id: number, status: string, delivery_url = 'https://x.es/api/tienda/1') => ({ id, status, delivery_url });
  const list = (...hooks: object[]) => void (answers = { ...paged('webhooks', hooks), 'PUT webhooks/2': {} });
  list(hook(1, 'active'), hook(3, 'disabled', 'https://otro.es'), { id: 4, status: 'disabled' });
  expect([await isOff(api), await switchOn(api)]).toEqual([false, 0]);
  list(hook(1, 'active'), hook(2, 'paused'));
  expect([await isOff(api), await switchOn(api)]).toEqual([true, 1]);
  expect(calls.at(-1)).toEqual(['PUT webhooks/2', { status: 'active' }]);
});

test('products are named by SKU or id, and a variable one by its variations', async () => {
  answers = {
    ...paged('products?status=publish', [
      { id: 1, name: 'Miel &amp; sal', sku: 'MIEL', type: 'simple' },
      { id: 2, name: 'Té' },
      { id: 3, name: 'Vino', type: 'variable', variations: [30] },
      { id: 4, name: 'Pan', type: 'variable', variations: [40, 41] },
      {},
    ]),
    ...paged('products/3/variations', [{ id: 31, sku: 'V-31', attributes: [{ option: 'Tinto' }, {}, { option: '75 cl' }] }, { id: 32 }]),
    ...paged('products/4/variations', []),
  };
  expect(await publishedProducts(api)).toEqual([
    { clave: 'MIEL', sku: 'MIEL', nombre: 'Miel & sal' },
    { clave: '#2', sku: '', nombre: 'Té' },
    { clave: '#3/31', sku: 'V-31', nombre: 'Vino – Tinto, 75 cl' },
    { clave: '#3/32', sku: '', nombre: 'Vino' },
    { clave: '#4/40', sku: '', nombre: 'Pan' },
    { clave: '#4/41', sku: '', nombre: 'Pan' },
    { clave: '#0', sku: '', nombre: '' },
  ]);
});
