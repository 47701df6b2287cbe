import { anotarPago } from '../../contract/payments/payments.ts';
import { getHistorial, getPedido, type Pedido, setEstado, setLineas } from '../../contract/pedidos/pedidos.ts';
import { listProducts, updatePack } from '../../contract/products/products.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const EDITS = 80;
const RACES = 12;
const ORDERS = 20;

/** Changed lines keep the agreed price of agreed quantities and use today's price for more. The stock moves by the difference. */
export const row: Row = {
  name: 'lines',
  what: 'quantities changed after the price has; the last units wanted by twenty changes at once; changes while a carrier takes the order',
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [rita] = (await shop.crew('revendedor', 1)) as [Member];
    const [carrier] = (await shop.crew('transportista', 1)) as [Member];
    const [admin, other] = (await shop.crew('superadmin', 2)) as [Member, Member];
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const change = async (who: Member, id: string, lineas: { numero?: number; pack_id: string; cantidad: number }[]) => {
      const reply = await who.call(setLineas, { params: { id }, body: { lineas } });
      statuses.push(reply.status);
      return reply;
    };

    const pack = await shop.pack({ product_id: (await shop.product({ stock: 100_000 })).id });
    const cheap = await shop.pack({ pack_price: 0.01 });
    const { id: pack_id, name, alias } = pack;
    const price = (pack_price: number) =>
      admin.call(updatePack, { params: { id: pack_id }, body: { name, alias, pack_quantity: 1, pack_price, is_active: true } });
    for (const n of range(EDITS)) {
      const [agreed, today, had, has] = [1 + ((n * 37) % 90) / 10, 1 + ((n * 53) % 90) / 10, 1 + (n % 5), 1 + ((n * 7) % 9)];
      await price(agreed);
      const { id } = await shop.pedido({ pack_id, cantidad: had }, rita);
      await price(today);
      const { status, body } = await change(n % 2 ? rita : admin, id, [{ numero: 1, pack_id, cantidad: has }]);
      const total = Math.round(100 * (Math.min(had, has) * agreed + Math.max(0, has - had) * today)) / 100;
      expect(
        status === 200 && body.data.precio_total === total,
        () => `${had} → ${has} at ${agreed} → ${today}: ${body.data?.precio_total}, not ${total}`,
      );
      // Lines worth less than the payments are refused.
      await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: total / 2, fecha: dayInMadrid() } });
      const less = await change(rita, id, [{ pack_id: cheap.id, cantidad: 1 }]);
      expect(less.status === 422, () => `less than was paid: ${less.status}`);
    }

    const scarce = (await shop.product({ stock: ORDERS + 35 })).id;
    const last = await shop.pack({ product_id: scarce });
    const orders = await each(range(ORDERS), 4, () => shop.pedido({ pack_id: last.id }, rita));
    const wanted = await each(orders, ORDERS, ({ id }, i) =>
      change(i % 2 ? admin : other, id, [{ numero: 1, pack_id: last.id, cantidad: 5 }]),
    );
    const done = wanted.filter(({ status }) => status === 200).length;
    const left = (await admin.call(listProducts)).body.data.find(({ id }) => id === scarce)?.stock;
    expect(done === 8 && left === 3, () => `of 35 units four each: ${done} changed, ${left} left`);

    for (const n of range(RACES)) {
      const { id, numero_orden } = await shop.pedido({ pack_id, cantidad: 1 }, rita);
      const params = { id };
      await admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'x' } });
      await Promise.all([
        ...[admin, other, admin].map((who, i) => change(who, id, [{ numero: 1, pack_id, cantidad: 2 + i }])),
        carrier.call(autoAsignar, { params, body: {} }),
      ]);
      const history = (await admin.call(getHistorial, { params })).body.data.toReversed();
      const taken = history.findIndex(({ estado_nuevo }) => estado_nuevo === 'asignado');
      const late = history.findLastIndex(({ accion }) => accion === 'Líneas cambiadas');
      expect(taken > late, () => `${numero_orden}: its lines change after it was taken`);
      const { lineas = [], precio_total } = (await admin.call(getPedido, { params })).body.data as Pedido;
      const sum = Math.round(100 * lineas.reduce((all, line) => all + line.precio_total, 0)) / 100;
      expect(sum === precio_total, () => `${numero_orden} ${n}: lines ${sum}, total ${precio_total}`);
    }
    expect(
      statuses.every((status) => status === 200 || status === 409 || status === 422),
      () => `answers ${tally(statuses)}`,
    );
    for (const line of await shop.inspect(recount)) expect(false, () => line);
    return outcome(`${statuses.length} changes: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the price that was agreed',
      edits: [
        {
          file: 'server/pedidos/lineas/lineas.ts',
          find: 'if (kept && keepsPrice(kept, line, free))',
          replace: 'if (kept && keepsPrice(kept, line, free) && !line.pack_id)',
        },
      ],
    },
    {
      guard: 'that lines stay once a carrier has the order',
      edits: [{ file: 'server/pedidos/escritura/create.ts', find: "    if (refusal) throw conflict(refusal, 'estado');\n", replace: '' }],
    },
    {
      guard: 'that the total is no less than was paid',
      edits: [
        {
          file: 'server/pedidos/escritura/create.ts',
          find: "row.estado === 'pendiente_pago' && summary.precio_total_cents < row.pagado_cents",
          replace: 'false',
        },
      ],
    },
    {
      guard: 'the difference in the stock',
      edits: [
        {
          file: 'server/pedidos/escritura/create.ts',
          find: '    await adjustStock(tx, actor, id, [before, lines], {',
          replace: '    await adjustStock(tx, actor, id, [before, before], {',
        },
      ],
    },
  ],
};
