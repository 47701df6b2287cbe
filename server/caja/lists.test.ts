import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import * as api from '../../contract/caja/caja.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { admin, carrier, world, worldForEachTest } from '../../test/roles-world.ts';
import { cashBetween, listCash } from './caja.ts';

/* What the lists of the Caja have, in which order, and what the office is told of each act. */

worldForEachTest();

const TODAY = dayInMadrid();
const day = (ago: number) => addDays(TODAY, -ago);
type Pago = { cents?: number; fecha?: string; empresa?: string; proveedor?: 'empresa' | 'bizum' | 'efectivo'; of?: string; ronda?: number };
/** A payment at the door, as it is once its order is delivered. */
async function pago({ cents = 1000, fecha = TODAY, empresa, proveedor = empresa ? 'empresa' : 'bizum', of, ronda }: Pago) {
  const { id: pedido_id } = await world.pedido({ estado: 'completado' });
  const till = ronda === undefined ? {} : { caja_dia: fecha, caja_ronda: ronda };
  const values = { pedido_id, proveedor, referencia: '', importe_cents: cents, estado: 'pagado' as const, al_entregar: true, fecha };
  const by = empresa ? { empresa } : { transportista_id: of ?? carrier.user.id };
  const { id } = await world.db
    .insertInto('pagos')
    .values({ ...values, ...by, ...till })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, pedido_id };
}
const cash = (cents: number, ago: number, more: Pago = {}) => pago({ cents, fecha: day(ago), proveedor: 'efectivo', ronda: 1, ...more });
const spaced = (text: string | undefined) => text?.replace(/\s/g, ' ');
const logs = async (entity_type: 'caja' | 'pago' | 'settings') =>
  (await admin.call(listLogs, { query: { entity_type } })).body.data.map(({ description }) => spaced(description)).toReversed();

describe('the cash', () => {
  it('waits oldest first, then what is confirmed newest first, of a day by name and round', async () => {
    const zoe = await world.user({ role: 'transportista', full_name: 'Zoe' });
    const abel = await world.user({ role: 'transportista', full_name: 'Abel' });
    for (const [ago, of, ronda] of [
      [3, zoe, 1],
      [2, zoe, 1],
      [1, zoe, 2],
      [1, zoe, 1],
      [1, abel, 1],
      [5, abel, 1],
      [4, abel, 1],
    ] as const)
      await cash(100 * ago, ago, { of: of.id, ronda });
    for (const [ago, of] of [
      [5, abel],
      [4, abel],
    ] as const) {
      const body = { transportista_id: of.id, dia: day(ago), recibido: ago, motivo: null };
      expect((await admin.call(api.recibirCaja, { body })).status).toBe(200);
    }
    const rows = async (query = {}) =>
      (await admin.call(api.listCajas, { query })).body.data.map(
        ({ dia, transportista_nombre, ronda, estado }) => `${dia} ${transportista_nombre} ${ronda} ${estado}`,
      );
    const own = [`${day(3)} Zoe 1 abierta`, `${day(2)} Zoe 1 abierta`];
    const last = [`${day(1)} Zoe 1 abierta`, `${day(1)} Zoe 2 abierta`];
    const done = [`${day(4)} Abel 1 confirmada`, `${day(5)} Abel 1 confirmada`];
    expect(await rows()).toEqual([...own, `${day(1)} Abel 1 abierta`, ...last, ...done]);
    expect(await rows({ transportista_id: zoe.id })).toEqual([...own, ...last]);
    expect(await rows({ transportista_id: carrier.user.id })).toEqual([]);
    expect((await listCash(world.db, { ...abel, role: 'transportista' })).map(({ dia }) => dia)).toEqual([day(1), day(4), day(5)]);
    const between = async (range: { desde?: string; hasta?: string }) => (await cashBetween(world.db, range)).length;
    expect([await between({}), await between({ desde: day(2) }), await between({ hasta: day(3) })]).toEqual([7, 4, 3]);
  });

  it('that the office receives or confirms is told in its words, and once', async () => {
    const by = admin.user.full_name;
    const receive = (ago: number, recibido: number, motivo: string | null = null) =>
      admin.call(api.recibirCaja, { body: { transportista_id: carrier.user.id, dia: day(ago), recibido, motivo } });
    await cash(100_000, 1);
    expect((await receive(1, 1000, 'De sobra')).body).toMatchObject({ message: 'Caja recibida', data: { motivo: null, esperado: 1000 } });
    expect((await receive(1, 1000)).body).toMatchObject({
      message: `${carrier.user.full_name} ya ha entregado esa caja: confírmala`,
      code: 'estado',
    });
    await cash(500, 2);
    const handed = await carrier.call(api.entregarCaja, { body: { dia: day(2), contado: 5, motivo: 'De sobra' } });
    expect(handed.body).toMatchObject({ message: 'Caja entregada', data: { motivo: null, contado: 5 } });
    expect((await carrier.call(api.entregarCaja, { body: { dia: day(2), contado: 5, motivo: null } })).body).toMatchObject({
      message: 'Ya has entregado la caja de ese día',
      code: 'estado',
    });
    const confirm = (id: string) => admin.call(api.confirmarCaja, { params: { id }, body: { recibido: 5, motivo: null } });
    const id = handed.body.data.caja_id ?? '';
    expect((await confirm(id)).body).toMatchObject({ message: 'Caja confirmada', data: { confirmada_por: by, recibido: 5 } });
    expect((await confirm(id)).body).toMatchObject({ message: `${by} ya ha confirmado esta caja`, code: 'estado' });
    expect((await confirm(crypto.randomUUID())).status).toBe(404);
    const [first, second] = [1, 2].map((ago) => day(ago));
    expect(await logs('caja')).toEqual([
      `Caja recibida: ${carrier.user.full_name}, ${first}`,
      `Caja entregada: ${carrier.user.full_name}, ${second}`,
      `Caja confirmada: ${carrier.user.full_name}, ${second}`,
    ]);
    const notices = (await carrier.call(listNotifications)).body.data.map(({ texto }) => spaced(texto));
    expect(notices).toEqual([`${by} ha recibido tu caja del ${first?.split('-').reverse().join('/')}: 1.000,00 €`]);
    const { version } = await world.db.selectFrom('cajas').select('version').where('id', '=', id).executeTakeFirstOrThrow();
    expect(version).toBe(2);
  });
});

