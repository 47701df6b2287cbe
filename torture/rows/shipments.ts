import { createEnvio, envioFichero, leerRespuesta, listEnvios, sacarDeEnvio } from '../../contract/envios/envios.ts';
import { getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const ROUNDS = 10;
const ORDERS = 5;
const AT_ONCE = 4;
const KNOWN = [200, 201, 404, 409, 422];

/** An order belongs to one company's batch or to one carrier, and a company's answer completes the order once. */
export const row: Row = {
  name: 'shipments',
  what: `${AT_ONCE} shipment files of the same orders at once beside carriers who take them, the answer read at once, orders taken out and cancelled, on two instances`,
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    await shop.admin.call(updateSettings, { body: { shipmentFiles: true } });
    const admins = await shop.crew('superadmin', AT_ONCE);
    const carriers = await shop.crew('transportista', 2);
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 100_000 })).id });
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const note = ({ status }: { status: number }) => void statuses.push(status);
    for (const round of range(ROUNDS)) {
      const orders = await each(range(ORDERS), ORDERS, () => shop.pedido({ pack_id: pack.id, cliente_codigo_postal: '28001' }));
      const ids = orders.map(({ id }) => id);
      const make = (who: Member) => who.call(createEnvio, { body: { plantilla: 'correos', ids } });
      const [files] = await Promise.all([
        each(admins, AT_ONCE, make),
        each(round % 2 ? carriers : [], 2, async (carrier) =>
          note(await carrier.call(autoAsignar, { params: { id: ids[0] ?? '' }, body: {} })),
        ),
      ]);
      files.forEach(note);
      const made = files.filter(({ status }) => status === 201);
      expect(made.length <= 1, () => `round ${round}: ${made.length} files of the same orders`);
      const [file] = made;
      if (!file) continue;
      const envio = file.body.data.id;
      for (const order of await each(ids, ORDERS, (id) => read(shop.admin, id)))
        expect(!(order.en_empresa && order.transportista_id), () => `${order.numero_orden}: with ${order.en_empresa} and a carrier`);
      for (const carrier of carriers)
        for (const id of ids) {
          const { status } = await carrier.call(autoAsignar, { params: { id }, body: {} });
          statuses.push(status);
          expect(status !== 200, () => `round ${round}: an order of the company is taken`);
        }
      const { text } = await shop.admin.call(envioFichero, { params: { id: envio } });
      const lines = orders.filter(({ numero_orden }) => text.includes(numero_orden)).length;
      expect(lines === ORDERS, () => `round ${round}: ${lines} orders in the file`);
      const filas = orders.map(({ numero_orden }, i) => ({ referencia: numero_orden, seguimiento: `PQ${round}${i}`, estado: 'Entregado' }));
      // Reads the same answer several times, while one order is taken out and another cancelled.
      await Promise.all([
        each(admins, AT_ONCE, async (who) => note(await who.call(leerRespuesta, { params: { id: envio }, body: { filas } }))),
        shop.admin.call(sacarDeEnvio, { body: { ids: ids.slice(0, 1) } }).then(note),
        shop.admin.call(setEstado, { params: { id: ids[1] ?? '' }, body: { estado: 'cancelado' } }).then(note),
      ]);
      for (const id of ids) {
        const { numero_orden, estado, en_empresa } = await read(shop.admin, id);
        const times = await completed(shop, id);
        expect(times <= 1 && (estado === 'completado') === (times === 1), () => `${numero_orden}: completed ${times} times, ${estado}`);
        expect(estado !== 'completado' || !en_empresa, () => `${numero_orden}: completed and still with ${en_empresa}`);
      }
    }
    const { data } = (await shop.admin.call(listEnvios)).body;
    for (const batch of data) expect(batch.sin_respuesta === 0, () => `${batch.empresa}: ${batch.sin_respuesta} of a batch wait for ever`);
    expect(
      statuses.every((status) => KNOWN.includes(status)),
      () => `answers ${tally(statuses)}`,
    );
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${ROUNDS} rounds × ${ORDERS} orders: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'that a second file asks',
      edits: [{ file: 'server/envios/envios.ts', find: 'if (!aunque_tenga_envio) refuseHeld(orders);', replace: '' }],
    },
    {
      guard: 'that no carrier takes what a company has',
      edits: [
        {
          file: 'contract/policy/facts.ts',
          find: "all: [ALIVE, AT_HAND, ANSWERED, { column: 'estado', is: 'pendiente' },",
          replace: "all: [ALIVE, { column: 'estado', is: 'pendiente' },",
        },
      ],
    },
  ],
};

const read = async (who: Pick<Member, 'call'>, id: string) => (await who.call(getPedido, { params: { id } })).body.data as Pedido;

const completed = (shop: Shop, id: string) =>
  shop.inspect(async (db) => {
    const rows = await db
      .selectFrom('pedidos_historial')
      .select('id')
      .where('pedido_id', '=', id)
      .where('estado_nuevo', '=', 'completado')
      .execute();
    return rows.length;
  });
