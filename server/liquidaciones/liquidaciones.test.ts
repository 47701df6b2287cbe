import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import * as api from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { deletePedido, restorePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { pdfPages } from '../../test/pdf.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let rita: Person;
let tomas: Person;
const [BEFORE, LAST] = [monthsBack(2), monthsBack(1)];
const YEAR = dayInMadrid().slice(0, 4);
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as(await world.user({ role: 'superadmin', full_name: 'Ana Núñez' }));
  rita = await world.as(await world.user({ role: 'revendedor', full_name: 'Rita Gil' }));
  tomas = await world.as(await world.user({ role: 'transportista', full_name: 'Tomás Paz' }));
  const gains = (who: Person, body: BodyIn<typeof api.setGanancia>) => admin.call(api.setGanancia, { params: { id: who.user.id }, body });
  await gains(rita, { margen: { tipo: 'porcentaje', valor: 10 } });
  await gains(tomas, { tarifas: [{ zona: 'peninsula', entrega: 3.5, intento: 1 }] });
});

/** Completes an order of 48.00 €, which earns 4.80 € for the reseller and 3.50 € for the carrier. */
async function deliver(): Promise<string> {
  const fields = { revendedor_id: rita.user.id, transportista_id: tomas.user.id, precio_total_cents: 4800, cliente_ciudad: 'Cáceres' };
  const { id } = await world.pedido({ estado: 'en_ruta', ...fields });
  expect((await tomas.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } })).status).toBe(200);
  return id;
}
const adjust = (who: Person, importe: number, nota = 'Acordado') =>
  admin.call(api.crearAjuste, { body: { user_id: who.user.id, importe, nota } });
const close = (mes: string, who = admin) => who.call(api.cerrarMes, { body: { mes } });
const listed = async (who: Person, query = {}) => (await who.call(api.listLiquidaciones, { query })).body.data;
const read = (who: Person, id: string, query = {}) => who.call(api.getLiquidacion, { params: { id }, query });
const openOf = async (who: Person) => (await who.call(api.getAbierta)).body;
/** Delivers an order, closes last month, and returns the order with both people's statements. */
async function statements() {
  const pedido = await deliver();
  await earnedOn(world.db, LAST.first);
  await close(LAST.mes);
  const [of, other] = [(await listed(rita))[0], (await listed(tomas))[0]];
  if (!of || !other) throw new Error('there are two');
  return { pedido, ritas: of, tomass: other };
}

describe('closing a month', () => {
  it('closing a month creates one statement per person, with every open line up to the month’s last day', async () => {
    await deliver();
    await earnedOn(world.db, BEFORE.last);
    await deliver();
    await earnedOn(world.db, LAST.last);
    await deliver();
    expect((await admin.call(api.listPorCerrar)).body.data).toEqual([
      { mes: BEFORE.mes, personas: 2, lineas: 2, total: 8.3, repetidos: [] },
      { mes: LAST.mes, personas: 2, lineas: 4, total: 16.6, repetidos: [] },
    ]);
    const { body } = await close(LAST.mes);
    expect(body).toMatchObject({
      message: `Cerrado ${mesEnPalabras(LAST.mes)}: 2 liquidaciones`,
      data: { liquidaciones: 2, lineas: 4, total: 16.6 },
    });
    const of = { mes: LAST.mes, num_lineas: 2, cerrada_por: 'Ana Núñez', pagada_el: null, pago_referencia: null };
    expect(await listed(admin)).toMatchObject([
      { ...of, numero: `LIQ-${YEAR}000002`, persona_nombre: 'Tomás Paz', role: 'transportista', total: 7 },
      { ...of, numero: `LIQ-${YEAR}000001`, persona_nombre: 'Rita Gil', role: 'revendedor', total: 9.6 },
    ]);
    expect((await openOf(rita)).personas).toMatchObject([{ total: 4.8, num_lineas: 1, desde: dayInMadrid() }]);
    expect((await admin.call(api.listPorCerrar)).body.data).toEqual([]);
  });

  it('a month cannot be closed before its end', async () => {
    await deliver();
    for (const back of [0, -1]) {
      const { status, body } = await close(monthsBack(back).mes);
      expect([status, body.errors]).toEqual([422, { mes: ['Solo se cierra un mes que ha terminado'] }]);
    }
    expect((await close('2026-13')).status).toBe(422);
    expect(await listed(admin)).toEqual([]);
  });

  it('a month closed concurrently or again creates one statement per person with earnings', async () => {
    await deliver();
    await earnedOn(world.db, LAST.first);
    const replies = await Promise.all([close(LAST.mes), close(LAST.mes), close(LAST.mes)]);
    expect(replies.map(({ status, body }) => [status, body.data.liquidaciones]).sort()).toEqual([
      [200, 0],
      [200, 0],
      [200, 2],
    ]);
    expect((await close(LAST.mes)).body.message).toBe(`No queda nada por cerrar de ${mesEnPalabras(LAST.mes)}`);
    expect((await listed(admin)).map(({ numero }) => numero)).toEqual([`LIQ-${YEAR}000002`, `LIQ-${YEAR}000001`]);
    await world.user({ role: 'revendedor' });
    expect((await listed(admin)).length).toBe(2);
  });

  it('closing a month again creates missing statements, and leaves late lines to the next month', async () => {
    await adjust(rita, 5);
    await earnedOn(world.db, BEFORE.first);
    await close(BEFORE.mes);
    await adjust(rita, 1);
    await adjust(tomas, 2);
    await earnedOn(world.db, BEFORE.last);
    expect((await close(BEFORE.mes)).body.data).toEqual({ liquidaciones: 1, lineas: 1, total: 2 });
    expect((await close(LAST.mes)).body.data).toEqual({ liquidaciones: 1, lineas: 1, total: 1 });
  });

  it('closing a month notifies each person of their statement, without an amount', async () => {
    const { ritas, tomass } = await statements();
    for (const [who, { id, numero }] of [
      [rita, ritas],
      [tomas, tomass],
    ] as const) {
      const notices = (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'liquidacion_cerrada');
      const texto = `Ya está tu liquidación de ${mesEnPalabras(LAST.mes)}: ${numero}`;
      expect(notices).toMatchObject([{ texto, enlace: `/liquidaciones/${id}` }]);
    }
  });
});

