import {
  anularDevolucion,
  listDevoluciones,
  pedirResto,
  recibirDevolucion,
  reembolsarDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { listProducts } from '../../contract/products/products.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { copyOfSession } from '../ends.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ORDERS = 16;
const AT_ONCE = 4;
const PRICE = 9.99;
const EACH = 6;
const KNOWN = [200, 201, 404, 409, 422];

/** Undelivered goods are counted in one place (on their way, in stock or written off), and refunded or delivered once. */
export const row: Row = {
  name: 'parts',
  what: 'a delivery in parts sent twice; its goods received, its money refunded, its rest ordered and the return annulled at once, on two instances',
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    await shop.admin.call(updateSettings, { body: { partialDeliveries: true } });
    const admins = await shop.crew('superadmin', AT_ONCE);
    const [carrier] = (await shop.crew('transportista', 1)) as [Member];
    const product = await shop.product({ stock: 100_000 });
    const pack = await shop.pack({ pack_price: PRICE, pack_quantity: EACH, product_id: product.id });
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const note = ({ status }: { status: number }) => void statuses.push(status);
    for (const n of range(ORDERS)) {
      const { id, numero_orden } = await shop.pedido({ pack_id: pack.id, cantidad: 5 });
      const paid = { metodo: 'bizum' as const, importe: 5 * PRICE, fecha: dayInMadrid() };
      await shop.admin.call(anotarPago, { params: { id }, body: paid });
      await carrier.call(autoAsignar, { params: { id }, body: {} });
      await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
      const left = [{ numero: 1, cantidad: 3, motivo: 'rechazado' as const }];
      const delivered = await each(range(2), 2, (turn) =>
        copyOfSession(carrier, shop.url(turn)).call(setEstado, {
          params: { id },
          body: { estado: 'completado', metodo_entrega: 'manual', no_entregado: left },
        }),
      );
      delivered.forEach(note);
      const once = delivered.filter(({ status }) => status === 200).length;
      expect(once === 1, () => `${numero_orden}: delivered ${once} times`);
      const [part] = (await shop.admin.call(listDevoluciones, { params: { id } })).body.data;
      const params = { id: part?.id ?? '' };
      const before = await stockOf(shop.admin, product.id);
      const received = await each(admins, AT_ONCE, (who) =>
        who.call(recibirDevolucion, { params, body: { destino: 'stock', motivo: null } }),
      );
      received.forEach(note);
      const taken = received.filter(({ status }) => status === 200).length;
      const more = (await stockOf(shop.admin, product.id)) - before;
      expect(taken === 1 && more === 3 * EACH, () => `${numero_orden}: received ${taken} times, ${more} units`);
      const [a, b, c, d] = admins as [Member, Member, Member, Member];
      await Promise.all([
        ...[a, b].map((who) => who.call(reembolsarDevolucion, { params, body: { reembolso: 3 * PRICE, referencia: null } }).then(note)),
        c.call(pedirResto, { params }).then(note),
        ...(n % 3 ? [] : [d.call(anularDevolucion, { params, body: { motivo: 'A la vez' } }).then(note)]),
      ]);
      const { pagado, reembolsado, por_reembolsar } = (await shop.admin.call(getPedido, { params: { id } })).body.data as Pedido;
      expect(reembolsado <= 3 * PRICE + 0.001 && reembolsado + por_reembolsar <= pagado, () => `${numero_orden}: ${reembolsado} refunded`);
    }
    expect(
      statuses.every((status) => KNOWN.includes(status)),
      () => `answers ${tally(statuses)}`,
    );
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${ORDERS} deliveries × ${AT_ONCE}: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the lock of the order while goods are received',
      edits: [
        {
          file: 'server/devoluciones/goods.ts',
          find: "import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';",
          replace: "import { findPedido as lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';",
        },
      ],
    },
    {
      guard: 'the lock of the order while what is left out is refunded or sent',
      edits: [
        {
          file: 'server/devoluciones/refunds.ts',
          find: "import { lockPedido, lockPedidos, type PedidoRow } from '../pedidos/lectura/row.ts';",
          replace: "import { findPedido as lockPedido, lockPedidos, type PedidoRow } from '../pedidos/lectura/row.ts';",
        },
      ],
    },
  ],
};

const stockOf = async (admin: Pick<Member, 'call'>, id: string): Promise<number> =>
  (await admin.call(listProducts)).body.data.find((product) => product.id === id)?.stock ?? Number.NaN;
