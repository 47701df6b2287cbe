import { live } from '../../contract/live/live.ts';
import { ESTADOS } from '../../contract/pedidos/estados.ts';
import { SORTS } from '../../contract/pedidos/filters.fields.ts';
import { assignTransportista, deletePedido, getPedido } from '../../contract/pedidos/pedidos.ts';
import { address } from '../../test/client.ts';
import { CANTIDAD, FORBIDDEN, UNIT } from '../../test/price.ts';
import { operationsOf } from '../description.ts';
import { each } from '../each.ts';
import { listenTo } from '../held.ts';
import { type Row, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';
// Leaves out calls that end the carrier's session, and the stream, which is collected separately.
const APART = ['POST /api/logout', 'DELETE /api/cuenta/sesiones', `GET ${live.path}`];
const QUERIES: Record<string, object[]> = {
  'GET /api/pedidos': [
    ...SORTS.map((sort) => ({ sort })),
    { search: 'Cliente', per_page: 100 },
    { estado: 'completado' },
    { devolucion: 'pendiente' },
  ],
  'GET /api/transportista/pedidos-disponibles': [{ search: 'Cliente', per_page: 100 }, { sort: 'precio_total' }],
};
const BODIES: Record<string, object[]> = {
  'POST /api/pedidos/:id/estado': [...ESTADOS, 'nada'].map((estado) => ({
    estado,
    metodo_entrega: 'mrw',
    motivo: 'No estaba',
    referencia: 'x',
  })),
};

/** No byte sent to a carrier contains a price, whatever the carrier requests. */
export const row: Row = {
  name: 'sentinel',
  what: 'an unlikely price looked for in every byte that a carrier gets: answers, headers, files, stream',
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [carrier, other] = (await shop.crew('transportista', 2)) as [Member, Member];
    const pack = await shop.pack({ pack_price: UNIT / 100, product_id: (await shop.product({ stock: 1_000_000 })).id });
    const { expect, outcome } = verdict();
    const heard = await listenTo(shop.url(), carrier);
    const [kept] = await ordersOf(shop, pack.id, other);
    const seen = await shop.admin.call(getPedido, { params: { id: kept ?? '' } });
    expect(FORBIDDEN.test(seen.text), () => 'the price is not what a superadmin reads');

    let [cells, bytes] = [0, 0];
    const look = (what: string, text: string) => {
      cells += 1;
      bytes += text.length;
      expect(!FORBIDDEN.test(text), () => `${what}: ${FORBIDDEN.exec(text)?.[0]}`);
    };
    for (const o of (await operationsOf(shop.admin)).filter(({ title }) => !APART.includes(title))) {
      const writes = o.method !== 'GET' && o.roles.includes('transportista') && o.path.includes(':id');
      const ids = o.path.includes('/:')
        ? [...(writes || o.method === 'GET' ? await ordersOf(shop, pack.id, carrier) : []), kept ?? '', MISSING, 'no-es-un-id']
        : [MISSING];
      const bodies = o.method === 'GET' ? [undefined] : [undefined, {}, { desconocido: 1 }, ...(BODIES[o.title] ?? [])];
      const calls = ids.flatMap((id) => [{}, ...(QUERIES[o.title] ?? [])].flatMap((query) => bodies.map((body) => ({ id, query, body }))));
      await each(calls, 6, async ({ id, query, body }) => {
        const reply = await carrier.request(o.method, address(o.path, { id, token: id, proveedor: id, empresa: id }, { ...query }), {
          body,
        });
        expect(reply.status < 500, () => `${o.title}: ${reply.status}`);
        look(o.title, `${reply.text} ${JSON.stringify(reply.headers)}`);
      });
    }
    look('the stream', heard.text());
    expect(heard.text().includes('event: change'), () => 'the stream was silent');
    heard.stop();
    return outcome(`${cells} answers, ${bytes} bytes, and a stream`);
  },
  control: [
    {
      guard: 'the choice of what a role may see',
      edits: [
        {
          file: 'server/pedidos/lectura/present.ts',
          find: "if (sees(actor, 'sale', row) && sees(actor, 'prices', row))",
          replace: 'if (true)',
        },
      ],
    },
  ],
};

/** Creates orders at the price in each estado, assigned to the carrier where the estado needs one, and a deleted order. */
async function ordersOf(shop: Shop, pack_id: string, { person }: Member): Promise<string[]> {
  return each([...ESTADOS, 'deleted' as const], 4, async (estado) => {
    const { id } = await shop.pedido({ pack_id, cantidad: CANTIDAD, estado: estado === 'pendiente_pago' ? estado : 'pendiente' });
    if (estado === 'pendiente_pago' || estado === 'pendiente') return id;
    await shop.admin.call(assignTransportista, { params: { id }, body: { transportista_id: person.id } });
    const move = (to: string) => shop.admin.request('POST', `/api/pedidos/${id}/estado`, { body: { estado: to, metodo_entrega: 'mrw' } });
    if (estado === 'deleted') await shop.admin.call(deletePedido, { params: { id } });
    else if (estado !== 'asignado') await move(estado);
    return id;
  });
}
