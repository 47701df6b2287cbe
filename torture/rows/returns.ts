import { anularDevolucion, createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { getAbierta, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { dayInMadrid } from '../../test/day.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ORDERS = 15;
const AT_ONCE = 6;
/** Price of a pack in euros; an order has three packs. */
const PRICE = 9.99;
const PER_CENT = 12.5;

/** Returned goods count once: in the stock, in the refund and in the reseller's margin, to the cent. */
export const row: Row = {
  name: 'returns',
  what: `${AT_ONCE} returns of one unit at once, annulled at once, refunds beyond what was paid; margins after them, on two instances`,
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const admins = await shop.crew('superadmin', AT_ONCE);
    const [rita] = (await shop.crew('revendedor', 1)) as [Member];
    const [admin] = admins as [Member];
    await admin.call(setGanancia, { params: { id: rita.person.id }, body: { margen: { tipo: 'porcentaje', valor: PER_CENT } } });
    const pack = await shop.pack({ pack_price: PRICE });
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    let margin = 0;
    for (const n of range(ORDERS)) {
      const { id, numero_orden } = await shop.pedido({ pack_id: pack.id, cantidad: 3 }, rita);
      const params = { id };
      const paid = { metodo: 'bizum' as const, importe: 3 * PRICE, fecha: dayInMadrid() };
      await admin.call(anotarPago, { params, body: paid });
      await admin.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'mrw' } });
      const giveBack = (who: Member, reembolso?: number) =>
        who.call(createDevolucion, {
          params,
          body: { lineas: [{ numero: 1, cantidad: 1, destino: n % 2 ? 'stock' : 'baja' }], motivo: 'otro', reembolso: reembolso ?? null },
        });
      const tooMuch = await giveBack(admin, 3 * PRICE + 0.01);
      expect(tooMuch.status === 422, () => `${numero_orden}: more than was paid is refunded: ${tooMuch.status}`);
      // Only three packs can be returned, each with its refund.
      const replies = await each(admins, AT_ONCE, (who) => giveBack(who, PRICE));
      statuses.push(...replies.map(({ status }) => status));
      const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
      expect(made.length === 3, () => `${numero_orden}: ${made.length} of 3 come back`);
      const annulled = await each(admins, AT_ONCE, (who) =>
        who.call(anularDevolucion, { params: { id: made[0] ?? '' }, body: { motivo: 'Error' } }),
      );
      const once = annulled.filter(({ status }) => status === 200).length;
      expect(once === 1, () => `${numero_orden}: annulled ${once} times`);
      const { cantidad_devuelta, reembolsado, pendiente } = (await admin.call(getPedido, { params })).body.data as Pedido;
      expect(cantidad_devuelta === 2, () => `${numero_orden}: ${cantidad_devuelta} count as returned`);
      expect(reembolsado === 2 * PRICE && pendiente === 0, () => `${numero_orden}: ${reembolsado} refunded, ${pendiente} due`);
      const whole = Math.round(3 * PRICE * PER_CENT);
      margin += whole - Math.round((whole * 2) / 3);
    }
    expect(
      statuses.every((status) => status === 201 || status === 422),
      () => `answers ${tally(statuses)}`,
    );
    const { personas } = (await admin.call(getAbierta, { query: { user_id: rita.person.id } })).body;
    const earned = Math.round((personas.find(({ user_id }) => user_id === rita.person.id)?.total ?? 0) * 100);
    expect(earned === margin, () => `the margin is ${earned} cents instead of ${margin}`);
    for (const line of await shop.inspect(recount)) expect(false, () => line);
    return outcome(`${ORDERS} orders × ${AT_ONCE}: ${tally(statuses)}; margin ${margin} cents`);
  },
  control: [
    {
      guard: 'the amount that a return takes from the margin',
      edits: [
        { file: 'server/ganancias/ledger.ts', find: '- quitado AS cents FROM ganado', replace: '- quitado + 100000 AS cents FROM ganado' },
      ],
    },
    {
      guard: 'the lock of the order',
      edits: [
        {
          file: 'server/devoluciones/devoluciones.ts',
          find: 'const row = await lockPedido(tx, actor, pedido);',
          replace: 'const row = await findPedido(tx, actor, pedido);',
        },
      ],
    },
    {
      guard: 'that no more is refunded than was paid',
      edits: [{ file: 'server/devoluciones/devoluciones.ts', find: 'if (cents > left)', replace: 'if (false)' }],
    },
  ],
};
