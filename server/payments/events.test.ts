import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { admin, world, worldForEachTest } from '../../test/roles-world.ts';
import { askEnded } from './ask.ts';
import { receiveBack } from './back.ts';
import type { Back, Gateway, PaymentNotice } from './provider.ts';
import { listPorRevisar, resolveReview } from './review.ts';
import { receiveNotice } from './settle.ts';

/* What becomes of each message of a provider, one row a case; other payments and messages stay as they were. */

worldForEachTest();

type Fields = NonNullable<Parameters<typeof world.pedido>[0]>;
const IMPORTE = 4321;
const AT = '2026-11-10T22:30:00Z';
const order = (fields: Fields = {}) => world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE, ...fields });
/** Inserts a payment of the whole price by Stripe. */
async function pago(pedido_id: string, fields: Record<string, unknown> = {}): Promise<void> {
  const row = { pedido_id, proveedor: 'stripe', externo_id: 'cs_1', referencia: '', importe_cents: IMPORTE, estado: 'pagado', ...fields };
  await sql`INSERT INTO pagos (${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) VALUES (${sql.join(Object.values(row))})`.execute(
    world.db,
  );
}
const pagos = async () =>
  (await world.db.selectFrom('pagos').select(['proveedor', 'externo_id', 'estado', 'devuelto_cents']).orderBy('created_at').execute()).map(
    ({ proveedor, externo_id, estado, devuelto_cents }) => [proveedor, externo_id, estado, devuelto_cents],
  );
const results = async () =>
  (await world.db.selectFrom('payment_events').select('resultado').orderBy('received_at').orderBy('evento_id').execute()).map(
    ({ resultado }) => resultado,
  );
const notices = async () =>
  (await world.db.selectFrom('notifications').select(['tipo', 'texto']).where('role', '=', 'superadmin').orderBy('created_at').execute())
    .filter(({ tipo }) => /^pago_(?:tardio|por_revisar)$/.test(tipo))
    .map(({ texto }) => texto.replaceAll('\u00a0', ' '));
const withMail = () =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ smtpHost: 'smtp.enruta.test', companyEmail: 'hola@enruta.test' }) as never })
    .execute();
const mails = async () => (await world.db.selectFrom('outbox').select('recipient').execute()).length;

let serial = 0;
const notice = (fields: Partial<PaymentNotice> = {}): PaymentNotice => ({
  evento_id: `evt_${String(++serial).padStart(4, '0')}`,
  externo_id: 'cs_1',
  importe_cents: IMPORTE,
  moneda: 'EUR',
  paid: true,
  ...fields,
});
const receive = (fields: Partial<PaymentNotice>, proveedor = 'stripe') => receiveNotice(world.db, proveedor, notice(fields));