describe('payments to compare', () => {
  it('are listed oldest first, and confirmed together', async () => {
    const made = [];
    for (const ago of [1, 3, 2]) made.push(await pago({ fecha: day(ago), cents: ago * 100 }));
    const listed = (await admin.call(api.listCobros)).body.data;
    expect(listed.map(({ dia, importe }) => [dia, importe])).toEqual([3, 2, 1].map((ago) => [day(ago), ago]));
    const done = async (...ids: string[]) => (await admin.call(api.comprobarCobros, { body: { cobros: ids } })).body.message;
    expect(await done(made[0]?.id ?? '')).toBe('1 cobro comprobado');
    expect(await done(made[1]?.id ?? '', made[2]?.id ?? '')).toBe('2 cobros comprobados');
    const [last] = (await admin.call(listLogs, { query: { entity_type: 'pago' } })).body.data;
    expect(last).toMatchObject({ despues: { cobros: [made[1]?.id, made[2]?.id], importe_cents: 500 } });
  });

  it('that never arrived are said to be due again, and unknown ones are not found', async () => {
    const { id } = await pago({});
    const never = (of: string) => admin.call(api.cobroSinLlegar, { params: { id: of }, body: { motivo: 'No está' } });
    expect((await never(id)).body.message).toBe('Cobro anulado: el pedido vuelve a estar por cobrar');
    expect([(await never(crypto.randomUUID())).status, (await never((await pago({ empresa: 'MRW' })).id)).status]).toEqual([404, 404]);
    // Cash is handed over, and cannot be reported.
    expect((await never((await cash(100, 1)).id)).status).toBe(404);
  });
});

