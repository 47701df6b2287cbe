import { getHistorial, getPedido } from '../../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';

const CARRIERS = 100;
const ORDERS = 60;

/** A hundred carriers take one order at once: one gets it, the others read that another was faster. */
export const row: Row = {
  name: 'two-take-one',
  what: 'a hundred carriers take each order at once, on two instances',
  seconds: 150,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const carriers = await shop.crew('transportista', CARRIERS);
    const pack = await shop.pack();
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    for (const _ of range(ORDERS)) {
      const { id, numero_orden } = await shop.pedido({ pack_id: pack.id });
      const replies = await each(carriers, CARRIERS, (carrier) => carrier.call(autoAsignar, { params: { id } }));
      statuses.push(...replies.map(({ status }) => status));
      const winners = carriers.filter((_, i) => replies[i]?.status === 200);
      const { transportista_id } = (await shop.admin.call(getPedido, { params: { id } })).body.data;
      const { data: history } = (await shop.admin.call(getHistorial, { params: { id } })).body;
      const taken = history.filter(({ estado_nuevo }) => estado_nuevo === 'asignado');
      expect(winners.length === 1, () => `${numero_orden}: ${winners.length} were told that it is theirs`);
      expect(transportista_id === winners[0]?.person.id, () => `${numero_orden}: it is not the winner's`);
      expect(taken.length === 1, () => `${numero_orden}: taken ${taken.length} times in its history`);
    }
    expect(
      statuses.every((status) => status === 200 || status === 409),
      () => `answers ${tally(statuses)}`,
    );
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${CARRIERS} carriers × ${ORDERS} orders: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the lock and the estado in the UPDATE',
      edits: [
        {
          file: 'server/pedidos/pasos/transition.ts',
          find: '.forUpdate()\n      .executeTakeFirst();\n    if (!row || row.estado',
          replace: '.executeTakeFirst();\n    if (!row || row.estado',
        },
        { file: 'server/pedidos/historia/change.ts', find: "        .where('estado', '=', first.row.estado)\n", replace: '' },
      ],
    },
  ],
};