describe('a payment', () => {
  const why = (words: string) => [
    expect.stringMatching(new RegExp(`: el pedido TEST-\\d+ \\(Cliente \\d+\\) ${words} y hay que reembolsar el dinero$`)),
  ];
  const review = (words: string) => [`Pago por revisar: un pago recibido por Stripe ${words}`];
  it.each<[string, Fields, Partial<PaymentNotice>, string, string | undefined, unknown[]]>([
    ['of what is due', {}, {}, 'pagado', 'pagado', []],
    ['of a cent less', {}, { importe_cents: IMPORTE - 1 }, 'importe', undefined, review('no es del importe que se debe')],
    ['without an amount', {}, { importe_cents: null }, 'importe', undefined, review('no es del importe que se debe')],
    ['in dollars', {}, { moneda: 'USD' }, 'moneda', undefined, review('no es en euros')],
    ['of a cancelled order', { estado: 'cancelado' }, {}, 'tardio', 'tardio', why('está cancelado')],
    ['of a deleted order', { deleted_at: AT }, {}, 'tardio', 'tardio', why('está eliminado')],
    ['of a cancelled and deleted order', { deleted_at: AT, estado: 'cancelado' }, {}, 'tardio', 'tardio', why('está eliminado')],
    ['that is declined', {}, { paid: false }, 'rechazado', undefined, []],
    [
      'of no order',
      {},
      { pedido: '00000000-0000-4000-8000-000000000000' },
      'desconocido',
      undefined,
      review('no es de ningún pedido conocido'),
    ],
  ])('%s', async (_, fields, fieldsOfNotice, result, estado, texts) => {
    await withMail();
    const { id } = await order(fields);
    await receive({ pedido: id, ...fieldsOfNotice });
    expect([await results(), (await pagos()).map(([, , estado]) => estado)]).toEqual([[result], estado ? [estado] : []]);
    expect(await notices()).toEqual(texts);
    if (result !== 'pagado') expect(await mails()).toBe(texts.length);
  });

  it('of an order that is paid is told as a duplicate', async () => {
    const { id } = await order({ estado: 'pendiente' });
    await pago(id, { externo_id: 'cs_0' });
    await receive({ pedido: id });
    expect(await results()).toEqual(['duplicado']);
    expect(await notices()).toEqual(why('ya estaba pagado'));
    const { accion, nota } = await world.db
      .selectFrom('pedidos_historial')
      .select(['accion', 'nota'])
      .where('pedido_id', '=', id)
      .executeTakeFirstOrThrow();
    expect([accion, nota]).toEqual(['Pago duplicado', 'cs_1']);
  });

  it.each(['pagado', 'devuelto', 'tardio', 'duplicado', 'devolucion_pendiente'])('known as %s is only repeated', async (estado) => {
    const { id } = await order();
    await pago(id, { estado });
    await receive({ pedido: id });
    expect([await results(), await pagos()]).toEqual([['repetido'], [['stripe', 'cs_1', estado, 0]]]);
  });

  it.each(['iniciado', 'rechazado', 'anulado'])('known as %s pays', async (estado) => {
    const { id } = await order();
    await pago(id, { estado });
    await receive({ pedido: id });
    expect([await results(), await pagos()]).toEqual([['pagado'], [['stripe', 'cs_1', 'pagado', 0]]]);
  });

  it('that names no order is of the order for which this provider has begun it', async () => {
    const { id } = await order();
    await pago(id, { estado: 'iniciado' });
    await receive({}, 'redsys');
    await receive({ externo_id: 'cs_2' });
    expect(await results()).toEqual(['desconocido', 'desconocido']);
    await receive({ paid: false });
    expect(await pagos()).toEqual([['stripe', 'cs_1', 'rechazado', 0]]);
    await receive({ intento: 'pi_1' });
    expect(await pagos()).toEqual([['stripe', 'cs_1', 'pagado', 0]]);
    expect(await world.db.selectFrom('pagos').select('intento').execute()).toEqual([{ intento: 'pi_1' }]);
  });

  it('is told once, however many messages come of it, and each other by itself', async () => {
    const { id } = await order();
    const wrong = { pedido: id, importe_cents: 1 };
    const first = notice(wrong);
    for (let i = 0; i < 2; i += 1) await receiveNotice(world.db, 'stripe', first);
    await receive(wrong);
    await receive({ ...wrong, moneda: 'USD' });
    await receive({ ...wrong, externo_id: 'cs_2' });
    await receive(wrong, 'redsys');
    expect(await results()).toEqual(['importe', 'repetido', 'repetido', 'importe', 'importe']);
    expect(await notices()).toHaveLength(3);
  });
});

