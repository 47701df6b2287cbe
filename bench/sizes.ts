import { createPedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { MAX_UNITS } from '../contract/products/fields.ts';
import { ajustarStock, listPacks } from '../contract/products/products.ts';
import { autoAsignar, listDisponibles } from '../contract/transportista/transportista.ts';
import { connectAs } from '../e2e/api.ts';
import { address, type Client } from '../test/client.ts';
import { type Ask, drive } from './drive.ts';
import { requestsOf, sampleOf } from './requests.ts';
import { type Account, headersOf } from './writes.ts';

const READ_MS = 600;
const WRITE_MS = 1500;

/** Returns the p50 (ms, one connection) of each request in a shop of this size, and of creating, taking and completing orders. */
export async function measureSize(url: string, orders: number, people: { admin: Account; carrier: Account }): Promise<Map<string, number>> {
  const [admin, carrier] = [await connectAs(url, people.admin), await connectAs(url, people.carrier)];
  const found = new Map<string, number>();
  const sample = await sampleOf(admin);
  for (const { what, path } of requestsOf(orders, sample)) await alone(what, () => url + path(), admin, READ_MS);

  const pack = await packInStock(admin);
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 1', pack_id: pack };
  await alone(
    'create',
    () => ({ url: url + createPedido.path, method: 'POST', body: { ...body, cliente_nombre: `Ana ${Math.random()}` } }),
    admin,
  );
  const open: string[] = [];
  for (let page = 1; page <= 10; page += 1)
    open.push(...(await carrier.call(listDisponibles, { query: { per_page: 100, page } })).body.data.map(({ id }) => id));
  // Leaves half of the orders for later measurements.
  open.splice(open.length / 2);
  const taken: string[] = [];
  await alone(
    'take',
    () => each(open, (id) => ({ url: url + address(autoAsignar.path, { id }), method: 'POST', body: {} }), taken),
    carrier,
  );
  taken.splice(taken.length / 2);
  const done = { estado: 'completado', metodo_entrega: 'mrw' };
  await alone('complete', () => each(taken, (id) => ({ url: url + address(setEstado.path, { id }), method: 'POST', body: done })), carrier);
  return found;

  async function alone(what: string, ask: () => string | Ask | undefined, client: Client, ms = WRITE_MS) {
    const { p50, failed } = await drive(ask, { headers: headersOf(client), ms, connections: 1 });
    if (failed) throw new Error(`${what}: ${failed} requests failed with ${orders} orders`);
    found.set(what, Math.round(10 * p50) / 10);
  }
}

function each(ids: string[], ask: (id: string) => Ask, used: string[] = []): Ask | undefined {
  const id = ids.pop();
  if (!id) return undefined;
  used.push(id);
  return ask(id);
}

/** Returns the id of a pack with enough stock for the measurements. */
export async function packInStock(admin: Client): Promise<string> {
  const pack = (await admin.call(listPacks)).body.data.find(({ available }) => available);
  if (!pack) throw new Error('the demo has no pack');
  const { status, text } = await admin.call(ajustarStock, {
    params: { id: pack.product_id },
    body: { unidades: MAX_UNITS, nota: 'bench' },
  });
  if (status !== 200) throw new Error(text);
  return pack.id;
}
