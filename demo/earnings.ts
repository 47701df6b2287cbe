import { sql } from 'kysely';
import { mesEnPalabras } from '../contract/liquidaciones/fields.ts';
import type { Reglas } from '../contract/liquidaciones/liquidaciones.ts';
import type { Tx } from '../server/db/open.ts';
import { earnedByAttempt, earnedByDelivery } from '../server/ganancias/ledger.ts';
import { makeStatements } from '../server/ganancias/statements.ts';
import { toCents } from '../server/kit/money.ts';
import { DAY, fromMadrid, HOUR, toMadrid } from './calendar.ts';
import { insertMany } from './insert.ts';
import type { Draft } from './life.ts';
import { type Person, printedAccount } from './people.ts';

const CLOSED = 2;

const MARGINS: NonNullable<Reglas['margen']>[] = [
  { tipo: 'porcentaje', valor: 12 },
  { tipo: 'porcentaje', valor: 10 },
  { tipo: 'pack', valor: 1.5 },
  { tipo: 'porcentaje', valor: 8.5 },
];
const FEES: Reglas['tarifas'][] = [
  [
    { zona: 'peninsula', entrega: 3.8, intento: 1.2 },
    { zona: 'baleares', entrega: 5.5, intento: 1.8 },
    { zona: 'canarias', entrega: 8.9, intento: null },
  ],
  [{ zona: 'peninsula', entrega: 3.2, intento: 1 }],
  [
    { zona: 'peninsula', entrega: 4.1, intento: 1.5 },
    { zona: 'canarias', entrega: 9.5, intento: 2.5 },
  ],
];

/** Returns the start of the month `back` months ago as Madrid wall time, to read with the UTC getters. */
function monthWall(now: number, back: number): number {
  const wall = new Date(toMadrid(now));
  return Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() - back, 1);
}
const dayOf = (wall: number) => new Date(wall).toISOString().slice(0, 10);

export async function insertRules(tx: Tx, people: Person[]): Promise<void> {
  const idsOf = (role: string) => people.flatMap(({ row }) => (row.role === role ? [row.id] : []));
  const margins = idsOf('revendedor').map((user_id, i) => ({ user_id, ...(MARGINS[i % MARGINS.length] as (typeof MARGINS)[number]) }));
  await insertMany(
    tx,
    'margenes',
    margins.map(({ valor, ...margin }) => ({ ...margin, valor: toCents(valor) })),
  );
  const cents = (euros: number | null) => euros && toCents(euros);
  const fees = idsOf('transportista').flatMap((user_id, i) => (FEES[i % FEES.length] ?? []).map((fee) => ({ user_id, ...fee })));
  const rows = fees.map(({ entrega, intento, ...fee }) => ({ ...fee, entrega_cents: cents(entrega), intento_cents: cents(intento) }));
  await insertMany(tx, 'tarifas', rows);
}

const BOOKS = { completado: earnedByDelivery, intento: earnedByAttempt };

/** Books what people earn since the first closed month, by the rules of the program, each day at once. */
export async function bookEarnings(tx: Tx, drafts: readonly Draft[], now: number): Promise<void> {
  const from = fromMadrid(monthWall(now, CLOSED));
  const steps = drafts.flatMap(({ row, steps }) =>
    steps.flatMap(({ at, historial: { estado_anterior, estado_nuevo } }) => {
      const what = estado_nuevo === 'completado' ? estado_nuevo : estado_anterior === 'en_ruta' ? 'intento' : undefined;
      return what && at >= from ? [{ what, row, at, day: dayOf(toMadrid(at)) } as const] : [];
    }),
  );
  for (const [first, ...more] of Map.groupBy(steps, ({ what, day }) => `${day} ${what}`).values())
    if (first)
      await BOOKS[first.what](
        [first, ...more].map(({ row }) => row),
        sql<string>`${new Date(first.at).toISOString()}::timestamptz`,
      ).execute(tx);
  await sql`UPDATE ganancias g SET created_at = h.created_at FROM pedidos_historial h WHERE h.pedido_id = g.pedido_id AND g.created_at >= now()
    AND dia_negocio(h.created_at) = g.dia
    AND CASE g.concepto WHEN 'intento' THEN h.estado_anterior = 'en_ruta' ELSE h.estado_nuevo = 'completado' END`.execute(tx);
}

export async function closeMonths(tx: Tx, people: Person[], now: number): Promise<void> {
  const { id, full_name: nombre } = printedAccount(people, 'superadmin').actor;
  for (let back = CLOSED; back > 0; back -= 1) {
    const mes = dayOf(monthWall(now, back)).slice(0, 7);
    const at = Math.min(now, fromMadrid(monthWall(now, back - 1) + 10 * HOUR));
    const when = new Date(at).toISOString();
    const made = await makeStatements(tx, mes, { id, nombre }, sql<string>`${when}::timestamptz`);
    const notices = made.map(({ id, numero, user_id }) => ({
      user_id,
      tipo: 'liquidacion_cerrada',
      texto: `Ya está tu liquidación de ${mesEnPalabras(mes)}: ${numero}`,
      enlace: `/liquidaciones/${id}`,
      created_at: when,
    }));
    await insertMany(tx, 'notifications', notices);
    if (back === 1) continue;
    await tx
      .updateTable('liquidaciones')
      .set({ pagada_el: dayOf(toMadrid(at) + 4 * DAY), pago_referencia: sql`'Transferencia ' || numero`, version: 2 })
      .where('mes', '=', `${mes}-01`)
      .execute();
  }
  const adjust = (role: 'revendedor' | 'transportista', cents: number, nota: string) => ({
    user_id: printedAccount(people, role).row.id,
    concepto: 'ajuste' as const,
    cents,
    nota,
    dia: dayOf(toMadrid(now)),
    created_at: new Date(now).toISOString(),
  });
  await insertMany(tx, 'ganancias', [
    adjust('revendedor', 2500, 'Comisión de la feria de Zafra'),
    adjust('transportista', -1200, 'Garrafa rota en el reparto'),
  ]);
}
