import { beforeEach, describe, expect, it } from 'vitest';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { liveChanges } from '../../../test/live-changes.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';

/* Steps made at the door that could not be registered, as the telephone reports them. */

worldForEachTest();

const DAY = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const TWO_HOURS = ago(2 * 3_600_000);
type Body = BodyIn<typeof contarNoAceptado>;
const carried = (more = {}) => world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, ...more });
const tell = async (pedido_id: string, more: Partial<Body> = {}, who: Person = carrier) => {
  const { status, text } = await who.call(contarNoAceptado, {
    body: { pedido_id, paso: 'completar', ocurrido: TWO_HOURS, rechazo: 'Cancelado', ...more },
  });
  expect(status, text).toBe(200);
};
const rows = (pedido_id: string) =>
  world.db.selectFrom('pedidos_historial').selectAll().where('pedido_id', '=', pedido_id).orderBy('created_at').execute();
const notices = async () =>
  (await admin.call(listNotifications)).body.data.map(({ texto, enlace }) => [texto.replaceAll('\u00a0', ' '), enlace] as const);
const mailed = async () => (await world.db.selectFrom('outbox').select('id').where('channel', '=', 'correo').execute()).length;
const pushed = async () => (await world.db.selectFrom('outbox').select('id').where('channel', '=', 'push').execute()).length;

describe('cash of a step that could not be registered', () => {
  it.each<[string, Partial<Body>, number | null, string]>([
    ['collected in cash', { cobrado: 12.5, cobrado_metodo: 'efectivo' }, 1250, '. Cobró 12,50 €'],
    ['collected by Bizum', { cobrado: 0.01, cobrado_metodo: 'bizum' }, 1, '. Cobró 0,01 €'],
    ['collected by a company', { cobrado: 12.5, cobrado_metodo: 'empresa' }, null, ''],
    ['nothing collected', { cobrado: 0, cobrado_metodo: 'efectivo' }, null, ''],
    ['an amount without how', { cobrado: 12.5 }, null, ''],
    ['how without an amount', { cobrado_metodo: 'efectivo' }, null, ''],
    ['a step that is still sent', { cobrado: 12.5, cobrado_metodo: 'efectivo', pendiente: true }, null, ''],
    ['a step that collects nothing', { paso: 'fallar', cobrado: 12.5, cobrado_metodo: 'efectivo' }, null, ''],
  ])('is stored and told to the office: %s', async (_, body, cents, words) => {
    const { id } = await carried();
    await tell(id, body);
    const [row] = await rows(id);
    expect([row?.cobrado_cents, row?.cobrado_metodo]).toEqual([cents, cents === null ? null : body.cobrado_metodo]);
    const [[texto] = ['']] = await notices();
    expect(texto.slice(texto.indexOf(': ') + 2)).toBe(`Cancelado${words}`);
  });
});

describe('the record of a step that could not be registered', () => {
  it('names the step, the refusal and the goods, and is in the audit log', async () => {
    const { id, numero_orden } = await carried({ estado: 'asignado' });
    await tell(id, { paso: 'fallar', motivo: 'Ausente', sin_entregar: '1 × Caja' });
    const [row, ...more] = await rows(id);
    expect([more.length, row]).toMatchObject([
      0,
      {
        accion: 'Sin registrar: Intento fallido',
        nota: 'Cancelado · 1 × Caja · Motivo: Ausente',
        retirado_a: null,
        actor_user_id: carrier.user.id,
      },
    ]);
    const audited = await world.db.selectFrom('audit_logs').select(['action', 'description']).where('entity_id', '=', id).execute();
    expect(audited).toEqual([{ action: 'update', description: `Sin registrar: Intento fallido: ${numero_orden}` }]);
  });

  it('has no note if the telephone gives no reason', async () => {
    const { id, numero_orden } = await carried();
    const hour = new Intl.DateTimeFormat('es-ES', {
      timeZone: 'Europe/Madrid',
      day: '2-digit',
      month: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(new Date(TWO_HOURS));
    await tell(id, { rechazo: undefined, pendiente: true });
    expect((await rows(id)).map(({ accion, nota }) => [accion, nota])).toEqual([['Aún sin registrar: Completar', null]]);
    expect(await notices()).toEqual([
      [
        `${carrier.user.full_name} hizo «Completar» en ${numero_orden} sin cobertura (${hour.replace(',', '')}), pero aún no se ha registrado y se sigue intentando: error`,
        `/pedidos/${id}`,
      ],
    ]);
  });

  it('does not withdraw the order from its carrier, even if another has it by now', async () => {
    const other = await world.user({ role: 'transportista' });
    const { id } = await world.pedido({ estado: 'cancelado', transportista_id: carrier.user.id });
    await world.db.updateTable('pedidos').set({ deleted_at: TWO_HOURS }).where('id', '=', id).execute();
    await tell(id);
    expect((await rows(id)).map(({ retirado_a }) => retirado_a)).toEqual([null]);
    const { id: foreign } = await world.pedido({ estado: 'en_ruta', transportista_id: other.id });
    for (const body of [{ pedido_id: foreign }, { pedido_id: crypto.randomUUID() }])
      expect((await carrier.call(contarNoAceptado, { body: { paso: 'salir', ocurrido: TWO_HOURS, ...body } })).status).toBe(404);
  });

  it.each<[string, boolean, string | undefined, number]>([
    ['a shop that keeps proofs', true, undefined, 1],
    ['a shop that keeps none', false, undefined, 0],
    ['an anonymised order', true, 'anonimizado_at', 0],
    ['an order with blocked data', true, 'bloqueado_at', 0],
  ])('announces its files: %s', async (_, proofOfDelivery, mark, files) => {
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ proofOfDelivery }) as never })
      .execute();
    const { id } = await carried();
    if (mark)
      await world.db
        .updateTable('pedidos')
        .set({ [mark]: TWO_HOURS })
        .where('id', '=', id)
        .execute();
    const photo = { tipo: 'foto' as const, sha256: 'a'.repeat(64) };
    await tell(id, { paso: 'fallar', pruebas: [photo] });
    expect((await rows(id)).map(({ anunciadas }) => anunciadas)).toEqual(
      [files ? [photo] : null].map((list) => list ?? expect.toSatisfy(isEmpty)),
    );
  });
  const isEmpty = (list: unknown) => list === null || (Array.isArray(list) && list.length === 0);

  it('reaches the screens of the office alone', async () => {
    const { id } = await carried();
    const heard = await liveChanges(world);
    await tell(id);
    await expect.poll(() => heard).toContainEqual({ topic: 'pedidos', roles: ['superadmin'], users: [] });
  });
});

