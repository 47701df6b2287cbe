/*
 * Creates each order of a CSV file once, however often the program runs.
 *
 *     ENRUTA_URL=https://pedidos.example.es ENRUTA_KEY=enr_… node create-orders-from-file.mjs orders.csv
 *
 * Needs a key for «Tienda en línea»: the program uses «Crear pedidos», «Listar pedidos», «Leer un pedido», «Ver importes» and «Ver packs
 * y sus precios», and «Crear pedidos ya pagados en otro sitio» for paid orders. The first row names the columns as in the API, separated
 * by semicolons. `referencia_externa` is the number of the order in your program, and `pack` the alias of a pack. `pagado` says how your
 * shop was paid, such as `tarjeta`, and `pago` is the payment's reference. If both are empty, the order waits for its payment:
 *
 *     referencia_externa;cliente_nombre;cliente_telefono;cliente_direccion;cliente_codigo_postal;cliente_ciudad;pack;cantidad;pagado;pago
 *     web-10482;Pilar Lozano;743 923 484;"Plaza Nueva, 14";01009;Vitoria-Gasteiz;AOVE-6;2;tarjeta;pi_3Qx
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { ENRUTA_URL, ENRUTA_KEY } = process.env;
const file = process.argv[2];
if (!ENRUTA_URL || !ENRUTA_KEY || !file) throw new Error('ENRUTA_URL, ENRUTA_KEY and the name of a file are needed');

/** Calls the API; waits and retries while the server is busy or does not answer. An Idempotency-Key makes retries of writes safe. */
async function call(method, path, body, headers = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(ENRUTA_URL + path, {
      method,
      headers: { authorization: `Bearer ${ENRUTA_KEY}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch((error) => error);
    const busy = answer instanceof Error || answer.status === 429 || answer.status === 503;
    if (!busy) return { status: answer.status, body: await answer.json() };
    if (attempt === 8) throw answer instanceof Error ? answer : new Error(`Still ${answer.status}`);
    await sleep(1000 * Number(answer.headers?.get('retry-after') ?? 2 ** attempt));
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/gy;
function rowsOf(text) {
  const rows = [[]];
  for (const [whole, quoted, plain, end] of text.matchAll(CELL)) {
    if (!whole) break;
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end !== ';') rows.push([]);
  }
  const [names, ...lines] = rows.filter((row) => row.some(Boolean));
  return lines.map((row) => Object.fromEntries(names.map((name, n) => [name, row[n] ?? ''])));
}

const packs = await call('GET', '/api/product-packs');
if (packs.status !== 200) throw new Error(packs.body.message);
const packOf = new Map(packs.body.data.map(({ alias, id }) => [alias, id]));

const made = async (reference) => {
  const { body } = await call('GET', `/api/pedidos?${new URLSearchParams({ search: reference, per_page: '100' })}`);
  return body.data?.find(({ referencia_externa }) => referencia_externa === reference);
};

for (const { pack, cantidad, pagado, pago, ...row } of rowsOf(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))) {
  const reference = row.referencia_externa;
  const before = await made(reference);
  if (before) {
    console.log(`${reference}: already there, ${before.numero_orden}`);
    continue;
  }
  const order = {
    ...row,
    pack_id: packOf.get(pack),
    cantidad: Number(cantidad || 1),
    ...(pagado && { pago: { metodo: pagado, referencia: pago } }),
  };
  const { status, body } = await call('POST', '/api/pedidos', order, { 'idempotency-key': `file-${encodeURIComponent(reference)}` });
  if (status === 201) console.log(`${reference}: ${body.data.numero_orden}, ${body.data.precio_total} €`);
  else {
    console.error(`${reference}: ${body.message}`, body.errors ?? '');
    process.exitCode = 1;
  }
}