describe('a closed statement', () => {
  it('a reversal leaves a closed statement unchanged and becomes a line of the next statement', async () => {
    const { pedido, ritas } = await statements();
    const before = (await read(rita, ritas.id)).text;
    await admin.call(deletePedido, { params: { id: pedido } });
    await adjust(rita, 2);
    expect((await read(rita, ritas.id)).text).toBe(before);
    const { personas, lineas } = await openOf(rita);
    expect(personas).toMatchObject([{ total: -2.8, num_lineas: 2 }]);
    expect(lineas.data.map(({ concepto, importe }) => [concepto, importe])).toEqual([
      ['ajuste', 2],
      ['correccion', -4.8],
    ]);
  });

  it('a closed statement cannot be overwritten in the database', async () => {
    await statements();
    for (const wrong of [
      sql`UPDATE liquidaciones SET total_cents = 1`,
      sql`DELETE FROM liquidaciones`,
      sql`TRUNCATE liquidaciones CASCADE`,
      sql`UPDATE ganancias SET liquidacion_id = NULL`,
    ])
      await expect(wrong.execute(world.db)).rejects.toThrow();
  });

  it('a superadmin can mark a statement as paid with a reference, and as unpaid with a reason', async () => {
    const { ritas } = await statements();
    const params = { id: ritas.id };
    const paid = { referencia: 'SEPA 17', fecha: dayInMadrid() };
    const tomorrow = { ...paid, fecha: addDays(dayInMadrid(), 1) };
    expect((await admin.call(api.pagarLiquidacion, { params, body: tomorrow })).body.errors).toEqual({
      fecha: ['El pago no puede ser de un día por venir'],
    });
    const stale = await admin.call(api.pagarLiquidacion, { params, body: { ...paid, version: 7 } });
    expect([stale.status, stale.body.code]).toEqual([409, 'version']);
    const { body } = await admin.call(api.pagarLiquidacion, { params, body: { ...paid, version: ritas.version } });
    expect(body.data).toEqual({ ...ritas, pagada_el: paid.fecha, pago_referencia: 'SEPA 17', version: 2 });
    expect((await admin.call(api.pagarLiquidacion, { params, body: paid })).status).toBe(409);
    const notices = (await rita.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'liquidacion_pagada');
    expect(notices).toMatchObject([{ texto: expect.stringContaining(ritas.numero), enlace: `/liquidaciones/${ritas.id}` }]);
    expect([(await listed(admin, { estado: 'pagada' })).length, (await listed(admin, { estado: 'pendiente' })).length]).toEqual([1, 1]);

    const back = await admin.call(api.despagarLiquidacion, { params, body: { motivo: 'Devuelta por el banco' } });
    expect(back.body.data).toEqual({ ...ritas, version: 3 });
    expect((await admin.call(api.despagarLiquidacion, { params, body: { motivo: 'Otra vez' } })).status).toBe(409);
    expect((await admin.call(api.despagarLiquidacion, { params, body: { motivo: '' } })).status).toBe(422);
    const [entry] = (await admin.call(listLogs, { query: { entity_type: 'liquidacion' } })).body.data;
    expect(entry).toMatchObject({ description: `Liquidación ${ritas.numero} vuelta a poner por pagar: Devuelta por el banco` });
  });

  it('the lines of a statement are returned in pages', async () => {
    for (let i = 0; i < 3; i += 1) await adjust(tomas, i + 1, `Nota ${i}`);
    await earnedOn(world.db, LAST.first);
    await close(LAST.mes);
    const [{ id } = { id: '' }] = await listed(tomas);
    const { lineas } = (await read(tomas, id, { page: 2, per_page: 2 })).body;
    expect(lineas).toMatchObject({ total: 3, last_page: 2, data: [{ nota: 'Nota 2', importe: 3, dia: LAST.first }] });
  });
});

