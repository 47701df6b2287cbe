import { createServer } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { avisarTransferencia } from '../../contract/pagar/pagar.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { balance } from '../../test/ledger.ts';
import { type Letterbox, openLetterbox } from '../../test/letterbox.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { cleanFeatures } from '../features.ts';
import { sendDueMails } from '../mail/mail.feature.ts';
import { tendUnpaid } from '../pedidos/pasos/unpaid.job.ts';
import { startJobs } from './runner.ts';
import { emitJob } from './wake.ts';

let world: World;
let box: Letterbox;
let reseller: Person;
let admin: Person;
beforeAll(async () => {
  [world, box] = [await createWorld({ PUBLIC_URL: 'http://tienda.es' }), await openLetterbox()];
  return async () => {
    await world.close();
    await box.close();
  };
});
beforeEach(async () => {
  await world.reset();
  box.letters.length = 0;
  [reseller, admin] = [await world.as('revendedor'), await world.as('superadmin')];
  await set({ companyName: 'Almazara', companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort: box.port });
});

const IBAN = 'ES91 2100 0418 4502 0005 1332';
const set = (data: object) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(data) as never })
    .execute();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const run = () => sendDueMails(world.db, world.config);

describe('notification mail', () => {
  it('notification mail informs the reseller of each step of an order, with a link and without amounts', async () => {
    const carrier = await world.as('transportista');
    const pedido = await world.pedido({
      estado: 'pendiente_pago',
      revendedor_id: reseller.user.id,
      cliente_nombre: 'Íñigo & Cía',
      precio_total_cents: 98765,
    });
    await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'pendiente', referencia: 'TRF' } });
    await carrier.call(autoAsignar, { params: { id: pedido.id } });
    await carrier.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'en_ruta' } });
    await carrier.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'asignado', motivo: 'No había nadie' } });
    await carrier.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
    await run();
    const mine = box.letters.filter((letter) => letter.to === reseller.user.email);
    expect(mine.map((letter) => letter.subject.split(':')[0])).toEqual([
      'Pedido pagado',
      expect.stringContaining('lleva el pedido'),
      expect.stringContaining('Intento de entrega fallido'),
      'Pedido entregado',
    ]);
    expect(mine[0]?.body).toContain('http://tienda.es/mis-pedidos?search=');
    expect(mine[0]?.body).toContain('&#38; C');
    for (const letter of box.letters) expect(letter.body).not.toMatch(/987[.,]65|98765/);
    const { body } = await reseller.call(listNotifications);
    expect([body.unread, body.data.length]).toEqual([4, 4]);
  });

  it('notification mail waits while the mail server is down, and is sent once when the server is back', async () => {
    await set({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort: await closedPort() });
    const pack = await world.pack();
    const { status } = await reseller.call(pedidos.createPedido, {
      body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id },
    });
    expect(status).toBe(201);
    await run();
    const waiting = await world.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
    expect([waiting.sent_at, waiting.attempts]).toEqual([null, 1]);
    expect(waiting.error).toBe('No acepta la conexión');
    await set({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort: box.port });
    await world.db
      .updateTable('outbox')
      .set({ due_at: hoursAgo(0) })
      .execute();
    await Promise.all([run(), run()]);
    expect(box.letters.map((letter) => letter.to)).toEqual([admin.user.email]);
  });

  it('notification mail is sent again with the same Message-ID after a crash', async () => {
    const pack = await world.pack();
    await reseller.call(pedidos.createPedido, { body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id } });
    await run();
    // Simulates a crash between sending and marking as sent: the lease has expired, without a mark.
    await world.db
      .updateTable('outbox')
      .set({ sent_at: null, due_at: hoursAgo(1) })
      .execute();
    await run();
    expect(box.letters).toHaveLength(2);
    expect(new Set(box.letters.map((letter) => letter.messageId)).size).toBe(1);
  });

  it('notification mail is combined into one digest if the settings say so', async () => {
    await set({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort: box.port, notificationFrequency: 'daily' });
    const pack = await world.pack();
    for (const cliente_nombre of ['Ana', 'Luis'])
      await reseller.call(pedidos.createPedido, { body: { cliente_nombre, cliente_direccion: 'Calle 1', pack_id: pack.id } });
    await run();
    expect(box.letters).toEqual([]);
    await world.db
      .updateTable('outbox')
      .set({ due_at: hoursAgo(1) })
      .execute();
    await run();
    expect(box.letters.map((letter) => letter.subject)).toEqual(['Resumen: 2 avisos']);

    // After a crash before marking, the digest with a newer message has the same Message-ID.
    await reseller.call(pedidos.createPedido, { body: { cliente_nombre: 'Eva', cliente_direccion: 'Calle 1', pack_id: pack.id } });
    for (const { id } of await world.db.selectFrom('outbox').select('id').orderBy('created_at', 'desc').execute())
      await world.db
        .updateTable('outbox')
        .set({ due_at: hoursAgo(1), sent_at: null })
        .where('id', '=', id)
        .execute();
    await run();
    expect(box.letters.map((letter) => letter.subject)).toEqual(['Resumen: 2 avisos', 'Resumen: 3 avisos']);
    expect(new Set(box.letters.map((letter) => letter.messageId)).size).toBe(1);
    expect([...(box.letters[1]?.body ?? '').matchAll(/Ana|Luis|Eva/g)].map(String).slice(0, 3)).toEqual(['Ana', 'Luis', 'Eva']);
  });

  it('notification mail is not queued while notifications are off', async () => {
    await set({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort: box.port, emailNotifications: false });
    const pack = await world.pack();
    await reseller.call(pedidos.createPedido, { body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id } });
    expect(await world.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
  });
});

