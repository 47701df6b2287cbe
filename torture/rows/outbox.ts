import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { listCajas } from '../../contract/caja/caja.ts';
import { addressOf } from '../../contract/kit/address.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { sendPrueba } from '../../contract/pruebas/pruebas.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import type { Client } from '../../test/client.ts';
import { dayInMadrid } from '../../test/day.ts';
import { png, sha256 } from '../../test/proof.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { copyOfSession } from '../ends.ts';
import { startLine } from '../line.ts';
import { PACE, type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const PHONES = 6;
/** Deliveries per phone in each round. */
const EACH = 5;
const SECONDS = 60;
const HOUR = 3_600_000;
/** Statuses after which a phone retries, as after no answer. */
const LATER = [429, 502, 503, 504];
const TRIES = 200;
/** Tries of a request whose outcome a killed server has lost. Afterwards, only the check of the server's data decides. */
const UNKNOWN_TRIES = 5;

type Delivery = { id: string; cents: number; key: string; at: string; file: Buffer; fileKey: string };

/** Retries over bad lines to a killed server register each delivery once, at its own time, complete and exact to the cent. */
export const row: Row = {
  name: 'outbox',
  what: `${PHONES} telephones send deliveries with signature and cash over lines cut at random, the server killed in each round`,
  seconds: 180,
  lasts: SECONDS,
  run: async (world) => {
    const shop = await world.open();
    const { expect, outcome } = verdict();
    const body = { cashOnDelivery: true, proofOfDelivery: true, prueba_en_mano_firma: 'obligatoria' } as const;
    await shop.admin.call(updateSettings, { body });
    const carriers = await shop.crew('transportista', PHONES);
    const pack = await shop.pack({ pack_price: 12.35, product_id: (await shop.product({ stock: 1_000_000 })).id });
    const line = await startLine(shop.url());
    world.atEnd(line.close);
    const due = new Map<string, number>();
    const answers: (number | string)[] = [];
    let [deliveries, kills] = [0, 0];
    const until = Date.now() + PACE.seconds(SECONDS) * 1000;
    do {
      const bags = await each(carriers, PHONES, (carrier) => loaded(shop, carrier, pack.id));
      await leaveInTheMorning(shop);
      line.bad(true);
      const sending = Promise.all(
        bags.map(async (bag, n) => {
          const telephone = copyOfSession(carriers[n] as Member, line.url);
          for (const delivery of bag) {
            const refused = await send(telephone, delivery, answers);
            expect(!refused, () => `refused: ${refused}`);
          }
        }),
      );
      await sleep(Math.random() * 1000);
      await shop.instances[0]?.stop('SIGKILL');
      kills += 1;
      await shop.again();
      await sending;
      line.bad(false);
      for (const [n, bag] of bags.entries())
        for (const delivery of bag) {
          const day = `${carriers[n]?.person.id} ${dayInMadrid(delivery.at)}`;
          due.set(day, (due.get(day) ?? 0) + delivery.cents);
          deliveries += 1;
          for (const wrong of await wrongOf(shop, delivery)) expect(false, () => wrong);
        }
    } while (Date.now() < until);

    const cash = (await shop.admin.call(listCajas)).body.data;
    const held = cash.map(({ transportista_id, dia, esperado }) => [`${transportista_id} ${dia}`, Math.round(esperado * 100)] as const);
    expect(held.length === due.size, () => `cash of ${held.length} days instead of ${due.size}`);
    for (const [day, cents] of held) expect(due.get(day) === cents, () => `${day}: ${cents} cents instead of ${due.get(day)}`);
    for (const wrong of await auditBooks(shop, shop.admin)) expect(false, () => wrong);
    const cuts = Object.entries(line.cuts).map(([place, n]) => `${place} ${n}`);
    return outcome(`${deliveries} deliveries, ${kills} kills, cuts: ${cuts.join(', ')}; answers ${tally(answers)}`);
  },
  control: [
    {
      guard: "the telephone's time",
      edits: [
        {
          file: 'server/pedidos/pasos/transition.ts',
          find: 'return happenedAt(tx, row, ocurrido);',
          replace: 'return happenedAt(tx, row, new Date().toISOString() || ocurrido);',
        },
      ],
    },
  ],
};

/** Creates orders out for delivery by a carrier, and returns the deliveries that the carrier's phone will send. */
async function loaded(shop: Shop, carrier: Member, pack_id: string): Promise<Delivery[]> {
  return each(range(EACH), 1, async () => {
    const { id, precio_total } = await shop.pedido({ pack_id, contra_reembolso: true, cantidad: 1 + Math.floor(Math.random() * 9) });
    const steps = [
      await carrier.call(autoAsignar, { params: { id }, body: {} }),
      await carrier.call(setEstado, { params: { id }, body: { estado: 'en_proceso' } }),
      await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } }),
    ];
    for (const { status, text } of steps) if (status !== 200) throw new Error(`not out for delivery: ${status} ${text}`);
    const at = new Date(Date.now() - HOUR * (1 + Math.random() * 4)).toISOString();
    const file = png(randomBytes(40_000).toString('hex'));
    return { id, cents: Math.round(precio_total * 100), key: randomUUID(), at, file, fileKey: randomUUID() };
  });
}