describe('money that goes back', () => {
  const back = (fields: Partial<Back> = {}): Back => ({
    evento_id: `back_${String(++serial).padStart(4, '0')}`,
    back: 'reembolso',
    externo_id: 'cs_1',
    importe_cents: 500,
    total: false,
    moneda: 'EUR',
    ...fields,
  });
  const send = (fields: Partial<Back> = {}, gateway: Pick<Gateway, 'find'> = {}, proveedor = 'stripe') =>
    receiveBack(world.db, proveedor, gateway, back(fields));
  const outcome = async () =>
    (
      await world.db
        .selectFrom('payment_events')
        .select(['resultado', 'anotado_cents'])
        .orderBy('received_at')
        .orderBy('evento_id')
        .execute()
    ).map(({ resultado, anotado_cents }) => [resultado, anotado_cents]);

  it.each<[string, string, Partial<Back>, unknown[], number]>([
    ['a part', 'pagado', {}, ['reembolso', 500], 500],
    ['more than was paid', 'pagado', { importe_cents: IMPORTE + 1 }, ['reembolso', IMPORTE], IMPORTE],
    ['dollars', 'pagado', { moneda: 'USD' }, ['reembolso', 0], 0],
    ['of a payment only begun', 'iniciado', {}, ['reembolso', 0], 0],
    ['of a declined payment', 'rechazado', {}, ['reembolso', 0], 0],
    ['of an annulled payment', 'anulado', {}, ['reembolso', 0], 0],
    ['of a late payment', 'tardio', {}, ['reembolsado', 500], 500],
    ['of a late payment, whole', 'tardio', { importe_cents: IMPORTE }, ['reembolsado', IMPORTE], 0],
    ['of a payment refunded already', 'devuelto', {}, ['coincide', 0], 0],
    ['a dispute', 'pagado', { back: 'disputa' }, ['disputa', 0], 0],
    ['a dispute that is lost', 'pagado', { back: 'disputa_perdida' }, ['disputa_perdida', 500], 500],
    ['a lost dispute of a refunded payment', 'devuelto', { back: 'disputa_perdida' }, ['disputa_perdida', 0], 0],
    ['a dispute that is won', 'pagado', { back: 'disputa_ganada' }, ['disputa_ganada', 0], 0],
  ])('%s of a payment %s', async (_, estado, fields, wanted, devuelto) => {
    const { id } = await order({ estado: 'pendiente' });
    await pago(id, { estado });
    await pago(id, { externo_id: 'cs_2', estado: 'tardio' });
    await pago(id, { proveedor: 'redsys', estado: 'tardio' });
    await send(fields);
    expect(await outcome()).toEqual([wanted]);
    expect((await pagos()).map((row) => row[3])).toEqual([devuelto, 0, 0]);
  });

  it('adds to what came before of the same payment, unless it is said in all', async () => {
    const { id } = await order({ estado: 'pendiente' });
    await pago(id);
    await pago(id, { externo_id: 'cs_2', estado: 'tardio' });
    await send();
    await send({ externo_id: 'cs_2', importe_cents: 100 });
    await send({ importe_cents: 200 });
    await send({ importe_cents: 800, total: true });
    await send({ importe_cents: 300, back: 'disputa_perdida' });
    await send({ importe_cents: 900, total: true });
    expect((await outcome()).map(([, cents]) => cents)).toEqual([500, 100, 200, 100, 300, 100]);
    expect((await pagos()).map((row) => row[3])).toEqual([1200, 100]);
  });

  it('is found by its intent, else asked for, and ignored if it is of no payment of ours', async () => {
    const { id } = await order({ estado: 'pendiente' });
    await pago(id, { intento: 'pi_1' });
    await pago(id, { externo_id: 'cs_2', estado: 'tardio' });
    const { externo_id: _, ...unnamed } = back();
    const asked: string[] = [];
    const find = async (intento: string) => {
      asked.push(intento);
      return intento === 'pi_2' ? 'cs_2' : undefined;
    };
    for (const [evento_id, intento] of [
      ['a', 'pi_1'],
      ['b', 'pi_2'],
      ['c', 'pi_3'],
    ] as const)
      await receiveBack(world.db, 'stripe', { find }, { ...unnamed, evento_id, intento });
    await receiveBack(world.db, 'stripe', {}, { ...unnamed, evento_id: 'd', intento: 'pi_3' });
    await receiveBack(world.db, 'stripe', { find }, { ...unnamed, evento_id: 'e' });
    expect(asked).toEqual(['pi_2', 'pi_3']);
    expect((await pagos()).map((row) => row[3])).toEqual([500, 500]);
    const named = await world.db.selectFrom('pagos').select('intento').orderBy('created_at').execute();
    expect(named.map(({ intento }) => intento)).toEqual(['pi_1', 'pi_2']);
  });

  it('of an unknown payment is told with its amount, and once', async () => {
    const once = back({ evento_id: 'z' });
    for (let i = 0; i < 2; i += 1) await receiveBack(world.db, 'stripe', {}, once);
    await send({ moneda: 'USD', importe_cents: 1234 });
    await send({ back: 'disputa_ganada' });
    expect(await notices()).toEqual([
      'Reembolso hecho en la pasarela: 5,00 € de un pedido que no se conoce, por Stripe. Mira qué hay que anotar.',
      'Reembolso hecho en la pasarela: 12.34 USD de un pedido que no se conoce, por Stripe. Mira qué hay que anotar.',
    ]);
  });

  it('closes the review of its own payment, if it is as much as was paid', async () => {
    const event = (fields: object) =>
      world.db
        .insertInto('payment_events')
        .values({
          proveedor: 'stripe',
          evento_id: `e${++serial}`,
          externo_id: 'cs_1',
          importe_cents: 500,
          moneda: 'EUR',
          resultado: 'importe',
          ...fields,
        })
        .execute();
    const open = async () =>
      (await listPorRevisar(world.db, { page: 1, per_page: 50 })).data.map(({ causa, referencia, importe }) => [
        causa,
        referencia,
        importe,
      ]);
    await event({});
    await event({ resolucion: 'devolver' });
    await event({ resultado: 'desconocido', externo_id: 'cs_2' });
    await event({ proveedor: 'redsys', resultado: 'moneda' });
    await event({ importe_cents: 501 });
    await event({ resolucion: 'visto' });
    await send();
    expect(await open()).toEqual([
      ['desconocido', 'cs_2', 5],
      ['moneda', 'cs_1', 5],
      ['importe', 'cs_1', 5.01],
    ]);
    expect((await outcome()).at(-1)).toEqual(['reembolsado', 0]);
  });
});

