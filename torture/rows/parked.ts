import { setTimeout as sleep } from 'node:timers/promises';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { listUsers } from '../../contract/users/users.ts';
import { ENDS } from '../ends.ts';
import { type Answered, hold } from '../held.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

/** A request whose last byte arrives after its session has ended does nothing. */
export const row: Row = {
  name: 'parked',
  what: 'requests held back but for their last byte while their session ends in each way, here and on the other instance',
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const pack = await shop.pack();
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    for (const [how, end] of Object.entries(ENDS)) {
      for (const turn of [0, 1]) {
        const [member] = (await shop.crew('superadmin', 1)) as [Member];
        const mark = `Aparcado ${how} ${turn}`;
        const person = {
          role: 'superadmin',
          full_name: mark,
          email: `aparcado${statuses.length}@enruta.test`,
          password: 'clave de aparcado',
        };
        const order = { cliente_nombre: mark, cliente_direccion: 'Calle 1', pack_id: pack.id };
        const parked = [hold(shop.url(), member, 'POST', '/api/users', person), hold(shop.url(), member, 'POST', '/api/pedidos', order)];
        // Waits until the server has read the headers and found the session.
        await sleep(400);
        await end(shop, member, turn);
        const answers = await Promise.all(parked.map(({ finish }) => finish()));
        statuses.push(...answers.map(({ status }: Answered) => status));
        expect(
          answers.every(({ status }) => status === 401 || status === 0),
          () => `${how}${turn ? ' on the other instance' : ''}: ${tally(answers.map(({ status }) => status))}`,
        );
        const made = (await shop.admin.call(listUsers, { query: {} })).body.data.filter(({ full_name }) => full_name === mark);
        const { total } = (await shop.admin.call(listPedidos, { query: { search: mark } })).body;
        expect(made.length === 0, () => `${how}: a new superadmin exists`);
        expect(total === 0, () => `${how}: a new order exists`);
      }
    }
    return outcome(`${statuses.length} requests: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the second look at the session, after the body',
      edits: [{ file: 'server/kit/route.ts', find: 'preValidation: (request) => app.authorize(request, endpoint)', replace: '' }],
    },
  ],
};
