import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { updateSettings } from '../../contract/settings/settings.ts';
import { admin, carrier, world, worldForEachTest } from '../../test/roles-world.ts';
import { findByToken, findUnpaid, findWithRefunds } from './find.ts';
import { readEmpresa, readPago, reportTransfer, simulatePago } from './payments.ts';

/* What the customer’s page says in each shop, and of each order. */

worldForEachTest();

type Fields = NonNullable<Parameters<typeof world.pedido>[0]>;
const shop = async (body: object) => expect((await admin.call(updateSettings, { body })).status).toBe(200);
const order = (fields: Fields = {}) => world.pedido({ estado: 'pendiente_pago', precio_total_cents: 4321, ...fields });
const OPEN = { demo: false, open: new Set<string>() };
const page = async (fields: Fields = {}, offered = OPEN) => readPago(world.db, (await order(fields)).pago_token ?? '', offered);
const IBAN = ' es91 2100 0418 4502 0005 1332 ';
const AT = '2026-11-10T22:30:00Z';

describe('a shop', () => {
  it('that says nothing of itself', async () => {
    expect(await page()).toMatchObject({
      empresa: expect.any(String),
      transferencia: null,
      contacto: { telefono: null, email: null, whatsapp_url: null },
    });
    const empresa = await readEmpresa(world.db);
    expect(empresa).toEqual({ empresa: expect.any(String), contacto: { telefono: null, email: null, whatsapp_url: null } });
    await expect(reportTransfer(world.db, (await order()).pago_token ?? '')).rejects.toMatchObject({ status: 409 });
  });

  it('with an account, to the letter of banks', async () => {
    await shop({ companyName: 'Alacena', companyIban: IBAN, companyBic: 'caixesbb', companyPhone: '600000001', companyEmail: 'a@b.es' });
    const { transferencia, contacto, empresa } = await page();
    expect(empresa).toBe('Alacena');
    expect(contacto).toMatchObject({ telefono: '600000001', email: 'a@b.es' });
    expect(transferencia).toMatchObject({ beneficiario: 'Alacena', iban: 'ES9121000418450200051332', bic: 'CAIXESBB' });
    expect(transferencia?.epc.split('\n').slice(4, 8)).toEqual(['CAIXESBB', 'Alacena', 'ES9121000418450200051332', 'EUR43.21']);
    await shop({ companyBic: '' });
    expect((await page()).transferencia).toMatchObject({ bic: null });
    expect((await page({ estado: 'pendiente', pagado_cents: 4321 })).transferencia).toBeNull();
  });

  it('of the demonstration lets unpaid orders be paid as a game, and no other does', async () => {
    const demo = { ...OPEN, demo: true };
    expect([(await page({}, demo)).simulador, (await page({ pagado_cents: 4321 }, demo)).simulador, (await page()).simulador]).toEqual([
      true,
      false,
      false,
    ]);
    const { pago_token, id } = await order();
    await expect(simulatePago(world.db, pago_token ?? '', false)).rejects.toMatchObject({ status: 404 });
    await simulatePago(world.db, pago_token ?? '', true);
    const paid = await world.db.selectFrom('pedidos').select(['estado', 'pendiente_cents']).where('id', '=', id).executeTakeFirst();
    expect(paid).toEqual({ estado: 'pendiente', pendiente_cents: 0 });
  });

  it('with providers offers each from half a euro on', async () => {
    const offered = { demo: false, open: new Set(['redsys']) };
    const of = async (precio_total_cents: number) => (await page({ precio_total_cents }, offered)).metodos;
    expect(await of(49)).toEqual({ stripe: false, redsys: false });
    expect(await of(50)).toEqual({ stripe: false, redsys: [expect.anything(), expect.anything()] });
  });
});