describe('a payment to review', () => {
  const event = async (fields: object) =>
    (
      await world.db
        .insertInto('payment_events')
        .values({
          proveedor: 'stripe',
          evento_id: `e${++serial}`,
          externo_id: 'cs_1',
          importe_cents: IMPORTE,
          moneda: 'EUR',
          resultado: 'importe',
          ...fields,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const actor = () => ({ id: admin.user.id, role: 'superadmin', full_name: 'Olga' }) as const;
  type Input = Parameters<typeof resolveReview>[3];
  const resolve = async (id: string, input: Partial<Input>) =>
    resolveReview(world.db, actor(), id, { resolucion: 'pagado', motivo: 'x', numero_orden: null, importe: null, ...input } as Input).then(
      () => 'done',
      ({ status, body }) => [status, ...Object.keys(body.errors ?? {})],
    );

  it('is listed with what is known of it', async () => {
    const { id } = await order();
    const named = await event({ pedido_id: id, motivo: 'm', anotado_cents: 7 });
    const unnamed = await event({ externo_id: null, importe_cents: null, moneda: null, resultado: 'desconocido' });
    await event({ resultado: 'pagado' });
    await event({ resolucion: 'devuelto' });
    const list = async (ids?: string[]) => (await listPorRevisar(world.db, { page: 1, per_page: 50, ...(ids && { ids }) })).data;
    expect(await list()).toMatchObject([
      { id: named, referencia: 'cs_1', importe: 43.21, anotado: 0.07, moneda: 'EUR', pedido: { id, pendiente: 43.21 }, motivo: 'm' },
      { id: unnamed, referencia: '', importe: null, anotado: 0, moneda: '', pedido: null, motivo: null },
    ]);
    expect((await list([unnamed])).map((row) => row.id)).toEqual([unnamed]);
    expect((await listPorRevisar(world.db, { page: 1, per_page: 50, ids: [unnamed] })).total).toBe(1);
  });

  it('is booked on the order that is named, else on its own, for the amount that is said, else its own in euros', async () => {
    const [own, other] = [await order(), await order()];
    expect(await resolve(await event({}), {})).toEqual([422, 'numero_orden']);
    expect(await resolve(await event({}), { numero_orden: 'NADA-1' })).toEqual([422, 'numero_orden']);
    for (const fields of [{ moneda: 'USD' }, { importe_cents: null }, { importe_cents: 0 }])
      expect(await resolve(await event({ pedido_id: own.id, ...fields }), {})).toEqual([422, 'importe']);
    expect(await resolve(await event({ pedido_id: own.id, externo_id: 'a' }), { importe: 1 })).toBe('done');
    expect(await resolve(await event({ pedido_id: own.id, externo_id: 'b' }), { numero_orden: other.numero_orden.toLowerCase() })).toBe(
      'done',
    );
    expect(await resolve(await event({ pedido_id: own.id, externo_id: null, moneda: 'USD' }), { importe: 2 })).toBe('done');
    const booked = await world.db
      .selectFrom('pagos')
      .select(['pedido_id', 'externo_id', 'referencia', 'importe_cents'])
      .orderBy('created_at')
      .execute();
    expect(booked).toEqual([
      { pedido_id: own.id, externo_id: 'a', referencia: 'a', importe_cents: 100 },
      { pedido_id: other.id, externo_id: 'b', referencia: 'b', importe_cents: IMPORTE },
      { pedido_id: own.id, externo_id: null, referencia: '', importe_cents: 200 },
    ]);
  });

  it('keeps the name of a payment begun for its order, and of no other', async () => {
    const [own, other] = [await order(), await order()];
    await pago(own.id, { estado: 'iniciado' });
    await pago(other.id, { externo_id: 'cs_2', estado: 'iniciado' });
    await pago(other.id, { proveedor: 'redsys', estado: 'iniciado' });
    expect(await resolve(await event({ pedido_id: own.id }), { importe: 1 })).toBe('done');
    expect(await resolve(await event({ pedido_id: own.id, externo_id: 'cs_2' }), { importe: 1 })).toBe('done');
    expect(await pagos()).toEqual([
      ['stripe', 'cs_1', 'pagado', 0],
      ['stripe', 'cs_2', 'iniciado', 0],
      ['redsys', 'cs_1', 'iniciado', 0],
      ['stripe', null, 'pagado', 0],
    ]);
  });

  it('is decided once, or until its refund is made; money that went back is only seen', async () => {
    const id = await event({});
    const other = await event({});
    expect(await resolve(id, { resolucion: 'devolver' })).toBe('done');
    expect(await resolve(id, { resolucion: 'devuelto' })).toBe('done');
    expect(await resolve(id, { resolucion: 'visto' })).toEqual([409]);
    expect(await resolve('00000000-0000-4000-8000-000000000001', { resolucion: 'visto' })).toEqual([404]);
    expect(await resolve(await event({ resultado: 'pagado' }), { resolucion: 'visto' })).toEqual([404]);
    const refund = await event({ resultado: 'reembolso' });
    expect(await resolve(refund, { resolucion: 'devuelto' })).toEqual([422, 'resolucion']);
    expect(await resolve(refund, { resolucion: 'visto' })).toBe('done');
    expect((await listPorRevisar(world.db, { page: 1, per_page: 50 })).data.map((row) => row.id)).toEqual([other]);
  });
});

describe('payments whose page has expired', () => {
  it('are asked about where the provider answers and the order still waits, the latest first; a failure leaves the others', async () => {
    const waiting = await order();
    const past = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const begun = (externo_id: string | null, fields: object = {}) =>
      pago(waiting.id, { externo_id, estado: 'iniciado', vence_at: past(1), ...fields });
    await begun('ended', { vence_at: past(5) });
    await begun('fails', { vence_at: past(3) });
    await begun('open', { vence_at: past(2) });
    await begun(null);
    await begun('later', { vence_at: past(-5) });
    await begun('declined', { estado: 'rechazado' });
    await begun('mute', { proveedor: 'redsys' });
    await pago((await order({ estado: 'pendiente' })).id, { externo_id: 'done', estado: 'iniciado', vence_at: past(1) });
    const asked: string[] = [];
    const ask: NonNullable<Gateway['ask']> = async (externo_id) => {
      asked.push(externo_id);
      if (externo_id === 'fails') throw new Error('away');
      return externo_id === 'ended' ? 'ended' : 'open';
    };
    await expect(
      askEnded(
        world.db,
        new Map([
          ['stripe', { ask }],
          ['redsys', {}],
        ]) as never,
      ),
    ).rejects.toMatchObject({ errors: [{ message: 'away' }] });
    expect(asked).toEqual(['open', 'fails', 'ended']);
    const estados = Object.fromEntries((await pagos()).map(([, externo_id, estado]) => [externo_id, estado]));
    expect(estados).toMatchObject({
      ended: 'rechazado',
      open: 'iniciado',
      fails: 'iniciado',
      later: 'iniciado',
      mute: 'iniciado',
      done: 'iniciado',
    });
    asked.length = 0;
    await askEnded(world.db, new Map());
    expect(asked).toEqual([]);
  });

  it('are booked if they were paid after all', async () => {
    const { id } = await order();
    await pago(id, { estado: 'iniciado', vence_at: AT });
    const ask = async () => notice({ pedido: id });
    await askEnded(world.db, new Map([['stripe', { ask }]]));
    expect([await results(), await pagos()]).toEqual([['pagado'], [['stripe', 'cs_1', 'pagado', 0]]]);
  });
});
