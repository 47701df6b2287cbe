import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as api from '../../contract/caja/caja.ts';
import { deshacerPaso } from '../../contract/deshacer/deshacer.ts';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { createEnvio, leerRespuesta } from '../../contract/envios/envios.ts';
import { anularPago, listPagos } from '../../contract/payments/payments.ts';
import { getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { getUser } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { adminStats, atencionStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

/* Money that a delivery company collects at the door: with the company until it pays, neither due from the customer nor in the shop's till. */

let world: World;
let people: Awaited<ReturnType<typeof everyRole>>;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  people = await everyRole(world);
  admin = people.superadmin;
  await admin.call(updateSettings, { body: { cashOnDelivery: true, shipmentFiles: true } });
});

const onDelivery = (cents = 1700) => world.pedido({ contra_reembolso: true, precio_total_cents: cents, precio_unitario_cents: cents });
const see = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const held = async () => (await admin.call(api.listDeEmpresas)).body.data;
const remesas = async () => (await admin.call(api.listDeEmpresas)).body.remesas;

/** Sends orders with Correos, whose answer says that they were delivered. */
async function delivered(...orders: { id: string; numero_orden: string }[]) {
  const { body } = await admin.call(createEnvio, { body: { plantilla: 'correos', ids: orders.map(({ id }) => id) } });
  const filas = orders.map(({ numero_orden }) => ({ referencia: numero_orden, seguimiento: null, estado: 'Entregado' }));
  const reply = await admin.call(leerRespuesta, { params: { id: body.data.id }, body: { filas } });
  expect(reply.status).toBe(200);
  return reply.body.data.map(({ resultado, message }) => `${resultado}: ${message}`);
}
const receive = (cobros: readonly { id: string }[], fields = {}, by = admin) => {
  const body = { empresa: 'Correos', cobros: cobros.map(({ id }) => id), recibido: 17, comision: 0, fecha: dayInMadrid() };
  return by.call(api.recibirDeEmpresa, { body: { ...body, ...fields } });
};
const settled = () => onSnapshot(world.db, (tx) => recountAccounts(tx));

describe('a company collects at the door', () => {
  it('an answer completes an order on delivery, and the company has the money', async () => {
    const order = await onDelivery();
    expect(await delivered(order)).toEqual(['completar: Completado; la empresa ha cobrado 17,00\u00a0€']);
    const { estado, pendiente, cobro_empresa, cobro_en, situacion } = await see(order.id);
    expect({ estado, pendiente, cobro_empresa, cobro_en }).toEqual({
      estado: 'completado',
      pendiente: 0,
      cobro_empresa: 17,
      cobro_en: 'Correos',
    });
    expect(situacion).toMatchObject({ id: 'cobro_en_empresa' });
    expect(await held()).toMatchObject([{ empresa: 'Correos', numero_orden: order.numero_orden, importe: 17, dias: 0 }]);
    // In no carrier's till, and nothing for the office to find at terminal or bank.
    expect([(await admin.call(api.listCajas)).body.data, (await admin.call(api.listCobros)).body.data]).toEqual([[], []]);
    expect(await settled()).toEqual([]);
  });

  it('an answer completes a paid order, of which the company has nothing', async () => {
    const order = await world.pedido();
    expect(await delivered(order)).toEqual(['completar: Completado']);
    expect([(await see(order.id)).cobro_empresa, await held()]).toEqual([0, []]);
  });

  it('an order completed by hand names the company that collected, and none is refused', async () => {
    const complete = async (metodo_entrega: 'correos' | 'manual' | 'otro', more = {}) => {
      const { id } = await onDelivery();
      const cash = { cobrado: 17, cobrado_metodo: 'empresa' as const };
      return admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega, ...cash, ...more } });
    };
    expect((await complete('manual')).body).toMatchObject({ errors: { cobrado_metodo: [expect.stringContaining('ninguna empresa')] } });
    expect((await complete('correos')).status).toBe(200);
    expect((await complete('otro', { empresa_transporte: 'Zeleris' })).status).toBe(200);
    expect((await held()).map(({ empresa }) => empresa)).toEqual(['Correos', 'Zeleris']);
  });

  it('a carrier who hands an order to a company has none of its money', async () => {
    const { id } = await world.pedido({
      estado: 'en_ruta',
      contra_reembolso: true,
      precio_total_cents: 1700,
      precio_unitario_cents: 1700,
      transportista_id: people.transportista.user.id,
    });
    const body = { estado: 'completado', metodo_entrega: 'mrw', cobrado: 17, cobrado_metodo: 'empresa' } as const;
    expect((await people.transportista.call(setEstado, { params: { id }, body })).status).toBe(200);
    expect(await held()).toMatchObject([{ empresa: 'MRW', importe: 17 }]);
    expect((await admin.call(api.listCajas)).body.data).toEqual([]);
  });
});

