import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listFailures } from '../../contract/failures/failures.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { listUndelivered, resendGivenUp } from '../../contract/outbox/outbox.ts';
import { freePort } from '../../test/free-port.ts';
import { openLetterbox } from '../../test/letterbox.ts';
import { until } from '../../test/until.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { allJobs } from '../features.ts';
import { emitJob, JOBS_CHANNEL } from '../jobs/wake.ts';
import { queueMessages } from './outbox.ts';
import { runDelivery } from './undelivered.ts';

let world: World;
let admin: Person;
let port: number;
beforeAll(async () => {
  world = await createWorld({ LOG_LEVEL: 'warn' });
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  world.logged.length = 0;
  admin = await world.as('superadmin');
  port = await freePort();
  await sendThrough(port);
});

const sendThrough = (smtpPort: number) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', smtpPort }) as never })
    .execute();
const mail = (recipient = 'rita@tienda.es') =>
  transact(world.db, (tx) =>
    queueMessages(tx, 'correo', [{ recipient, payload: { asunto: 'Pedido pagado', texto: 'Hola', html: '<p>Hola</p>' } }]),
  );
/** Runs the mail job like its runner, with all messages due. */
async function run(times = 1) {
  const job = allJobs(world.process).find(({ name }) => name === 'correo');
  for (let i = 0; i < times; i += 1) {
    await world.db.updateTable('outbox').set({ due_at: '2020-01-01T00:00:00.000Z' }).where('sent_at', 'is', null).execute();
    await job?.run();
  }
}
const messages = async () => (await admin.call(listUndelivered)).body;
const failures = async () => (await admin.call(listFailures)).body.data;

it('a dead mail server is reported in bell, log and /readyz, with host and reason', async () => {
  await mail();
  await mail('ana@tienda.es');
  await run(2);
  expect(await failures()).toEqual([]);
  await run();
  expect(await messages()).toMatchObject({
    esperando: [{ canal: 'correo', servidor: `127.0.0.1:${port}`, motivo: 'No acepta la conexión', mensajes: 2, intentos: 3 }],
    perdidos: [],
  });
  await run(2);
  expect(await failures()).toMatchObject([
    {
      name: 'correo',
      motivo: `127.0.0.1:${port}: No acepta la conexión (2 mensajes)`,
      veces: 5,
      consejo: expect.stringContaining('Probar'),
    },
  ]);
  expect((await admin.call(listNotifications)).body.data.map(({ tipo }) => tipo)).toEqual(['tarea_fallida']);
  expect(world.logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, job: 'correo', host: `127.0.0.1:${port}`, waiting: 2 },
    { level: 40 },
    { level: 40 },
  ]);
  expect(JSON.parse((await world.nobody().request('GET', '/readyz')).text)).toEqual({ ok: true, failing: ['correo'] });
});

it('a recovered server ends the failure and gets the waiting mail', async () => {
  await mail();
  await run(3);
  expect(await failures()).toHaveLength(1);
  const box = await openLetterbox();
  await sendThrough(box.port);
  await run();
  expect([await failures(), box.letters.length]).toEqual([[], 1]);
  await box.close();
});

it('a given-up message is listed, and can be sent again once, with the same Message-ID', async () => {
  await mail();
  await run(40);
  const { esperando, perdidos } = await messages();
  expect([esperando, perdidos]).toMatchObject([
    [],
    [{ canal: 'correo', para: 'rita@tienda.es', asunto: 'Pedido pagado', motivo: 'No acepta la conexión' }],
  ]);
  const ids = perdidos.map(({ id }) => id);
  expect((await admin.call(resendGivenUp, { body: { ids } })).body).toMatchObject({ reenviados: 1 });
  expect((await messages()).perdidos).toEqual([]);
  expect((await admin.call(resendGivenUp, { body: { ids } })).status).toBe(409);
  const box = await openLetterbox();
  await sendThrough(box.port);
  await run();
  expect(box.letters.map(({ to, messageId }) => [to, messageId])).toEqual([['rita@tienda.es', `<${ids[0]}@almazara.es>`]]);
  await box.close();
});

it('a failed message wakes its job when its retry is due, and not again and again while the job leaves it', async () => {
  const woken: string[] = [];
  const stop = await world.open.listen(
    JOBS_CHANNEL,
    (name) => void woken.push(name),
    () => {},
  );
  // Wakes leave after their commit, in order: behind this one, none of the tests before is still on its way.
  await transact(world.db, async (tx) => emitJob(tx, 'cuadre'));
  await until(
    () => woken.includes('cuadre'),
    () => 'the wakes of earlier tests have not arrived',
  );
  woken.length = 0;
  const put = (channel: 'correo' | 'push' | 'webhook', due: string) =>
    world.db
      .insertInto('outbox')
      .values({ channel, recipient: 'x', payload: '{}', attempts: 1, error: 'x', due_at: sql`now() + ${due}::interval` })
      .execute();
  await put('push', '-1 second');
  await put('correo', '2 minutes');
  await put('webhook', '500 milliseconds');
  for (const channel of ['push', 'correo', 'webhook'] as const) await runDelivery(world.db, channel, async () => {});
  await until(
    () => woken.length > 0,
    () => 'nothing was woken',
  );
  expect(woken).toEqual(['webhook']);
  await stop();
});