describe('the money of companies', () => {
  const companies = async () => (await admin.call(api.listDeEmpresas)).body;

  it('is listed by company and day, with the days since', async () => {
    for (const [empresa, ago] of [
      ['MRW', 1],
      ['Correos', 0],
      ['Correos', 9],
      ['MRW', 4],
    ] as const)
      await pago({ empresa, fecha: day(ago), cents: 100 + ago });
    const { data, empresas } = await companies();
    expect(data.map(({ empresa, dia, dias, importe }) => [empresa, dia, dias, importe])).toEqual([
      ['Correos', day(9), 9, 1.09],
      ['Correos', day(0), 0, 1],
      ['MRW', day(4), 4, 1.04],
      ['MRW', day(1), 1, 1.01],
    ]);
    expect(empresas).toEqual([
      { empresa: 'Correos', cobros: 2, importe: 2.09, desde: day(9), plazo: 0, tarde: 0 },
      { empresa: 'MRW', cobros: 2, importe: 2.05, desde: day(4), plazo: 0, tarde: 0 },
    ]);
  });

  it('that is most late comes first, then the oldest, then by name', async () => {
    for (const [empresa, ago] of [
      ['SEUR', 2],
      ['GLS', 2],
      ['MRW', 3],
      ['Correos', 5],
      ['Zeleris', 6],
    ] as const)
      await pago({ empresa, fecha: day(ago) });
    const term = (empresa: string, dias: number) => admin.call(api.ponerPlazo, { body: { empresa, dias } });
    expect((await term('GLS', 1)).body.message).toBe('Plazo guardado');
    for (const [empresa, dias] of [
      ['Correos', 1],
      ['Zeleris', 9],
      ['Zeleris', 0],
    ] as const)
      await term(empresa, dias);
    expect((await companies()).empresas.map(({ empresa, plazo, tarde }) => [empresa, plazo, tarde])).toEqual([
      ['Correos', 1, 4],
      ['GLS', 1, 1],
      ['Zeleris', 0, 0],
      ['MRW', 0, 0],
      ['SEUR', 0, 0],
    ]);
    expect(await logs('settings')).toEqual([
      'Plazo de GLS para pagar lo cobrado: 1 día',
      'Plazo de Correos para pagar lo cobrado: 1 día',
      'Plazo de Zeleris para pagar lo cobrado: 9 días',
      'Plazo de Zeleris para pagar lo cobrado: ninguno',
    ]);
  });

  it('comes with a remittance: the last twenty are listed, newest first, by their numbers', async () => {
    const values = Array.from({ length: 22 }, (_, i) => ({
      ...{
        empresa: 'Correos',
        fecha: TODAY,
        recibido_cents: 100 + i,
        comision_cents: i,
        referencia: `R${i + 1}`,
        creada_por_nombre: 'Ana',
      },
      created_at: new Date(Date.now() - (30 - i) * 60_000).toISOString(),
    }));
    await world.db.insertInto('remesas').values(values).execute();
    await sql`UPDATE remesas SET anulada_at = now() WHERE referencia = 'R21'`.execute(world.db);
    const { remesas } = await companies();
    expect(remesas.map(({ numero, referencia }) => `${referencia} ${numero}`)).toEqual(
      Array.from({ length: 22 }, (_, i) => 22 - i)
        .filter((n) => n !== 21 && n > 1)
        .map((n) => `R${n} ${n}`),
    );
    expect(remesas[0]).toMatchObject({ recibido: 1.21, comision: 0.21, cobros: 0, creada_por: 'Ana' });
  });

  it('of which nothing is left is offered for a year after the last order or remittance', async () => {
    const remesa = (empresa: string, interval: string, more = {}) =>
      world.db
        .insertInto('remesas')
        .values({ empresa, fecha: TODAY, recibido_cents: 1, comision_cents: 0, referencia: null, creada_por_nombre: 'Ana', ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
        .then(({ id }) => sql`UPDATE remesas SET created_at = now() - ${interval}::interval WHERE id = ${id}`.execute(world.db));
    await remesa('Vieja', '366 days');
    await remesa('Zeleris', '360 days');
    await remesa('Abe', '1 day');
    await remesa('Deshecha', '1 day', { anulada_at: new Date().toISOString() });
    expect((await companies()).sin_deuda).toEqual(['Abe', 'Zeleris']);
    await pago({ empresa: 'Abe' });
    expect((await companies()).sin_deuda).toEqual(['Zeleris']);
  });

  it('is received in words of its number, and a remittance is undone once', async () => {
    const made = [];
    for (let i = 0; i < 3; i += 1) made.push((await pago({ empresa: 'MRW' })).id);
    const receive = async (cobros: string[], recibido: number, comision = 0) =>
      (await admin.call(api.recibirDeEmpresa, { body: { empresa: 'MRW', cobros, recibido, comision, fecha: TODAY, referencia: null } }))
        .body;
    expect((await receive(made.slice(0, 2), 19, 1)).message).toBe('Recibido de MRW: 2 cobros');
    // A payment named twice is one.
    expect((await receive([made[2] ?? '', made[2] ?? ''], 10)).message).toBe('Recibido de MRW: 1 cobro');
    const { remesas } = await companies();
    expect(remesas.map(({ numero, cobros }) => [numero, cobros])).toEqual([
      [2, 1],
      [1, 2],
    ]);
    const undo = async (id: string) => (await admin.call(api.deshacerRemesa, { params: { id } })).body.message;
    expect(await undo(remesas[1]?.id ?? '')).toBe('Liquidación deshecha');
    expect(await undo(remesas[1]?.id ?? '')).toBe('Esta liquidación ya está deshecha');
    expect((await companies()).remesas.map(({ numero }) => numero)).toEqual([2]);
    expect((await admin.call(api.deshacerRemesa, { params: { id: crypto.randomUUID() } })).status).toBe(404);
    expect(await logs('pago')).toEqual([
      'Liquidación de MRW recibida: 19,00 €, comisión 1,00 €',
      'Liquidación de MRW recibida: 10,00 €, comisión 0,00 €',
      'Liquidación de MRW deshecha: 19,00 €, comisión 1,00 €',
    ]);
  });
});
