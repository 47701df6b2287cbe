import fc from 'fast-check';
import { EN_MANOS, ESTADOS, type Estado } from '../../contract/pedidos/estados.ts';
import { getPedido, WITHDRAWN } from '../../contract/pedidos/pedidos.ts';
import type { Client } from '../../test/client.ts';
import { STATE_TABLE } from '../../test/state-table.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ACTORS = ['admin', 'owner', 'stranger', 'carrier', 'rival'] as const;
type ActorName = (typeof ACTORS)[number];
type Command = { actor: ActorName } & (
  | { do: 'estado'; to: Estado; inputs: boolean }
  | { do: 'take' }
  | { do: 'assign'; to: 'carrier' | 'rival' | null }
);
type Model = { estado: Estado; holder: ActorName | null };

const LANES = 4;
const RUNS = 600;

// Actors with permission are more frequent, so that orders advance.
const actor = fc.constantFrom(...ACTORS, 'admin' as const, 'admin' as const, 'carrier' as const, 'carrier' as const);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      actor,
      do: fc.constant('estado' as const),
      to: fc.constantFrom(...ESTADOS),
      inputs: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ actor, do: fc.constant('take' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ actor, do: fc.constant('assign' as const), to: fc.constantFrom('carrier' as const, 'rival' as const, null) }),
  },
);

/** Random commands of five people on one order get the answers that the hand-written state table predicts. */
export const row: Row = {
  name: 'state-machine',
  what: 'random commands of five people against a model of the state table, on two instances',
  seconds: 240,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [[owner, stranger], [carrier, rival], [admin]] = [
      await shop.crew('revendedor', 2),
      await shop.crew('transportista', 2),
      await shop.crew('superadmin', 1),
    ] as [Member[], Member[], Member[]];
    const people = { admin, owner, stranger, carrier, rival } as Record<ActorName, Member>;
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    const statuses: number[] = [];
    const { expect, outcome } = verdict();

    const property = fc.asyncProperty(
      fc.constantFrom('pendiente_pago' as const, 'pendiente' as const),
      fc.array(command, { minLength: 8, maxLength: 24, size: 'max' }),
      async (estado, commands) => {
        const { id } = await shop.pedido({ pack_id: pack.id, estado, revendedor_id: people.owner.person.id });
        let model: Model = { estado, holder: null };
        for (const asked of commands) {
          const { status, text } = await ask(people, id, asked);
          const { may, next } = foretell(model, asked);
          statuses.push(status);
          // Instead of a refusal, the former carrier gets the answer that the order was withdrawn.
          const withdrawn = status === 409 && model.holder !== asked.actor && !may.includes(200) && text.includes(`"${WITHDRAWN}"`);
          if (!may.includes(status) && !withdrawn)
            throw new Error(`${JSON.stringify(model)} ${JSON.stringify(asked)}: ${status} instead of ${may}: ${text}`);
          model = next;
        }
        const { data } = (await shop.admin.call(getPedido, { params: { id } })).body;
        const holder = ACTORS.find((name) => people[name].person.id === data.transportista_id) ?? null;
        if (data.estado !== model.estado || holder !== model.holder)
          throw new Error(`is ${data.estado} of ${holder} instead of ${JSON.stringify(model)} after ${JSON.stringify(commands)}`);
      },
    );
    const numRuns = RUNS / LANES;
    await each(range(LANES), LANES, async (lane) => {
      const { failed, errorInstance } = await fc.check(property, { numRuns, seed: 20261122 + lane, endOnFailure: true });
      expect(!failed, () => String((errorInstance as Error | null)?.message).slice(0, 300));
    });
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${statuses.length} commands in ${RUNS} runs: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'who may make a transition',
      edits: [{ file: 'server/pedidos/pasos/step.ts', find: 'if (!mayTransition(actor, name, row))', replace: 'if (false)' }],
    },
    {
      guard: 'one edge of the table (en_ruta is followed by pendiente)',
      edits: [
        {
          file: 'contract/pedidos/flow.ts',
          find: "  devolver: {\n    from: ['asignado'],",
          replace: "  devolver: {\n    from: ['asignado', 'en_ruta'],",
        },
      ],
    },
  ],
};

function ask(people: Record<ActorName, Client & Member>, id: string, asked: Command) {
  const who = people[asked.actor];
  if (asked.do === 'take') return who.request('POST', `/api/transportista/pedidos/${id}/auto-asignar`);
  if (asked.do === 'assign')
    return who.request('POST', `/api/pedidos/${id}/assign-transportista`, {
      body: { transportista_id: asked.to && people[asked.to].person.id },
    });
  const inputs = asked.inputs ? { metodo_entrega: 'manual', motivo: 'No había nadie', referencia: 'TRF-1' } : {};
  return who.request('POST', `/api/pedidos/${id}/estado`, { body: { estado: asked.to, ...inputs } });
}

const isCarrier = (name: ActorName) => name === 'carrier' || name === 'rival';

/** Returns the allowed statuses of the answer, and the model afterwards. */
function foretell(model: Model, asked: Command): { may: number[]; next: Model } {
  const { estado, holder } = model;
  const refused = (...may: number[]) => ({ may, next: model });
  const becomes = (next: Model) => ({ may: [200], next });
  const { actor: who } = asked;
  const open = estado === 'pendiente';

  if (asked.do === 'take') {
    if (!isCarrier(who)) return refused(403);
    if (open) return becomes({ estado: 'asignado', holder: who });
    if (estado === 'pendiente_pago') return refused(404);
    // A slower carrier gets 409, or 404 for an order that was never offered to them.
    return holder === who ? refused(409) : refused(409, 404);
  }
  if (asked.do === 'assign') {
    if (who !== 'admin') return refused(403);
    if (asked.to === null) return open || estado === 'asignado' ? becomes({ estado: 'pendiente', holder: null }) : refused(409);
    if (EN_MANOS.includes(estado)) return becomes({ estado, holder: asked.to });
    return open ? becomes({ estado: 'asignado', holder: asked.to }) : refused(409);
  }
  const sees = who === 'admin' || who === 'owner' || (isCarrier(who) && (open || holder === who));
  if (!sees) return refused(404);
  const line = STATE_TABLE.find(({ from, to }) => from === estado && to === asked.to);
  if (!line) return refused(409);
  // Carriers take orders through another endpoint; this request names no carrier.
  if (open && asked.to === 'asignado') return who === 'owner' ? refused(403) : refused(422);
  const may = who === 'admin' || (line.who === 'carrier' && holder === who) || (line.who === 'owner' && who === 'owner');
  if (!may) return refused(403);
  if (line.needs && !asked.inputs) return refused(422);
  return becomes({ estado: asked.to, holder: asked.to === 'pendiente' ? null : holder });
}