describe('access', () => {
  it('resellers and carriers get the same 404 for another person’s statement as for a missing statement', async () => {
    const { ritas, tomass } = await statements();
    const missing = await read(rita, crypto.randomUUID());
    expect(missing.status).toBe(404);
    for (const [who, own, other] of [
      [rita, ritas, tomass],
      [tomas, tomass, ritas],
    ] as const) {
      expect(await listed(who)).toEqual([own]);
      expect(await listed(who, { user_id: other.user_id })).toEqual([]);
      for (const e of [api.getLiquidacion, api.liquidacionCsv, api.liquidacionPdf]) {
        expect((await who.call(e, { params: { id: own.id } })).status).toBe(200);
        const theirs = await who.call(e, { params: { id: other.id } });
        expect([theirs.status, theirs.text]).toEqual([404, missing.text]);
      }
    }
    await deliver();
    const reached = (await tomas.call(api.getAbierta, { query: { user_id: rita.user.id } })).body;
    expect([reached.personas, reached.lineas.data]).toEqual([[], []]);
    const all = await openOf(admin);
    expect(all.personas.map(({ persona_nombre, total }) => [persona_nombre, total])).toEqual([
      ['Rita Gil', 4.8],
      ['Tomás Paz', 3.5],
    ]);
    expect(all.lineas.data).toEqual([]);
    expect((await openOf(tomas)).lineas.data).toHaveLength(1);
  });

  it('a statement shows a carrier the reason and fee of a line, but no price', async () => {
    const { tomass, ritas } = await statements();
    const [line] = (await read(tomas, tomass.id)).body.lineas.data;
    expect(line).toMatchObject({
      dia: LAST.first,
      concepto: 'entrega',
      numero_orden: expect.stringMatching(/^TEST-/),
      ciudad: 'Cáceres',
      zona: 'peninsula',
      detalle: null,
      importe: 3.5,
    });
    expect((await read(rita, ritas.id)).body.lineas.data).toMatchObject([{ detalle: '10 % de 48,00 €', importe: 4.8 }]);
  });
});

