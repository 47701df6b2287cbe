import { describe, expect, test } from 'vitest';
import { ESTADOS } from '../contract/pedidos/estados.ts';
import { STATE_TABLE } from '../test/state-table.ts';
import { DAY, fromMadrid, HOUR, monthsBefore, toMadrid } from './calendar.ts';
import { buildCatalogue } from './catalogue.ts';
import { buildOrders, orderNumbers } from './orders.ts';
import { buildPeople, printedAccount } from './people.ts';
import { seededRandom } from './random.ts';
import { buildLedger, stockFlows } from './stock.ts';

// The first two digits of a postcode are the province's number.
const PROVINCES = `01 Álava,02 Albacete,03 Alicante,04 Almería,05 Ávila,06 Badajoz,07 Baleares,08 Barcelona,09 Burgos,10 Cáceres,11 Cádiz,
12 Castellón,13 Ciudad Real,14 Córdoba,15 A Coruña,16 Cuenca,17 Girona,18 Granada,19 Guadalajara,20 Gipuzkoa,21 Huelva,22 Huesca,23 Jaén,24 León,
25 Lleida,26 La Rioja,27 Lugo,28 Madrid,29 Málaga,30 Murcia,31 Navarra,32 Ourense,33 Asturias,34 Palencia,35 Las Palmas,36 Pontevedra,37 Salamanca,
38 Santa Cruz de Tenerife,39 Cantabria,40 Segovia,41 Sevilla,42 Soria,43 Tarragona,44 Teruel,45 Toledo,46 Valencia,47 Valladolid,48 Bizkaia,
49 Zamora,50 Zaragoza,51 Ceuta,52 Melilla`.split(/,\n?/);

// Roles that can make each transition; carriers also take orders.
const ROLES = { superadmin: '', carrier: ' transportista', owner: ' revendedor' };
const WHO = Object.fromEntries(STATE_TABLE.map(({ from, to, who }) => [`${from}>${to}`, `superadmin sistema${ROLES[who]}`]));
WHO['pendiente>asignado'] += ' transportista';

async function build(at: string) {
  const now = Date.parse(at);
  const start = monthsBefore(now, 5);
  const people = await buildPeople(seededRandom(1), start, now);
  const catalogue = buildCatalogue(seededRandom(1), start);
  const drafts = [...buildOrders({ random: seededRandom(2), people, catalogue, orders: 650, start, now })];
  const movements = [...buildLedger(drafts.flatMap(stockFlows), catalogue, people, seededRandom(3), start, now)].flat();
  return { now, people, drafts, catalogue, movements };
}

describe('the demonstration', () => {
  test.each([
    ['a Monday before dawn', '2026-11-23T02:30:00Z'],
    ['a working afternoon', '2026-11-25T15:00:00Z'],
    ['a Saturday', '2026-05-16T11:00:00Z'],
    ['a Sunday night', '2026-02-22T22:59:00Z'],
    ['the first minutes of a year', '2026-12-31T23:05:00Z'],
    ['the night of 23 hours', '2027-03-28T01:10:00Z'],
    ['the night of 25 hours', '2026-10-25T00:30:00Z'],
    ['a 31st, five months after a shorter month', '2027-07-31T10:00:00Z'],
  ])('the orders follow the state table, and nothing is in the future: %s', async (_, at) => {
    const { now, people, drafts, catalogue, movements } = await build(at);

    expect(new Set(drafts.map((d) => d.row.estado))).toEqual(new Set(ESTADOS));
    const [reseller, carrier] = [printedAccount(people, 'revendedor').row.id, printedAccount(people, 'transportista').row.id];
    expect(drafts.filter((d) => d.row.estado === 'pendiente_pago' && d.row.revendedor_id === reseller)).not.toEqual([]);
    expect(drafts.filter((d) => d.row.estado === 'asignado' && d.row.transportista_id === carrier)).not.toEqual([]);
    expect(drafts.filter((d) => d.row.estado === 'pendiente_pago' && now - Date.parse(d.row.fecha_pedido) > 72 * HOUR)).toEqual([]);
    expect(catalogue.filter((line) => line.row.is_active && Number(line.row.stock) <= line.row.min_stock)).not.toEqual([]);
    expect(movements.filter((m) => Date.parse(m.created_at) > now)).toEqual([]);

    for (const { row, steps } of drafts) {
      let [estado, before] = [null as string | null, 0];
      for (const { at: when, historial } of steps) {
        expect(when).toBeGreaterThan(before);
        expect(when).toBeLessThanOrEqual(now);
        before = when;
        const { accion, actor_role, estado_anterior: from, estado_nuevo: to } = historial;
        if (!to) continue;
        expect(from, row.numero_orden).toBe(estado);
        estado = to;
        if (from) expect(WHO[`${from}>${to}`], `${row.numero_orden}: ${actor_role} ${accion}`).toContain(actor_role);
      }
      expect(estado).toBe(row.estado);
    }
  });

  test('the same instant gives the same demonstration', async () => {
    const [first, second] = [await build('2026-11-20T14:30:00Z'), await build('2026-11-20T14:30:00Z')];
    expect([first.drafts, first.catalogue, first.movements]).toEqual([second.drafts, second.catalogue, second.movements]);
  });

  test('order numbers sort as text beyond 999,999 a year', () => {
    const times = [...Array(3).fill(Date.UTC(2025, 5, 1)), ...Array(1_000_002).fill(Date.UTC(2026, 5, 1))];
    const numbers = orderNumbers(times);
    expect([numbers[0], numbers[3], numbers.at(-1)]).toEqual(['ORD-2025000001', 'ORD-20260000001', 'ORD-20261000002']);
    expect(numbers.every((number, i) => i === 0 || (numbers[i - 1] ?? '') < number)).toBe(true);
  });

  test('postcodes match their province', async () => {
    const { drafts } = await build('2026-11-20T14:30:00Z');
    const pairs = new Set(drafts.map(({ row }) => `${row.cliente_codigo_postal?.slice(0, 2)} ${row.cliente_provincia}`));
    expect([...pairs].filter((pair) => !PROVINCES.includes(pair))).toEqual([]);
    expect(pairs.size).toBeGreaterThan(20);
  });
});

test('wall times follow the clocks of Madrid, including clock changes', () => {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid', dateStyle: 'short', timeStyle: 'medium' });
  for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2028, 0, 1); ms += HOUR) {
    const wall = toMadrid(ms);
    const shown = new Date(wall).toISOString().slice(0, 19).replace('T', ' ');
    if (shown !== clock.format(ms)) expect(shown).toBe(clock.format(ms));
    if (wall % DAY > 4 * HOUR && fromMadrid(wall) !== ms) expect(fromMadrid(wall)).toBe(ms);
  }
  expect(fromMadrid(Date.UTC(2026, 2, 29))).toBe(Date.UTC(2026, 2, 28, 23));
  expect(fromMadrid(Date.UTC(2026, 9, 25))).toBe(Date.UTC(2026, 9, 24, 22));
});