describe('unpaid orders', () => {
  it('unpaid orders cause one reminder after a day, and are cancelled after three days', async () => {
    const pack = await world.pack();
    const aged = (hours: number) =>
      world.pedido({ estado: 'pendiente_pago', revendedor_id: reseller.user.id, pack, created_at: hoursAgo(hours) });
    const [fresh, dayOld, threeDays] = [await aged(23), await aged(25), await aged(73)];
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 1, cancelled: 1 });
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 0 });
    const estados = await world.db.selectFrom('pedidos').select(['id', 'estado']).execute();
    expect(Object.fromEntries(estados.map((p) => [p.id, p.estado]))).toEqual({
      [fresh.id]: 'pendiente_pago',
      [dayOld.id]: 'pendiente_pago',
      [threeDays.id]: 'cancelado',
    });
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 996, ledger: 996 });
    const { body } = await reseller.call(listNotifications);
    expect(body.data.map((n) => n.tipo).sort()).toEqual(['pago_recordado', 'pedido_cancelado']);
  });

  it('unpaid orders are all processed even if one fails, and the failure is reported at the end', async () => {
    const aged = (cliente_nombre: string) =>
      world.pedido({ estado: 'pendiente_pago', revendedor_id: reseller.user.id, cliente_nombre, created_at: hoursAgo(100) });
    const [stuck, other] = [await aged('Imposible'), await aged('Posible')];
    await sql`ALTER TABLE pedidos ADD CONSTRAINT imposible CHECK (cliente_nombre <> 'Imposible' OR estado <> 'cancelado')`.execute(
      world.db,
    );
    try {
      await expect(tendUnpaid(world.db)).rejects.toThrow(stuck.id);
    } finally {
      await sql`ALTER TABLE pedidos DROP CONSTRAINT imposible`.execute(world.db);
    }
    const estado = async ({ id }: { id: string }) =>
      (await world.db.selectFrom('pedidos').select('estado').where('id', '=', id).executeTakeFirstOrThrow()).estado;
    expect([await estado(stuck), await estado(other)]).toEqual(['pendiente_pago', 'cancelado']);
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 1 });
  });

  it('unpaid orders with a reported transfer are neither cancelled nor cause reminders', async () => {
    const pack = await world.pack();
    await set({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort: box.port, companyIban: IBAN });
    const pedido = await world.pedido({ estado: 'pendiente_pago', revendedor_id: reseller.user.id, pack, created_at: hoursAgo(71) });
    const params = { token: pedido.pago_token ?? '' };
    for (let i = 0; i < 2; i += 1) expect((await world.nobody().call(avisarTransferencia, { params })).status).toBe(200);
    await world.db
      .updateTable('pedidos')
      .set({ created_at: hoursAgo(500) })
      .execute();
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 0 });
    await run();
    expect(box.letters.map(({ to, subject }) => [to, subject.split(':')[0]])).toEqual([[admin.user.email, 'Transferencia avisada']]);
    expect((await admin.call(atencionStats)).body.data.transferencias).toBe(1);
    const { body } = await admin.call(pedidos.listPedidos, { query: { transferencia: 'si' } });
    expect(body.data.map(({ id }) => id)).toEqual([pedido.id]);

    // If the money never arrives, a superadmin can cancel the order, which returns its units.
    await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
    expect((await admin.call(atencionStats)).body.data.transferencias).toBe(0);
  });

  it('unpaid orders whose transfer does not arrive are cancelled, with a warning a day before', async () => {
    const pack = await world.pack();
    const order = (days: number) =>
      world.pedido({ estado: 'pendiente_pago', revendedor_id: reseller.user.id, pack, transferencia_avisada_at: hoursAgo(24 * days + 1) });
    const [, late] = [await order(5), await order(6)];
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 1, cancelled: 0 });
    const notices = async (who: Person) =>
      (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'transferencia_por_vencer');
    for (const who of [admin, reseller])
      expect(await notices(who)).toMatchObject([
        { texto: `La transferencia del pedido ${late.numero_orden} (${late.cliente_nombre}) no ha llegado: mañana se cancelará` },
      ]);
    // Orders are not cancelled within a day of the warning, even if the server was stopped for weeks.
    await world.db
      .updateTable('pedidos')
      .set({ transferencia_avisada_at: hoursAgo(24 * 30) })
      .where('id', '=', late.id)
      .execute();
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 0 });
    await world.db
      .updateTable('pedidos')
      .set({ transferencia_recordada_at: hoursAgo(25) })
      .where('id', '=', late.id)
      .execute();
    await set({ transferExpiryDays: 0 });
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 0 });
    await set({ transferExpiryDays: 7 });
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 1 });
    const [step] = (await admin.call(pedidos.getHistorial, { params: { id: late.id } })).body.data;
    expect(step?.nota).toBe('La transferencia avisada no ha llegado en 7 días');
  });

  it('unpaid orders are ignored if the settings are 0, and cancelled once by two concurrent runs', async () => {
    const pack = await world.pack();
    await set({ unpaidReminderHours: 0, unpaidExpiryHours: 0 });
    await world.pedido({ estado: 'pendiente_pago', pack, created_at: hoursAgo(500) });
    expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 0 });
    await set({ unpaidReminderHours: 0 });
    const runs = await Promise.all([tendUnpaid(world.db), tendUnpaid(world.db)]);
    expect(runs[0].cancelled + runs[1].cancelled).toBe(1);
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
  });
});

