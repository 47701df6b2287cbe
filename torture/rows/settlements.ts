import { sql } from 'kysely';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import {
  cerrarMes,
  crearAjuste,
  getAbierta,
  getLiquidacion,
  type Liquidacion,
  liquidacionCsv,
  listLiquidaciones,
  pagarLiquidacion,
  setGanancia,
} from '../../contract/liquidaciones/liquidaciones.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { dayInMadrid } from '../../test/day.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const MONTHS = 4;
const AT_ONCE = 6;
const ORDERS = 4;

/** A month closes once for each person, and a closed month never changes again. */
export const row: Row = {
  name: 'settlements',
  what: `${AT_ONCE} superadmins close a month at once while more is earned, pay each statement at once; returns and others afterwards; on two instances`,
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const admins = await shop.crew('superadmin', AT_ONCE);
    const [admin] = admins as [Member];
    const resellers = (await shop.crew('revendedor', 3)) as [Member, Member, Member];
    for (const { person } of resellers)
      await admin.call(setGanancia, { params: { id: person.id }, body: { margen: { tipo: 'porcentaje', valor: 10 } } });
    const pack = await shop.pack({ pack_price: 33.33 });
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const list = async (query: { mes?: string; per_page?: number }) => (await admin.call(listLiquidaciones, { query })).body.data;
    const closed: Liquidacion[] = [];
    const delivered: string[] = [];
    for (const n of range(MONTHS).toReversed()) {
      const { mes, first } = monthsBack(n + 1);
      for (const reseller of resellers)
        for (const _ of range(ORDERS)) {
          const { id } = await shop.pedido({ pack_id: pack.id }, reseller);
          const done = await admin.call(setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'x' } });
          if (done.status === 200) await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'mrw' } });
          delivered.push(id);
        }
      await shop.inspect((db) => earnedOn(db, first));
      const closing = await Promise.all([
        ...admins.map((who) => who.call(cerrarMes, { body: { mes } })),
        ...resellers.map(({ person }) => admin.call(crearAjuste, { body: { user_id: person.id, importe: 1, nota: 'Mientras se cierra' } })),
      ]);
      statuses.push(...closing.map(({ status }) => status));
      const made = await list({ mes });
      expect(made.length === resellers.length, () => `${mes}: ${made.length} statements of ${resellers.length} people`);
      // Earnings added while a month is closing belong to the next month.
      const more = closed.length ? 1 : 0;
      for (const { total, num_lineas, persona_nombre } of made)
        expect(total === 13.32 + more && num_lineas === ORDERS + more, () => `${mes}, ${persona_nombre}: ${num_lineas} lines, ${total}`);
      for (const { id, version } of made) {
        const body = { referencia: 'Transferencia', fecha: dayInMadrid(), version };
        const paid = await each(admins, AT_ONCE, async (who) => (await who.call(pagarLiquidacion, { params: { id }, body })).status);
        statuses.push(...paid);
        expect(paid.filter((status) => status === 200).length === 1, () => `${mes}: paid at once ${tally(paid)}`);
      }
      closed.push(...(await list({ mes })));
    }
    for (const mes of [monthsBack(0).mes, '2099-01']) {
      const { status } = await admin.call(cerrarMes, { body: { mes } });
      expect(status === 422, () => `${mes} is closed: ${status}`);
    }

    for (const id of delivered) {
      const body = { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' as const }], motivo: 'otro' as const };
      await admin.call(createDevolucion, { params: { id }, body });
    }
    for (const statement of [
      'UPDATE liquidaciones SET total_cents = 0',
      'DELETE FROM liquidaciones',
      'UPDATE ganancias SET cents = 0',
      'DELETE FROM ganancias',
    ]) {
      const refused = await shop.inspect((db) =>
        sql
          .raw(statement)
          .execute(db)
          .then(
            () => false,
            () => true,
          ),
      );
      expect(refused, () => `the database takes «${statement}»`);
    }
    const after = await list({ per_page: 100 });
    for (const before of closed) {
      const now = after.find(({ id }) => id === before.id);
      expect(JSON.stringify(now) === JSON.stringify(before), () => `${before.numero} changes after it was closed`);
    }
    const [rita, rosa] = resellers;
    const { total } = (await rita.call(getAbierta)).body.personas[0] ?? { total: 0 };
    // All orders were returned, and one adjustment is in no statement yet.
    expect(total === -13.32 * MONTHS + 1, () => `after the returns ${total} is open`);
    for (const { id } of closed.filter(({ user_id }) => user_id === rosa.person.id))
      for (const endpoint of [getLiquidacion, liquidacionCsv]) {
        const { status } = await rita.call(endpoint, { params: { id } });
        expect(status === 404, () => `another's statement: ${status}`);
      }
    expect(
      statuses.every((status) => status < 500),
      () => `answers ${tally(statuses)}`,
    );
    for (const line of await shop.inspect(recount)) expect(false, () => line);
    return outcome(`${closed.length} statements of ${MONTHS} months: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'that closings wait for each other',
      edits: [
        {
          file: 'server/ganancias/statements.ts',
          find: "  await sql`SELECT pg_advisory_xact_lock(hashtextextended('liquidaciones', 0))`.execute(tx);\n",
          replace: '',
        },
      ],
    },
    {
      guard: 'that a closed statement never changes',
      edits: [
        {
          file: 'server/db/migrations/032-earnings.ts',
          find: "  'CREATE TRIGGER liquidaciones_cerradas BEFORE UPDATE OR DELETE ON liquidaciones FOR EACH ROW EXECUTE FUNCTION liquidaciones_cerradas()',\n",
          replace: '',
        },
      ],
    },
    {
      guard: 'the lock of a statement that is paid',
      edits: [
        {
          file: 'server/ganancias/statements.ts',
          find: ".where('l.id', '=', id).forUpdate().executeTakeFirst()",
          replace: ".where('l.id', '=', id).executeTakeFirst()",
        },
      ],
    },
  ],
};
