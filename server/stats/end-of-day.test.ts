import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anotarPago } from '../../contract/payments/payments.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { finDelDiaStats, hoyStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { mailEndOfDay } from './end-of-day.ts';

/* The end of the day on one page, and by mail. */

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const TODAY = dayInMadrid();
const at = (days: number) => `${addDays(TODAY, days)}T11:00:00Z`;
const ended = async () => (await admin.call(finDelDiaStats)).body.data;

/** A day of one carrier: an order delivered and paid, one refused, one out, one with a company, one for tomorrow. */
async function playDay() {
  const carrier = await world.as('transportista');
  const carried = { transportista_id: carrier.user.id, transportista_nombre: carrier.user.full_name };
  const out = { ...carried, estado: 'en_ruta', precio_total_cents: 2500 } as const;
  const [paid, failed] = [await world.pedido(out), await world.pedido({ ...out, cliente_nombre: 'Rosa Ausente' })];
  await world.pedido(out);
  await world.pedido({ ...carried, estado: 'asignado', fecha_estimada: at(1) });
  await world.pedido({ en_empresa: 'Correos', en_empresa_at: at(-1) });
  const body = { estado: 'completado', metodo_entrega: 'manual' } as const;
  expect((await carrier.call(setEstado, { params: { id: paid.id }, body })).status).toBe(200);
  const pay = { metodo: 'bizum', importe: 25, fecha: TODAY, referencia: null } as const;
  expect((await admin.call(anotarPago, { params: { id: paid.id }, body: pay })).status).toBe(201);
  const fail = { estado: 'asignado', paso: 'fallar', motivo: 'Ausente' } as const;
  expect((await carrier.call(setEstado, { params: { id: failed.id }, body: fail })).status).toBe(200);
  return carrier.user;
}

test('the end of the day counts what left, was delivered, failed, was paid, is with a company and comes next', async () => {
  const carrier = await playDay();
  const data = await ended();
  expect(data.repartos).toEqual((await admin.call(hoyStats)).body.data.dia);
  expect(data.repartos).toContainEqual(expect.objectContaining({ transportista_id: carrier.id, hecho: 1, calle: 1 }));
  expect(data).toMatchObject({
    hoy: TODAY,
    noEntregados: [{ cliente_nombre: 'Rosa Ausente', transportista_id: carrier.id, motivo: 'Ausente' }],
    cobros: [{ nombre: 'Oficina', metodo: 'Bizum', pagos: 1, euros: 25 }],
    cajas: [],
    empresas: [{ empresa: 'Correos', pedidos: 1 }],
    devolver: 0,
    manana: { dia: addDays(TODAY, 1), pedidos: 1 },
  });
});

test('the end of the day is mailed to the superadmins at the hour of the settings, and not while that is off', async () => {
  await playDay();
  const madrid = new Intl.DateTimeFormat('es-ES', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Madrid' });
  const now = [18, 19].map((hour) => new Date(`${TODAY}T${hour}:00:30Z`)).find((each) => madrid.format(each) === '20') as Date;
  const mail = { smtpHost: 'smtp.enruta.test', smtpUser: 'enruta' };
  await admin.call(updateSettings, { body: mail });
  expect(await mailEndOfDay(world.db, now)).toBe(false);
  await admin.call(updateSettings, { body: { endOfDayMail: 'h20' } });
  expect(await mailEndOfDay(world.db, new Date(now.getTime() - 3_600_000))).toBe(false);
  expect(await mailEndOfDay(world.db, now)).toBe(true);
  const sent = await world.db.selectFrom('outbox').select(['recipient', 'payload']).where('channel', '=', 'correo').execute();
  const ours = sent.filter(({ payload }) => JSON.stringify(payload).includes('Fin del día'));
  expect(ours.map(({ recipient }) => recipient)).toEqual([admin.user.email]);
  expect(JSON.stringify(ours[0]?.payload)).toContain('Rosa Ausente: Ausente');
});
