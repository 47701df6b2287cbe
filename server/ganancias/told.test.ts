import { beforeEach, expect, it } from 'vitest';
import * as api from '../../contract/liquidaciones/liquidaciones.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../test/roles-world.ts';
import { hearing, mailed, withMail } from '../../test/told.ts';

/* Who is told of earnings and statements: open screens at once, and people by mail. */

worldForEachTest();
const LAST = monthsBack(1);
beforeEach(() => withMail(world));

it('rules, adjustments, a closed month, and statements that are paid or not', async () => {
  const gains = () => admin.call(api.setGanancia, { params: { id: reseller.user.id }, body: { margen: null, titular: 'Rita' } });
  await hearing(world, ['users superadmin'], gains);
  const adjust = (user_id: string) => admin.call(api.crearAjuste, { body: { user_id, importe: 5, nota: 'Acordado' } });
  for (const { user } of [reseller, carrier]) await hearing(world, [`liquidaciones superadmin ${user.id}`], () => adjust(user.id));
  await earnedOn(world.db, LAST.first);
  const messages: string[] = [];
  const close = async () => {
    messages.push((await admin.call(api.cerrarMes, { body: { mes: LAST.mes } })).body.message);
  };
  const readers = 'liquidaciones superadmin revendedor transportista';
  expect(await mailed(world, () => hearing(world, [readers], close))).toEqual([reseller.user.email, carrier.user.email].toSorted());
  expect(await mailed(world, close)).toEqual([]);
  expect(messages.map((message) => message.replace(/ de [a-z]+ de \d{4}/, '').replace(/^Cerrado .*:/, 'Cerrado:'))).toEqual([
    'Cerrado: 2 liquidaciones',
    'No queda nada por cerrar',
  ]);
  const [statement] = (await reseller.call(api.listLiquidaciones)).body.data;
  const params = { id: statement?.id ?? '' };
  const whose = [`liquidaciones superadmin ${reseller.user.id}`];
  const future = await admin.call(api.pagarLiquidacion, { params, body: { referencia: 'T1', fecha: addDays(dayInMadrid(), 1) } });
  expect(future.status).toBe(422);
  const pay = () => admin.call(api.pagarLiquidacion, { params, body: { referencia: 'T1', fecha: dayInMadrid() } });
  expect(await mailed(world, () => hearing(world, whose, pay))).toEqual([reseller.user.email]);
  await hearing(world, whose, () => admin.call(api.despagarLiquidacion, { params, body: { motivo: 'Era otra' } }));
  const again = (await reseller.call(api.listLiquidaciones)).body.data;
  expect(again).toMatchObject([{ pagada_el: null, pago_referencia: null, version: 3 }]);
});

it('what somebody earns keeps the account unless another is given', async () => {
  const set = async (body: object) =>
    (await admin.call(api.setGanancia, { params: { id: reseller.user.id }, body: { margen: null, ...body } })).body.data;
  const iban = 'ES9121000418450200051332';
  expect(await set({ iban, titular: 'Rita' })).toMatchObject({ iban, titular: 'Rita', version: 2 });
  expect(await set({})).toMatchObject({ iban, titular: 'Rita', version: 3 });
  expect(await set({ titular: null })).toMatchObject({ iban, titular: null });
  expect(await set({ iban: null })).toMatchObject({ iban: null, titular: null });
});