describe('an order', () => {
  it('waits for a reported transfer as long as the settings say', async () => {
    await shop({ transferExpiryDays: 3 });
    expect((await page()).transferencia_hasta).toBeNull();
    expect(await page({ transferencia_avisada_at: AT })).toMatchObject({ transferencia_avisada: true, transferencia_hasta: '2026-11-13' });
    expect((await page({ transferencia_avisada_at: '2026-11-10T23:30:00Z' })).transferencia_hasta).toBe('2026-11-14');
    expect((await page({ transferencia_avisada_at: AT, estado: 'pendiente' })).transferencia_hasta).toBeNull();
    await shop({ transferExpiryDays: 0 });
    expect((await page({ transferencia_avisada_at: AT })).transferencia_hasta).toBeNull();
  });

  it('reports its transfer once', async () => {
    await shop({ companyIban: IBAN.trim() });
    const { pago_token, id } = await order();
    for (let i = 0; i < 2; i += 1) await reportTransfer(world.db, pago_token ?? '');
    const notices = await world.db.selectFrom('notifications').select('tipo').where('pedido_id', '=', id).execute();
    expect(notices).toEqual([{ tipo: 'transferencia_avisada' }]);
  });

  it('has the amounts of its money in euros', async () => {
    const { id, pago_token } = await order({ estado: 'completado', envio_cents: 400, descuento_cents: 100 });
    await sql`INSERT INTO pagos (pedido_id, proveedor, referencia, importe_cents) VALUES (${id}, 'manual', '', 4000)`.execute(world.db);
    await sql`UPDATE pedidos SET reembolsado_cents = 150 WHERE id = ${id}`.execute(world.db);
    expect(await readPago(world.db, pago_token ?? '', OPEN)).toMatchObject({
      total: 43.21,
      envio: 4,
      descuento: 1,
      pagado: 38.5,
      por_pagar: true,
    });
  });

  it('has a day if it is paid now, only while it waits for that', async () => {
    const fecha_estimada = '2031-01-02T11:00:00.000Z';
    expect((await page()).fecha_si_paga).toEqual(expect.stringMatching(/^\d{4}-/));
    expect((await page({ fecha_estimada })).fecha_si_paga).toMatch(/^2031-01-02/);
    expect((await page({ fecha_estimada, estado: 'pendiente' })).fecha_si_paga).toBeNull();
  });

  it('has a next try after a failed one, unless it waits for an answer or has no carrier', async () => {
    const tried = async (fields: Fields, created_at = new Date().toISOString()) => {
      const { id, pago_token } = await order({ estado: 'asignado', transportista_id: carrier.user.id, ...fields });
      await world.db
        .insertInto('intentos')
        .values({ pedido_id: id, transportista_nombre: 'Tere', motivo: 'Ausente', anunciadas: '[]', created_at })
        .execute();
      return readPago(world.db, pago_token ?? '', OPEN);
    };
    expect((await page({ estado: 'asignado' })).proximo_intento).toBeNull();
    const later = '2031-01-02T11:00:00.000Z';
    const next = await tried({});
    expect(next.intentos).toHaveLength(1);
    expect(Date.parse(next.proximo_intento ?? '')).toBeGreaterThan(Date.now());
    expect((await tried({ fecha_estimada: later })).proximo_intento).toMatch(/^2031-01-02/);
    expect((await tried({ fecha_estimada: '2026-01-02T11:00:00.000Z' })).proximo_intento).toBe(next.proximo_intento);
    expect((await tried({ incidencia_at: AT })).proximo_intento).toBeNull();
    expect((await tried({ estado: 'pendiente', transportista_id: null })).proximo_intento).toBeNull();
    // A try of long ago announces no day that has passed.
    expect(Date.parse((await tried({}, '2026-01-02T11:00:00Z')).proximo_intento ?? '')).toBeGreaterThan(Date.now() - 86_400_000);
  });

  it('shows how it was delivered to its customer, unless its data is blocked or it is deleted', async () => {
    await shop({ proofOfDelivery: true });
    const delivered = async (fields: Fields) => {
      const { id, pago_token } = await order({ estado: 'completado', ...fields });
      await world.db.insertInto('entregas').values({ pedido_id: id, forma_entrega: 'en_mano', entregada_at: AT }).execute();
      await sql`INSERT INTO pagos (pedido_id, proveedor, referencia, importe_cents, estado) VALUES (${id}, 'manual', '', 100, 'devuelto')`.execute(
        world.db,
      );
      return (await readPago(world.db, pago_token ?? '', OPEN)).entrega;
    };
    expect(await delivered({})).toMatchObject({ texto: 'En mano' });
    expect(await delivered({ bloqueado_at: AT })).toMatchObject({ texto: null });
    expect(await delivered({ anonimizado_at: AT })).toMatchObject({ texto: null });
    expect(await delivered({ deleted_at: AT })).toBeUndefined();
    await shop({ proofOfDelivery: false });
    expect(await delivered({})).toBeUndefined();
  });
});

describe('the order of a link', () => {
  it.each(['', 'x', 'a\u0000b', 'a'.repeat(101), "' OR 1=1"])('%j is not found', async (token) => {
    await expect(findByToken(world.db, token)).rejects.toMatchObject({ status: 404 });
    await expect(findWithRefunds(world.db, token)).rejects.toMatchObject({ status: 404 });
  });

  it('is its own, and can be paid while something is due', async () => {
    const [one] = [await order({ pago_token: 'a'.repeat(100) }), await order()];
    expect((await findByToken(world.db, 'a'.repeat(100))).id).toBe(one.id);
    expect((await findUnpaid(world.db, 'a'.repeat(100))).id).toBe(one.id);
    const { pago_token } = await order({ pagado_cents: 4321 });
    await expect(findUnpaid(world.db, pago_token ?? '')).rejects.toMatchObject({ status: 409 });
  });

  it('is found once deleted only for its refunds, as a cancelled one', async () => {
    const { id, pago_token } = await order({ deleted_at: AT });
    const token = pago_token ?? '';
    await expect(findWithRefunds(world.db, token)).rejects.toMatchObject({ status: 404 });
    await sql`INSERT INTO pagos (pedido_id, proveedor, referencia, importe_cents, estado) VALUES (${id}, 'manual', '', 100, 'devuelto')`.execute(
      world.db,
    );
    expect((await findWithRefunds(world.db, token)).row).toMatchObject({ id, estado: 'cancelado', pendiente_cents: 0 });
    await expect(findByToken(world.db, token)).rejects.toMatchObject({ status: 404 });
  });
});
