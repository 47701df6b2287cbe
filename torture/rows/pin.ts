import { getPago } from '../../contract/pagar/pagar.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { connect } from '../../e2e/api.ts';
import { each, range } from '../each.ts';
import { copyOfSession } from '../ends.ts';
import { recount } from '../recount.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ORDERS = 8;
const GUESSES = 60;
const TRIES = 3;

/** A PIN cannot be guessed: after three wrong guesses, even concurrent guesses, the right PIN is refused. */
export const row: Row = {
  name: 'pin',
  what: `${GUESSES} guesses of a PIN at once, on two instances; the right one after them, and first`,
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    await shop.admin.call(updateSettings, { body: { proofOfDelivery: true, prueba_en_mano_pin: 'obligatoria' } });
    const [carrier] = (await shop.crew('transportista', 1)) as [Member];
    const pack = await shop.pack();
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const deliver = async (id: string, pin: string, turn = 0) => {
      const body = { estado: 'completado' as const, metodo_entrega: 'manual' as const, forma_entrega: 'en_mano' as const, pin };
      const reply = await copyOfSession(carrier, shop.url(turn)).call(setEstado, { params: { id }, body });
      statuses.push(reply.status);
      return reply.status;
    };
    for (const n of range(ORDERS)) {
      const { id, numero_orden, payment_link } = await shop.pedido({ pack_id: pack.id });
      await carrier.call(autoAsignar, { params: { id }, body: {} });
      await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
      const token = payment_link?.split('/').at(-1) ?? '';
      const pin = (await connect(shop.url()).call(getPago, { params: { token } })).body.data.entrega?.pin ?? '';
      expect(/^\d{4}$/.test(pin), () => `${numero_orden}: the customer sees no PIN`);
      if (n % 4 === 0) {
        const right = await deliver(id, pin);
        expect(right === 200, () => `${numero_orden}: the right PIN answers ${right}`);
        continue;
      }
      const wrong = range(GUESSES).map((i) => String((Number(pin) + 1 + i) % 10_000).padStart(4, '0'));
      const replies = await each(wrong, GUESSES, (guess, i) => deliver(id, guess, i));
      expect(
        replies.every((status) => status === 422),
        () => `${numero_orden}: guesses answer ${tally(replies)}`,
      );
      const counted = await shop.inspect((db) =>
        db.selectFrom('entregas').select('pin_fallos').where('pedido_id', '=', id).executeTakeFirst(),
      );
      expect(counted?.pin_fallos === TRIES, () => `${numero_orden}: ${counted?.pin_fallos} wrong PINs count`);
      const late = await deliver(id, pin);
      expect(late === 422, () => `${numero_orden}: the right PIN after ${GUESSES} guesses answers ${late}`);
    }
    for (const line of await shop.inspect(recount)) expect(false, () => line);
    return outcome(`${ORDERS} orders × ${GUESSES} guesses: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the end of the tries',
      edits: [
        {
          file: 'server/pedidos/pruebas/entrega.ts',
          find: 'const tried = fallos < MAX_PIN_FALLOS ? body.pin : null;',
          replace: 'const tried = body.pin;',
        },
      ],
    },
  ],
};