describe('the company pays', () => {
  it('received and commission are the sum of the payments, which then are in the shop', async () => {
    const order = await onDelivery();
    await delivered(order);
    expect((await receive(await held(), { recibido: 17.01 })).status).toBe(422);
    expect((await receive(await held(), { recibido: 16 })).body).toMatchObject({
      errors: { recibido: [expect.stringContaining('17,00')] },
    });
    expect((await receive(await held(), { recibido: 16, comision: 1, referencia: 'LIQ 8' })).body.message).toBe(
      'Recibido de Correos: 1 cobro',
    );
    expect([await held(), (await see(order.id)).cobro_empresa]).toEqual([[], 0]);
    expect((await see(order.id)).situacion?.id).toBe('entregado');
    expect(await remesas()).toMatchObject([{ empresa: 'Correos', cobros: 1, recibido: 16, comision: 1, referencia: 'LIQ 8' }]);
    expect(await settled()).toEqual([]);
  });

  it('a remittance is undone whole and once, and its payments are with the company again', async () => {
    const orders = [await onDelivery(), await onDelivery(500)];
    await delivered(...orders);
    await receive(await held(), { recibido: 22 });
    const [remesa] = await remesas();
    const undo = () => admin.call(api.deshacerRemesa, { params: { id: remesa?.id ?? '' } });
    expect([(await undo()).status, (await undo()).status]).toEqual([200, 409]);
    expect([(await held()).length, await remesas()]).toEqual([2, []]);
    expect(await settled()).toEqual([]);
  });

  it('a part may be paid, and no payment is received twice, even at once', async () => {
    const [first, second] = [await onDelivery(), await onDelivery(500)];
    await delivered(first, second);
    const [one, other] = (await held()).toSorted((a, b) => b.importe - a.importe);
    const both = await Promise.all([receive([one as { id: string }]), receive([one as { id: string }])]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await held()).toEqual([other]);
  });

  it('another company’s payments are not received with it', async () => {
    await delivered(await onDelivery());
    expect((await receive(await held(), { empresa: 'MRW' })).status).toBe(409);
    expect(await held()).toHaveLength(1);
  });

  it('the Caja stays in the menu of the office while a company has money, also with cash on delivery switched off', async () => {
    await delivered(await onDelivery());
    await admin.call(updateSettings, { body: { cashOnDelivery: false } });
    const seesCaja = async (who: Person) => (await who.call(getUser)).body.user.caja === true;
    expect([await seesCaja(admin), await seesCaja(people.transportista)]).toEqual([true, false]);
    await receive(await held());
    expect(await seesCaja(admin)).toBe(false);
  });

  it('carriers and resellers neither see nor receive the money of companies', async () => {
    await delivered(await onDelivery());
    const cobros = await held();
    for (const who of [people.transportista, people.revendedor]) {
      expect((await who.call(api.listDeEmpresas)).status).toBe(403);
      expect((await receive(cobros, {}, who)).status).toBe(403);
    }
  });
});