describe('the files', () => {
  const text = async (who: Person, id: string) => (await who.call(api.liquidacionCsv, { params: { id } })).text;

  it('the CSV file of a statement is a Spanish spreadsheet without formulas', async () => {
    await adjust(tomas, -1234.5, '=HYPERLINK("http://mal.es"); roto');
    const { tomass } = await statements();
    const dia = LAST.first.split('-').reverse().join('/');
    const lines = (await text(tomas, tomass.id)).split('\r\n');
    expect(lines[0]).toBe('\ufeffFecha;Concepto;Nº de pedido;Población;Detalle;Importe (€)');
    expect(lines.slice(1, 3)).toEqual([
      `${dia};Ajuste;;;"'=HYPERLINK(""http://mal.es""); roto";-1234,50`,
      expect.stringMatching(new RegExp(`^${dia};Entrega;TEST-\\d+;Cáceres;Península;3,50$`)),
    ]);
  });

  it('the PDF file of a statement has heading, total and numbered pages, even with thousands of lines', async () => {
    await world.db
      .insertInto('ganancias')
      .values(
        Array.from({ length: 5000 }, (_, i) => ({
          user_id: rita.user.id,
          concepto: 'ajuste' as const,
          cents: 1,
          nota: i
            ? `Línea ${i}: con palabras bastante largas para que no quepan en una sola línea del papel`
            : 'Mădălina Łuczak, Пять 🙂 (x) \\',
        })),
      )
      .execute();
    const { ritas } = await statements();
    expect(ritas).toMatchObject({ num_lineas: 5001, total: 54.8 });
    const reply = await world.app.inject({
      method: 'GET',
      url: `/api/liquidaciones/${ritas.id}/pdf`,
      headers: { cookie: [...rita.cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
    });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${ritas.numero}.pdf"`,
    });
    const pages = pdfPages(reply.rawPayload);
    expect(pages.length).toBeGreaterThan(100);
    for (const words of [ritas.numero, 'Rita Gil', mesEnPalabras(LAST.mes), '54,80 €', `Página 1 de ${pages.length}`])
      expect(pages[0]).toContain(words);
    expect(pages.at(-1)).toContain(`Página ${pages.length} de ${pages.length}`);
    expect(pages.join(' ')).toContain('Madalina Luczak, ???? (x) \\');
    expect(pages.join(' ').match(/Línea \d+:/g)).toHaveLength(4999);
  });
});

it('statements add up and never change, whatever happens to orders, adjustments and months', async () => {
  type Command = { what: 'deliver' | 'fail' | 'delete' | 'restore' | 'adjust' | 'age' | 'close'; n: number };
  const command = fc.record<Command>({
    what: fc.constantFrom('deliver', 'fail', 'delete', 'restore', 'adjust', 'age', 'close'),
    n: fc.nat(99),
  });
  const months = [3, 2, 1].map(monthsBack);
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 12, maxLength: 24 }), async (commands) => {
      const orders: string[] = [];
      const closed = new Map<string, string>();
      const of = <T>(list: readonly T[], n: number) => list[n % list.length] as T;
      for (const { what, n } of commands) {
        const id = of(orders, n);
        const month = of(months, n);
        if (what === 'deliver') orders.push(await deliver());
        if (what === 'fail') {
          const fields = { revendedor_id: rita.user.id, transportista_id: tomas.user.id };
          const order = await world.pedido({ estado: 'en_ruta', ...fields });
          await tomas.call(setEstado, { params: { id: order.id }, body: { estado: 'asignado', motivo: 'No estaba' } });
        }
        if (what === 'delete' && id) await admin.call(deletePedido, { params: { id } });
        if (what === 'restore' && id) await admin.call(restorePedido, { params: { id } });
        if (what === 'adjust') await adjust(of([rita, tomas], n), (n - 50) / 100 || 1);
        if (what === 'age') await earnedOn(world.db, addDays(month.first, n % 28));
        if (what === 'close') expect((await close(month.mes)).status).toBe(200);
        for (const statement of await contents()) {
          expect(statement.sum, statement.numero).toBe(statement.total_cents);
          expect(closed.get(statement.numero) ?? JSON.stringify(statement)).toBe(JSON.stringify(statement));
          closed.set(statement.numero, JSON.stringify(statement));
        }
      }
      expect(closed.size).toBe((await contents()).length);
      // Each completed order that is not deleted earns one margin, in a statement or not.
      const living = await world.db
        .selectFrom('pedidos')
        .select(sql<number>`count(*)`.as('n'))
        .where('estado', '=', 'completado')
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      const margins = await sql<{ cents: number }>`
        SELECT coalesce(sum(cents), 0)::bigint AS cents FROM ganancias WHERE user_id = ${rita.user.id} AND pedido_id IS NOT NULL`.execute(
        world.db,
      );
      expect(margins.rows[0]?.cents).toBe(living.n * 480);
    }),
    { numRuns: 8 },
  );
});

/** Returns every statement with the sum and a checksum of its lines. */
async function contents() {
  const { rows } = await sql<{ numero: string; total_cents: number; num_lineas: number; sum: number; lines: string }>`
    SELECT l.numero, l.total_cents, l.num_lineas, sum(g.cents)::bigint AS sum, md5(string_agg(g::text, ',' ORDER BY g.id)) AS lines
    FROM liquidaciones l JOIN ganancias g ON g.liquidacion_id = l.id GROUP BY l.id HAVING count(*) = l.num_lineas ORDER BY l.numero`.execute(
    world.db,
  );
  return rows;
}