describe('the job runner', () => {
  it('the job runner runs a job when woken, and retries a failed run', async () => {
    let runs = 0;
    const stop = await startJobs(
      world.open,
      [
        {
          name: 'limpieza',
          cron: '0 0 1 1 *',
          run: async () => {
            runs += 1;
            if (runs === 1) fail();
          },
        },
      ],
      world.process.log,
      { look: 1, poll: 1, retry: 1 },
    );
    await transact(world.db, async (tx) => emitJob(tx, 'limpieza'));
    await expect.poll(() => runs, { interval: 100 }).toBeGreaterThan(1);
    await stop();
  });
});

it('the clean-up deletes only expired rows', async () => {
  await world.db
    .insertInto('login_attempts')
    .values({ key: 'viejo', failures: 1, blocked_until: null, last_at: hoursAgo(72) })
    .execute();
  const mail = { channel: 'correo' as const, recipient: 'a@b.es', payload: '{}' };
  await world.db
    .insertInto('outbox')
    .values([
      { ...mail, failed_at: hoursAgo(24 * 31) },
      { ...mail, sent_at: hoursAgo(24 * 31) },
      { ...mail, recipient: 'hoy@b.es', sent_at: hoursAgo(1) },
      { ...mail, recipient: 'espera@b.es', created_at: hoursAgo(24 * 31) },
    ])
    .execute();
  const old = await world.as(await world.user({ role: 'revendedor' }));
  await world.db
    .updateTable('sessions')
    .set({ created_at: hoursAgo(13) })
    .where('user_id', '=', old.user.id)
    .execute();
  await cleanFeatures(world.db);
  expect(await world.db.selectFrom('login_attempts').selectAll().execute()).toEqual([]);
  const mails = await world.db.selectFrom('outbox').select('recipient').orderBy('recipient').execute();
  expect(mails.map(({ recipient }) => recipient)).toEqual(['espera@b.es', 'hoy@b.es']);
  const left = await world.db.selectFrom('sessions').select('user_id').execute();
  expect(left.map((s) => s.user_id).sort()).toEqual([reseller.user.id, admin.user.id].sort());
});

function fail() {
  throw new Error('the first run fails');
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
