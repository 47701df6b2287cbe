import { sql } from 'kysely';
import { mesEnPalabras } from '../contract/liquidaciones/fields.ts';
import type { Reglas } from '../contract/liquidaciones/liquidaciones.ts';
import { zonaOf } from '../contract/zonas/zonas.ts';
import type { Tx } from '../server/db/open.ts';
import { makeStatements } from '../server/ganancias/statements.ts';
import { inEuros, toCents } from '../server/kit/money.ts';
import { DAY, fromMadrid, HOUR, toMadrid } from './calendar.ts';
import { insertMany, type Row } from './insert.ts';
import type { Draft } from './life.ts';
import { account, type Person } from './people.ts';

const CLOSED = 2;

type Rules = Pick<Reglas, 'margen' | 'tarifas'>;
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

function rulesOf(people: readonly Person[]): Map<string, Rules> {
  const of = (role: string) => people.filter(({ row }) => row.role === role);
  return new Map<string, Rules>([
    ...of('revendedor').map(({ row }, i): [string, Rules] => [row.id, { margen: MARGINS[i % MARGINS.length] ?? null, tarifas: [] }]),
    ...of('transportista').map(({ row }, i): [string, Rules] => [row.id, { margen: null, tarifas: FEES[i % FEES.length] ?? [] }]),
  ]);
}

/** Returns the start of the month `back` months ago as Madrid wall time, to read with the UTC getters. */
function monthWall(now: number, back: number): number {
  const wall = new Date(toMadrid(now));
  return Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() - back, 1);
}
const dayOf = (wall: number) => new Date(wall).toISOString().slice(0, 10);

export async function insertRules(tx: Tx, people: Person[]): Promise<void> {
  for (const [user_id, { margen, tarifas }] of rulesOf(people)) {
    if (margen) await insertMany(tx, 'margenes', [{ ...margen, user_id, valor: toCents(margen.valor) }]);
    const cents = (euros: number | null) => euros && toCents(euros);
    const rows = tarifas.map(({ zona, entrega, intento }) => ({
      user_id,
      zona,
      entrega_cents: cents(entrega),
      intento_cents: cents(intento),
    }));
    await insertMany(tx, 'tarifas', rows);
  }
}

/** Earnings since the first closed month, as the program would have booked them. */
export function earningRows(drafts: readonly Draft[], people: readonly Person[], now: number): Row<'ganancias'>[] {
  const rules = rulesOf(people);
  const from = fromMadrid(monthWall(now, CLOSED));
  return drafts.flatMap(({ row, lines, steps }) =>
    steps.flatMap(({ at, historial: { estado_anterior, estado_nuevo } }) => {
      if (at < from) return [];
      const line = {
        pedido_id: row.id,
        numero_orden: row.numero_orden,
        ciudad: row.cliente_ciudad,
        nota: null,
        dia: dayOf(toMadrid(at)),
        created_at: new Date(at).toISOString(),
      };
      const earned: Row<'ganancias'>[] = [];
      const { margen } = rules.get(row.revendedor_id ?? '') ?? {};
      if (margen && row.revendedor_id && estado_nuevo === 'completado') {
        const base = Math.max(0, row.precio_total_cents - row.envio_cents);
        const packs = lines.reduce((sum, { pack_id, cantidad }) => sum + (pack_id ? cantidad : 0), 0);
        const money = (cents: number) => inEuros(cents).replaceAll('\u00a0', ' ');
        earned.push({
          ...line,
          user_id: row.revendedor_id,
          concepto: 'margen',
          zona: null,
          margen_tipo: margen.tipo,
          margen_valor: toCents(margen.valor),
          margen_base: margen.tipo === 'pack' ? packs : base,
          cents: margen.tipo === 'pack' ? toCents(margen.valor) * packs : Math.round((base * margen.valor) / 100),
          detalle:
            margen.tipo === 'pack'
              ? `${packs} ${packs === 1 ? 'pack' : 'packs'} a ${money(toCents(margen.valor))}`
              : `${margen.valor.toLocaleString('es-ES')} % de ${money(base)}`,
        });
      }
      const concepto = estado_nuevo === 'completado' ? 'entrega' : estado_anterior === 'en_ruta' ? 'intento' : undefined;
      const { tarifas = [] } = rules.get(row.transportista_id ?? '') ?? {};
      const zones = [zonaOf(row), 'peninsula'];
      const fee = concepto && zones.flatMap((zona) => tarifas.find((tarifa) => tarifa.zona === zona && tarifa[concepto] !== null) ?? [])[0];
      if (fee && row.transportista_id)
        earned.push({
          ...line,
          user_id: row.transportista_id,
          concepto,
          zona: fee.zona,
          cents: toCents(fee[concepto] ?? 0),
          ...{ detalle: null, margen_tipo: null, margen_valor: null, margen_base: null },
        });
      return earned;
    }),
  );
}

export async function closeMonths(tx: Tx, people: Person[], now: number): Promise<void> {
  const { id, full_name: nombre } = account(people, 'superadmin').actor;
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
    user_id: account(people, role).row.id,
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
