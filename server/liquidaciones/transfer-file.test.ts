import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Paying several statements at once, and the file of transfers for the bank. */

const SHOP = 'ES9121000418450200051332';
const RITAS = 'ES7921000813610123456789';
const TOMASS = 'DE89370400440532013000';
const LAST = monthsBack(1);
let world: World;
let admin: Person;
let rita: Person;
let tomas: Person;
let ids: string[];
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
const account = (who: Person, iban: string | null, by = admin) => {
  const body: BodyIn<typeof api.setGanancia> = who === rita ? { margen: null, iban } : { tarifas: [], iban };
  return by.call(api.setGanancia, { params: { id: who.user.id }, body });
};
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  rita = await world.as(await world.user({ role: 'revendedor', full_name: 'Rita Ñúñez & Hijos' }));
  tomas = await world.as(await world.user({ role: 'transportista', full_name: 'Tomás Paz' }));
  await admin.call(updateSettings, { body: { companyName: 'Almazara Sur', companyIban: SHOP } });
  for (const [who, importe] of [
    [rita, 9.6],
    [tomas, 7.05],
  ] as const)
    await admin.call(api.crearAjuste, { body: { user_id: who.user.id, importe, nota: 'Acordado' } });
  await earnedOn(world.db, LAST.last);
  await admin.call(api.cerrarMes, { body: { mes: LAST.mes } });
  ids = (await admin.call(api.listLiquidaciones)).body.data.map(({ id }) => id);
});

const list = async () => (await admin.call(api.listLiquidaciones)).body.data;
const pay = (liquidaciones: { id: string; version: number }[], fields = {}, by = admin) =>
  by.call(api.pagarLiquidaciones, { body: { liquidaciones, referencia: 'Remesa 7', fecha: dayInMadrid(), ...fields } });
const chosen = async () => (await list()).map(({ id, version }) => ({ id, version }));
const file = (fields = {}, by = admin) =>
  by.call(api.ficheroTransferencias, { query: { ids: ids.join(','), fecha: addDays(dayInMadrid(), 1), ...fields } });