/** Backdates the steps by six hours, because a delivery cannot precede the step before. */
const leaveInTheMorning = (shop: Shop) =>
  shop.inspect((db) =>
    db.transaction().execute(async (tx) => {
      await sql`ALTER TABLE pedidos_historial DISABLE TRIGGER USER`.execute(tx);
      await sql`UPDATE pedidos_historial SET created_at = created_at - interval '6 hours'
        WHERE pedido_id IN (SELECT id FROM pedidos WHERE estado = 'en_ruta')`.execute(tx);
      await sql`ALTER TABLE pedidos_historial ENABLE TRIGGER USER`.execute(tx);
    }),
  );

/** Sends a step until it is answered, and then its file, as web/outbox/ does. Resolves to the refusal, if any. */
async function send(telephone: Client, { id, cents, key, at, file, fileKey }: Delivery, answers: (number | string)[]) {
  const body = {
    estado: 'completado',
    paso: 'completar',
    metodo_entrega: 'manual',
    forma_entrega: 'en_mano',
    cobrado: cents / 100,
    cobrado_metodo: 'efectivo',
    pruebas: [{ tipo: 'firma', sha256: sha256(file) }],
    ocurrido: at,
  };
  const step = await untilAnswered(telephone, addressOf(setEstado.path, { params: { id } }), { body, key }, answers);
  if (step) return step;
  return untilAnswered(telephone, addressOf(sendPrueba.path, { params: { id } }), { body: file, key: fileKey, byContent: true }, answers);
}

async function untilAnswered(
  telephone: Client,
  path: string,
  { body, key, byContent = false }: { body: unknown; key: string; byContent?: boolean },
  answers: (number | string)[],
): Promise<string | undefined> {
  let unknown = 0;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { status, text } = await telephone
      .request('POST', path, { body, headers: { 'idempotency-key': byContent && tries > 1 ? `${key}-${tries}` : key } })
      .catch(() => ({ status: 0, text: '' }));
    answers.push(status === 0 ? 'silence' : status);
    if (status >= 200 && status < 300) return undefined;
    if (text.includes('idempotency_unknown')) {
      unknown += 1;
      if (unknown < UNKNOWN_TRIES) continue;
      // The check after the round compares the server's data byte by byte.
      return undefined;
    }
    if (status !== 0 && !LATER.includes(status)) return `${status} ${text}`;
    await sleep(50 + Math.random() * 200);
  }
  return `no answer after ${TRIES} tries`;
}

/** Differences between a delivery and the server's data, in words. */
function wrongOf({ inspect, dataDir }: Shop, { id, cents, at, file }: Delivery): Promise<string[]> {
  return inspect(async (db) => {
    const { rows } = await sql<{ n: number; at: string; completed: string }>`
      SELECT count(*)::int AS n, max(coalesce(h.ocurrido_at, h.created_at)) AS at, max(p.fecha_completado) AS completed
      FROM pedidos_historial h JOIN pedidos p ON p.id = h.pedido_id WHERE h.pedido_id = ${id} AND h.estado_nuevo = 'completado'`.execute(
      db,
    );
    const pagos = await db.selectFrom('pagos').select(['importe_cents', 'caja_dia']).where('pedido_id', '=', id).execute();
    const proofs = await db.selectFrom('pruebas').select(['sha256', 'fichero']).where('pedido_id', '=', id).execute();
    const same = (instant: string | undefined) => Date.parse(instant ?? '') === Date.parse(at);
    const path = join(dataDir, 'pruebas', proofs[0]?.fichero ?? 'none');
    const whole = existsSync(path) && sha256(readFileSync(path)) === sha256(file);
    const checks: [boolean, string][] = [
      [rows[0]?.n === 1, `completed ${rows[0]?.n} times`],
      [same(rows[0]?.at) && same(rows[0]?.completed), `at ${rows[0]?.completed} instead of ${at}`],
      [
        pagos.length === 1 && pagos[0]?.importe_cents === cents,
        `paid ${pagos.map(({ importe_cents }) => importe_cents)} instead of ${cents}`,
      ],
      [pagos[0]?.caja_dia === dayInMadrid(at), `cash of ${pagos[0]?.caja_dia}`],
      [proofs.length === 1 && proofs[0]?.sha256 === sha256(file) && whole, `${proofs.length} proofs, ${whole ? 'whole' : 'not whole'}`],
    ];
    return checks.filter(([fine]) => !fine).map(([, wrong]) => wrong);
  });
}
