import { addComentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import { anonimizar } from '../../contract/privacidad/privacidad.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ORDERS = 10;
const EACH = 8;

/** The office and the reseller read every comment once, a carrier only comments of carriers. Only named people are notified. */
export const row: Row = {
  name: 'comments',
  what: 'comments at once by everybody of an order; others, carriers, anonymised orders; on two instances',
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [rita, stranger] = (await shop.crew('revendedor', 2)) as [Member, Member];
    const [carrier, other] = (await shop.crew('transportista', 2)) as [Member, Member];
    const [admin] = (await shop.crew('superadmin', 1)) as [Member];
    const pack = await shop.pack();
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    for (const n of range(ORDERS)) {
      const { id } = await shop.pedido({ pack_id: pack.id }, rita);
      const params = { id };
      await shop.admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'x' } });
      await carrier.call(autoAsignar, { params, body: {} });
      const authors = [rita, carrier, admin];
      const texts = authors.flatMap((who, w) => range(EACH).map((i) => [who, `${n}-${w}-${i} @${rita.person.full_name}`] as const));
      statuses.push(
        ...(await each(texts, 24, async ([who, texto]) => (await who.call(addComentario, { params, body: { texto } })).status)),
      );
      const read = async (who: Member) => (await who.call(listComentarios, { params })).body.data ?? [];
      for (const who of [rita, admin]) {
        const found = (await read(who)).map(({ texto }) => texto).sort();
        expect(
          found.join() ===
            texts
              .map(([, texto]) => texto)
              .sort()
              .join(),
          () => `${who.person.role} reads ${found.length} of ${texts.length}`,
        );
      }
      const own = await read(carrier);
      expect(own.length === EACH && own.every(({ autor_role }) => autor_role === 'transportista'), () => `the carrier reads ${own.length}`);
      for (const who of [stranger, other]) {
        const answers = [await who.call(listComentarios, { params }), await who.call(addComentario, { params, body: { texto: 'x' } })];
        expect(
          answers.every(({ status }) => status === 404),
          () => `somebody else: ${tally(answers.map(({ status }) => status))}`,
        );
      }
      await carrier.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'mrw' } });
      await admin.call(anonimizar, { body: { pedidos: [id], motivo: 'Lo ha pedido', confirmacion: CONFIRMACION } });
      const late = await rita.call(addComentario, { params, body: { texto: 'Era Ana' } });
      expect(late.status === 409, () => `a comment on an anonymised order: ${late.status}`);
      expect(!(await read(rita)).some(({ texto }) => texto.includes(`${n}-`)), () => 'an anonymised order keeps its comments');
    }
    expect(
      statuses.every((status) => status === 201),
      () => `answers ${tally(statuses)}`,
    );
    const noticesOf = async (who: Member) =>
      (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'comentario').length;
    const [named, unnamed] = [await noticesOf(rita), await noticesOf(admin)];
    expect(named > 0 && unnamed === 0, () => `told: ${named} times, and who was not named ${unnamed} times`);
    return outcome(`${ORDERS} orders, ${statuses.length} comments: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'that a carrier reads only their own',
      edits: [{ file: 'server/comentarios/comentarios.ts', find: "$if(!can(actor, 'pedido:prices'),", replace: '$if(false,' }],
    },
    {
      guard: 'that an anonymised order takes no more words',
      edits: [{ file: 'server/comentarios/comentarios.ts', find: "  refuseBlockedData(pedido, 'comentar');\n", replace: '' }],
    },
  ],
};
