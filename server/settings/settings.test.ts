import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { getUser } from '../../contract/session/session.ts';
import { getSettings, updateSettings } from '../../contract/settings/settings.ts';
import { DEFAULT_SETTINGS } from '../../contract/settings/values.ts';
import { adminStats } from '../../contract/stats/stats.ts';
import { isIban } from '../../contract/text/iban.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { readSecretSettings, readTermInForce } from './settings.ts';

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

const noticesOf = async (person: Person) => (await person.call(listNotifications)).body.data.map(({ texto }) => texto);
const setTerm = (data: object) =>
  sql`UPDATE settings SET data = data || ${JSON.stringify({ heldTerms: {}, ...data })}::jsonb`.execute(world.db);

describe('settings', () => {
  it('settings start with their defaults and keep changes', async () => {
    expect((await admin.call(getSettings)).body.data).toMatchObject({ ...DEFAULT_SETTINGS, smtpPasswordSet: false, apiKeySet: false });
    const { status, body } = await admin.call(updateSettings, {
      body: {
        companyName: ' Almazara Sur ',
        companyEmail: 'hola@almazara.es',
        companyIban: 'ES91 2100 0418 4502 0005 1332',
        retentionDays: 7,
      },
    });
    expect([status, body.message]).toEqual([200, 'Configuración guardada']);
    expect((await admin.call(getSettings)).body.data).toMatchObject({ companyName: 'Almazara Sur', retentionDays: 7, sessionTimeout: 30 });
  });

  it('secrets of the settings are stored encrypted and never shown', async () => {
    const { text } = await admin.call(updateSettings, { body: { smtpPassword: 'muy secreta', smtpHost: 'smtp.tienda.es' } });
    expect(text).not.toContain('muy secreta');
    expect(JSON.parse(text).data).toMatchObject({ smtpPasswordSet: true, smtpHost: 'smtp.tienda.es' });
    const stored = await world.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain('muy secreta');
    expect(await readSecretSettings(world.db, world.config.secretKey)).toMatchObject({ smtpPassword: 'muy secreta' });
    const audited = await world.db.selectFrom('audit_logs').selectAll().where('entity_type', '=', 'settings').execute();
    expect(JSON.stringify(audited)).not.toContain('muy secreta');
    await admin.call(updateSettings, { body: { smtpPassword: '' } });
    expect((await admin.call(getSettings)).body.data.smtpPasswordSet).toBe(false);
  });

  it('invalid settings are refused with a sentence, and nothing is saved', async () => {
    const bad: [object, string][] = [
      [{ companyName: '  ' }, 'Nombre de empresa y email son obligatorios.'],
      [{ companyEmail: 'hola' }, 'Email inválido'],
      [{ companyIban: 'ES00 2100 0418 4502 0005 1332' }, 'El IBAN no es válido'],
      [{ sessionTimeout: 0 }, 'Entre 5 y 720 minutos'],
      [{ timezone: 'Mars/Olympus' }, 'Elige una de las opciones'],
      [{ language: 'fr' }, 'Elige una de las opciones'],
      [{ trackingMrw: 'javascript:alert(1)' }, 'Una dirección https con {numero} donde va el número de seguimiento'],
      [
        { aviso_creado: 'Son {total}' },
        '{total} no vale en este texto; puedes usar {cliente}, {pedido}, {tienda}, {direccion}, {dia}, {enlace}',
      ],
      [{ aviso_entregado: ' ' }, 'Escribe el texto, o vuelve al de Enruta'],
      [{ retentionDays: 5, raro: 1 }, 'Campo desconocido: raro'],
    ];
    for (const [body, message] of bad) {
      const reply = await admin.request('PUT', '/api/settings', { body });
      expect([reply.status, (reply.body as { message: string }).message]).toEqual([422, message]);
    }
    expect((await admin.call(getSettings)).body.data).toMatchObject(DEFAULT_SETTINGS);
  });

  it('the other superadmins are notified of changed settings that require the password', async () => {
    const eva = await world.as(await world.user({ role: 'superadmin', email: 'eva@enruta.test' }));
    await admin.call(updateSettings, { body: { companyPhone: '600111222' } });
    expect(await noticesOf(eva)).toEqual([]);
    const body = {
      companyIban: 'ES9121000418450200051332',
      companyBic: 'CAIXESBBXXX',
      smtpHost: 'smtp.tienda.es',
      smtpPassword: 'secreta',
    };
    expect((await admin.call(updateSettings, { body })).status).toBe(200);
    const texto = `${admin.user.full_name} ha cambiado la cuenta para transferencias y el correo`;
    expect([await noticesOf(eva), await noticesOf(admin)]).toEqual([[texto], []]);
    const mails = await world.db.selectFrom('outbox').select(['recipient', 'payload']).where('channel', '=', 'correo').execute();
    expect(mails).toMatchObject([{ recipient: eva.user.email, payload: { asunto: texto } }]);
  });

  it('a shorter term of deletion applies a day later, and the notice says so', async () => {
    const eva = await world.as(await world.user({ role: 'superadmin' }));
    const months = async (anonymizeMonths: number) => {
      expect((await admin.call(updateSettings, { body: { anonymizeMonths } })).status).toBe(200);
      const { value, until } = await readTermInForce(world.db, 'anonymizeMonths');
      return [value, until ? Math.round((Date.parse(until) - Date.now()) / 3_600_000) : 0];
    };
    // 0 means never, so any first term is shorter.
    expect(await months(24)).toEqual([0, 24]);
    expect((await noticesOf(eva))[0]).toMatch(/ha cambiado cuándo se anonimizan los pedidos\. Lo que ahora se borra antes .* un día$/);
    expect(await months(12)).toEqual([0, 24]);
    expect(await months(0)).toEqual([0, 0]);
    await setTerm({ anonymizeMonths: 12 });
    expect(await months(6)).toEqual([12, 24]);
    expect(await months(18)).toEqual([18, 0]);
    await setTerm({ anonymizeMonths: 6, heldTerms: { anonymizeMonths: { value: 12, until: new Date(Date.now() - 1000).toISOString() } } });
    expect(await readTermInForce(world.db, 'anonymizeMonths')).toEqual({ value: 6, until: undefined });
  });

  it('each role gets only the message templates that it sends', async () => {
    const [seller, carrier] = [await world.as('revendedor'), await world.as('transportista')];
    const avisos = async (person: Person) => (await person.call(getUser)).body.negocio.avisos;
    expect(await avisos(carrier)).toEqual({ tienda: '', canales: ['whatsapp', 'sms', 'llamada'], textos: {} });
    const textos = { aviso_creado: 'Paga 9 € en {enlace}', aviso_en_ruta: '{repartidor} va de camino' };
    const body = { companyName: 'Almazara', canal_sms: false, ...textos };
    expect((await admin.call(updateSettings, { body })).status).toBe(200);
    const common = { tienda: 'Almazara', canales: ['whatsapp', 'llamada'] };
    expect(await avisos(carrier)).toEqual({ ...common, textos: { en_ruta: textos.aviso_en_ruta } });
    expect(await avisos(seller)).toEqual({ ...common, textos: { creado: textos.aviso_creado, en_ruta: textos.aviso_en_ruta } });
    await admin.call(updateSettings, { body: { canal_whatsapp: false, canal_llamada: false } });
    expect(await avisos(seller)).toBeUndefined();
  });

  it('a stale save of the settings is refused', async () => {
    const { version } = (await admin.call(getSettings)).body.data;
    expect((await admin.call(updateSettings, { body: { retentionDays: 7, version } })).status).toBe(200);
    expect((await admin.call(updateSettings, { body: { retentionDays: 8, version } })).status).toBe(409);
  });

  it('the day boundaries of the figures move with the time zone', async () => {
    await world.pedido({ fecha_pedido: '2026-05-01T22:30:00Z' });
    const on = async (day: string) => (await admin.call(adminStats, { query: { from: day, to: day } })).body.data.totalPedidos;
    expect([await on('2026-05-01'), await on('2026-05-02')]).toEqual([0, 1]);
    await admin.call(updateSettings, { body: { timezone: 'UTC' } });
    expect([await on('2026-05-01'), await on('2026-05-02')]).toEqual([1, 0]);
  });
});

it('only a valid IBAN is accepted', () => {
  expect(['ES9121000418450200051332', 'DE89 3704 0044 0532 0130 00', 'ES9121000418450200051333', 'ES91', ''].map(isIban)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it('the shop’s own address at a domain with «ñ» is shown as written and can be saved again', async () => {
  const body = { companyName: 'Peña', companyEmail: 'hola@aceites-peña.es', mailFrom: 'pedidos@aceites-peña.es' };
  const { data } = (await admin.call(updateSettings, { body })).body;
  expect(data).toMatchObject(body);
  expect((await admin.call(updateSettings, { body: data })).body.data.version).toBe(data.version);
  const { data: stored } = await world.db.selectFrom('settings').select('data').executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ companyEmail: 'hola@xn--aceites-pea-beb.es' });
});