describe('paying several statements', () => {
  it('paying several statements notes one reference on all statements, and notifies each person', async () => {
    const { status, body } = await pay(await chosen());
    expect([status, body.message, body.data]).toEqual([200, '2 liquidaciones pagadas', { liquidaciones: 2, total: 16.65 }]);
    for (const statement of await list()) expect(statement).toMatchObject({ pagada_el: dayInMadrid(), pago_referencia: 'Remesa 7' });
    for (const who of [rita, tomas])
      expect((await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'liquidacion_pagada')).toHaveLength(1);
  });

  it('paying several statements pays none if one is unknown, stale or already paid', async () => {
    const [first, second] = await chosen();
    if (!first || !second) throw new Error('there are two');
    expect((await pay([first, { id: crypto.randomUUID(), version: 1 }])).status).toBe(404);
    expect((await pay([first, { ...second, version: 9 }])).status).toBe(409);
    await pay([second]);
    const { status, body } = await pay(await chosen());
    expect([status, body.message]).toEqual([409, expect.stringMatching(/LIQ-\d+ ya está pagada/)]);
    expect((await list()).filter(({ pagada_el }) => pagada_el)).toHaveLength(1);
  });

  it('paying several statements twice concurrently pays each statement once', async () => {
    const both = await chosen();
    const statuses = (await Promise.all([pay(both), pay(both.toReversed())])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('resellers and carriers can neither pay statements nor get the file of transfers', async () => {
    for (const who of [rita, tomas]) {
      expect((await pay(await chosen(), {}, who)).status).toBe(403);
      expect((await file({}, who)).status).toBe(403);
    }
  });
});

describe('a file of transfers', () => {
  beforeEach(async () => {
    await account(rita, 'es79 2100 0813 6101 2345 6789');
    await account(tomas, TOMASS);
  });

  it('a file of transfers contains each statement once, with sums and only characters that banks accept', async () => {
    const { status, body } = await file({ ids: [...ids, ...ids].join(',') });
    expect(status).toBe(200);
    const text = body.data.contenido ?? '';
    expect(body.data).toMatchObject({ total: 16.65, fuera: [] });
    expect(text).toContain('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09');
    expect(text.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>16\.65<\/CtrlSum>/g)).toHaveLength(2);
    expect([...text.matchAll(/<IBAN>(\w+)<\/IBAN>/g)].map(([, iban]) => iban)).toEqual([SHOP, RITAS, TOMASS]);
    expect([...text.matchAll(/Ccy="EUR">([\d.]+)</g)].map(([, euros]) => euros)).toEqual(['9.60', '7.05']);
    expect(text).toContain('<Nm>Rita Nunez Hijos</Nm>');
    expect(text).toContain(`<ReqdExctnDt><Dt>${addDays(dayInMadrid(), 1)}</Dt></ReqdExctnDt>`);
    expect((await list()).filter(({ pagada_el }) => pagada_el)).toEqual([]);
  });

  it('a file of transfers leaves out and names a person without an account', async () => {
    await account(tomas, null);
    const { status, body } = await file();
    const [ritas, tomass] = (await list()).toSorted((a, b) => a.persona_nombre.localeCompare(b.persona_nombre, 'es'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      incluidas: [ritas?.id],
      total: 9.6,
      fuera: [{ id: tomass?.id, user_id: tomas.user.id, persona_nombre: 'Tomás Paz', total: 7.05, motivo: 'sin_iban' }],
    });
    expect(body.data.contenido?.match(/<NbOfTxs>1<\/NbOfTxs><CtrlSum>9\.60<\/CtrlSum>/g)).toHaveLength(2);
    expect(body.data.contenido).not.toContain('Tomas');
    await account(rita, null);
    expect((await file()).body.data).toMatchObject({ contenido: null, incluidas: [], total: 0, fuera: [{}, {}] });
  });

  it('a file of transfers writes Ł, Ø, ß and æ as letters, and names a person in another alphabet until the name is in letters', async () => {
    const name = (full_name: string) => world.db.updateTable('users').set({ full_name }).where('id', '=', tomas.user.id).execute();
    await name('Łukasz Østergård Weißbæck');
    expect((await file()).body.data.contenido).toContain('<Nm>Lukasz Ostergard Weissbaeck</Nm>');
    await name('Юрий Ж');
    expect((await file()).body.data).toMatchObject({ total: 9.6, fuera: [{ total: 7.05, motivo: 'nombre' }] });
    await account(tomas, null);
    expect((await file()).body.data.fuera).toMatchObject([{ motivo: 'sin_iban' }]);
    await admin.call(updateSettings, { body: { companyName: 'Алмазара' } });
    expect((await file()).body).toMatchObject({ message: expect.stringContaining('letras latinas') });
  });

  it('a file of transfers bears the holders of the accounts, and says whose holder nobody has written', async () => {
    expect((await file()).body.data.sin_titular).toEqual(['Almazara Sur', 'Rita Ñúñez & Hijos', 'Tomás Paz']);
    await admin.call(updateSettings, { body: { companyHolder: 'Aceites del Sur S.L.' } });
    await admin.call(api.setGanancia, { params: { id: rita.user.id }, body: { margen: null, titular: 'Núñez Hermanas S.L.' } });
    const { contenido, sin_titular } = (await file()).body.data;
    expect([...(contenido ?? '').matchAll(/<Nm>([^<]*)</g)].map(([, name]) => name)).toEqual([
      'Aceites del Sur S.L.',
      'Aceites del Sur S.L.',
      'Nunez Hermanas S.L.',
      'Tomas Paz',
    ]);
    expect(sin_titular).toEqual(['Tomás Paz']);
    await admin.call(api.setGanancia, { params: { id: rita.user.id }, body: { margen: null, titular: null } });
    await account(tomas, null);
    expect((await file()).body.data.sin_titular).toEqual(['Rita Ñúñez & Hijos']);
  });

  it('a file of transfers is for today too, with the bank’s code, and names of seventy letters', async () => {
    const long = `${'Ana '.repeat(17)}Bc`;
    await admin.call(updateSettings, { body: { companyIban: 'es91 2100 0418 4502 0005 1332', companyHolder: long } });
    await world.db
      .updateTable('users')
      .set({ full_name: `${long}D` })
      .where('id', '=', tomas.user.id)
      .execute();
    const text = async () => (await file({ fecha: dayInMadrid() })).body.data.contenido ?? '';
    const names = [...(await text()).matchAll(/<Nm>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual([long, long, 'Rita Nunez Hijos', long]);
    expect(await text()).toContain(`<IBAN>${SHOP}</IBAN>`);
    expect(await text()).toContain('<Othr><Id>NOTPROVIDED</Id></Othr>');
    const [id] = /(?<=<MsgId>)ENRUTA-\d{17}(?=<)/.exec(await text()) ?? [];
    expect(id).toBeDefined();
    await admin.call(updateSettings, { body: { companyBic: 'caixesbbxxx' } });
    expect(await text()).toContain('<BICFI>CAIXESBBXXX</BICFI>');
  });

  it('a file of transfers leaves out a statement whose total is not positive', async () => {
    await admin.call(api.crearAjuste, { body: { user_id: tomas.user.id, importe: -3, nota: 'Adelanto' } });
    await earnedOn(world.db, monthsBack(2).last);
    await admin.call(api.cerrarMes, { body: { mes: monthsBack(2).mes } });
    const all = (await list()).map(({ id }) => id);
    expect(all).toHaveLength(3);
    expect((await file({ ids: all.join(',') })).body.data).toMatchObject({ total: 16.65, fuera: [{ total: -3, motivo: 'total' }] });
  });

  it('a file of transfers is refused for a past day, an unknown or paid statement, or a business without an account', async () => {
    expect((await file({ fecha: addDays(dayInMadrid(), -1) })).body).toMatchObject({ errors: { fecha: [expect.any(String)] } });
    expect((await file({ ids: crypto.randomUUID() })).status).toBe(404);
    await admin.call(updateSettings, { body: { companyIban: '' } });
    expect((await file()).body).toMatchObject({ message: expect.stringMatching(/IBAN de la empresa/) });
    await admin.call(updateSettings, { body: { companyIban: SHOP } });
    await pay(await chosen());
    expect((await file()).status).toBe(409);
  });
});

describe('the account of a person', () => {
  it('a change of a person’s account needs the password, and the log shortens the account', async () => {
    expect((await account(rita, 'ES00 1234')).status).toBe(422);
    const unproven = await world.as('superadmin', { proven: false });
    expect((await account(rita, RITAS, unproven)).status).toBe(403);
    expect((await account(rita, RITAS)).body.data.iban).toBe(RITAS);
    const body = { margen: null, titular: 'Otra Persona' };
    expect((await unproven.call(api.setGanancia, { params: { id: rita.user.id }, body })).status).toBe(403);
    const { text } = await admin.call(listLogs);
    expect(text).toContain('…6789');
    expect(text).not.toContain(RITAS);
  });

  it('a person’s account is kept when margin or fees are saved without an account', async () => {
    await account(rita, RITAS);
    await admin.call(api.setGanancia, { params: { id: rita.user.id }, body: { margen: { tipo: 'pack', valor: 1 } } });
    expect((await admin.call(api.getGanancia, { params: { id: rita.user.id } })).body.iban).toBe(RITAS);
  });
});