describe('a step that the telephone reports again', () => {
  const actions = async (id: string) => (await rows(id)).map(({ accion }) => accion);

  it('is stored once, by carrier, step and time', async () => {
    const { id } = await carried();
    const other = await world.as(await world.user({ role: 'transportista' }));
    await tell(id);
    await tell(id, { rechazo: 'Otra vez' });
    expect(await actions(id)).toHaveLength(1);
    await tell(id, { ocurrido: ago(3 * 3_600_000) });
    await tell(id, { paso: 'fallar' });
    await tell(id, { pendiente: true });
    expect(await actions(id)).toHaveLength(4);
    await world.db.updateTable('pedidos').set({ transportista_id: other.user.id }).where('id', '=', id).execute();
    await tell(id, {}, other);
    expect(await actions(id)).toHaveLength(5);
    const { id: second } = await carried();
    await tell(second);
    expect(await actions(second)).toHaveLength(1);
  });

  it('is known by the time that the telephone said, if that is not believed', async () => {
    const { id } = await carried();
    const [eight, nine] = [ago(8 * DAY), ago(9 * DAY)];
    for (const ocurrido of [eight, eight, nine]) await tell(id, { ocurrido });
    expect((await rows(id)).map(({ ocurrido_dicho }) => ocurrido_dicho && new Date(ocurrido_dicho).toISOString()).sort()).toEqual([
      nine,
      eight,
    ]);
  });

  it('is stored each time within the minute in which it happened', async () => {
    const { id } = await carried();
    const ocurrido = ago(0);
    for (let n = 0; n < 2; n += 1) await tell(id, { ocurrido });
    expect((await rows(id)).map(({ ocurrido_at, ocurrido_dicho }) => [ocurrido_at, ocurrido_dicho])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});

describe('notices of steps that could not be registered', () => {
  beforeEach(async () => {
    await world.db
      .updateTable('settings')
      .set({
        data: JSON.stringify({
          companyEmail: 'hola@almazara.es',
          smtpHost: '127.0.0.1',
          emailNotifications: true,
          pushNotifications: true,
        }) as never,
      })
      .execute();
    await world.db
      .insertInto('push_subscriptions')
      .values({ user_id: admin.user.id, endpoint: 'https://push.test/1', p256dh: 'x', auth: 'y' } as never)
      .execute();
  });

  it('a second notice of the same order replaces the first', async () => {
    const { id } = await carried();
    await tell(id);
    await tell(id, { paso: 'salir' });
    expect((await notices()).map(([texto]) => texto.includes('«Salir a reparto»') || texto.includes('«En reparto»'))).toEqual([true]);
  });

  it('the third within an hour counts the further steps, and is mailed and pushed once', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => carried()));
    const messages: (readonly [number, number, number])[] = [];
    for (const { id } of orders) {
      await tell(id);
      messages.push([(await notices()).length, await mailed(), await pushed()]);
    }
    expect(messages).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
      [3, 3, 3],
      [3, 3, 3],
    ]);
    const [[last, link] = []] = await notices();
    expect([last?.replace(/\(.*?\)/, '()'), link]).toEqual([
      `${carrier.user.full_name}: 3 pasos más no se han registrado, el último en ${orders[4]?.numero_orden} (). El historial de cada pedido los dice`,
      '/entregas',
    ]);
  });

  it('the third speaks of one step, and that of another carrier stays', async () => {
    const other = await world.as(await world.user({ role: 'transportista' }));
    for (const who of [carrier, other, other])
      for (let n = 0; n < (who === carrier ? 3 : 2); n += 1)
        await tell((await world.pedido({ estado: 'en_ruta', transportista_id: who.user.id })).id, {}, who);
    const counted = (await notices()).filter(([, link]) => link === '/entregas').map(([texto]) => texto.split(',')[0]);
    expect(counted.sort()).toEqual(
      [`${carrier.user.full_name}: 1 paso más no se ha registrado`, `${other.user.full_name}: 2 pasos más no se han registrado`].sort(),
    );
  });

  it('reach neither carrier nor reseller', async () => {
    await tell((await carried()).id);
    for (const who of [carrier, reseller]) expect((await who.call(listNotifications)).body.data).toEqual([]);
  });
});