describe('a company has a term', () => {
  const since = (dias: number) =>
    world.db
      .updateTable('pagos')
      .set({ fecha: addDays(dayInMadrid(), -dias) })
      .execute();
  const term = (dias: number) => admin.call(api.ponerPlazo, { body: { empresa: 'Correos', dias } });
  const figures = async () => {
    const [{ plazo, tarde, importe } = expect.fail('no company')] = (await admin.call(api.listDeEmpresas)).body.empresas;
    const { empresasTarde, conEmpresasImporte, porCobrarImporte } = (await admin.call(atencionStats)).body.data;
    return { plazo, tarde, importe, empresasTarde, conEmpresasImporte, porCobrarImporte };
  };

  it('it is late from the day after its term, in its list and in «Hoy», and without a term never', async () => {
    await delivered(await onDelivery());
    const all = { importe: 17, conEmpresasImporte: 17, porCobrarImporte: 0 };
    await since(8);
    expect(await figures()).toEqual({ ...all, plazo: 0, tarde: 0, empresasTarde: 0 });
    expect((await term(8)).status).toBe(200);
    expect(await figures()).toEqual({ ...all, plazo: 8, tarde: 0, empresasTarde: 0 });
    await since(9);
    expect(await figures()).toEqual({ ...all, plazo: 8, tarde: 1, empresasTarde: 1 });
    await term(0);
    expect(await figures()).toEqual({ ...all, plazo: 0, tarde: 0, empresasTarde: 0 });
    expect((await term(366)).status).toBe(422);
  });

  it('what companies have is a part of the income that the dashboard tells from what is collected', async () => {
    await delivered(await onDelivery());
    const today = dayInMadrid();
    const held = async (query = {}) => (await admin.call(adminStats, { query })).body.data;
    expect(await held()).toMatchObject({ ingresos: 17, porCobrar: 0, conEmpresas: 17 });
    expect(await held({ from: today, to: today })).toMatchObject({ conEmpresas: 17 });
    expect(await held({ to: addDays(dayInMadrid(), -1) })).toMatchObject({ conEmpresas: 0 });
    await receive((await admin.call(api.listDeEmpresas)).body.data);
    expect(await held()).toMatchObject({ porCobrar: 0, conEmpresas: 0 });
  });
});

describe('what follows changes its mind', () => {
  it('a payment that the company has not paid is annulled; one that it has paid is not, until the remittance is undone', async () => {
    const order = await onDelivery();
    await delivered(order);
    const [pago] = (await admin.call(listPagos, { params: { id: order.id } })).body.data;
    const annul = () => admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'No cobró' } });
    await receive(await held());
    expect((await annul()).body).toMatchObject({ message: expect.stringContaining('Correos ya ha pagado este cobro') });
    await admin.call(api.deshacerRemesa, { params: { id: (await remesas())[0]?.id ?? '' } });
    expect((await annul()).status).toBe(200);
    expect([await held(), (await see(order.id)).pendiente]).toEqual([[], 17]);
    expect(await settled()).toEqual([]);
  });

  it('a delivery taken back annuls what the company has, and owes back what it has paid', async () => {
    const [first, second] = [await onDelivery(), await onDelivery()];
    await delivered(first, second);
    await receive((await held()).filter(({ numero_orden }) => numero_orden === second.numero_orden));
    for (const { id } of [first, second]) {
      const body = { paso: 'deshacer_entrega', motivo: 'Era otro', version: (await see(id)).version } as const;
      expect((await admin.call(deshacerPaso, { params: { id }, body })).status).toBe(200);
    }
    expect(await held()).toEqual([]);
    const estados = async (id: string) => (await admin.call(listPagos, { params: { id } })).body.data.map(({ estado }) => estado);
    expect([await estados(first.id), await estados(second.id)]).toEqual([['anulado'], ['devolucion_pendiente']]);
    expect((await settled()).map(({ name }) => name)).not.toContain('cobro_empresa');
  });

  it('goods returned after the delivery leave the whole sum with the company', async () => {
    const order = await onDelivery();
    await delivered(order);
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    const back = await admin.call(createDevolucion, { params: { id: order.id }, body: { lineas, motivo: 'desistimiento' } });
    expect(back.status).toBe(201);
    expect(await held()).toMatchObject([{ importe: 17 }]);
    expect(await see(order.id)).toMatchObject({ cobro_empresa: 17, por_reembolsar: 17, situacion: { id: 'por_reembolsar' } });
    expect(await settled()).toEqual([]);
  });
});
