import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listFailures } from '../../contract/failures/failures.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { listEvents } from '../../contract/webhooks/events.ts';
import { createWebhook } from '../../contract/webhooks/webhooks.ts';
import { createWorld, everyRole, type World } from '../../test/world.ts';
import { allJobs } from '../features.ts';
import { runWatchedJob } from './failures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const run = (work: () => Promise<unknown>) => runWatchedJob(world.db, { name: 'copias', cron: '', run: work }, world.process.log);
const fails = () => run(() => Promise.reject(Object.assign(new Error('Calle de Ana, 600 111 222'), { code: 'EACCES' })));

it('a failing job is shown to superadmins with advice until it succeeds, and notified once', async () => {
  const { superadmin, revendedor, transportista } = await everyRole(world);
  const shown = async () => (await superadmin.call(listFailures)).body.data;
  const waiting = async () => (await superadmin.call(atencionStats)).body.data.tareas;
  const bell = async (person = superadmin) => (await person.call(listNotifications)).body.data.map(({ tipo }) => tipo);
  await run(async () => {});
  expect([await shown(), await waiting()]).toEqual([[], 0]);

  for (let i = 0; i < 3; i += 1) await expect(fails()).rejects.toThrow('Calle de Ana');
  expect(await shown()).toMatchObject([
    { titulo: 'Hacer las copias de seguridad', veces: 3, motivo: 'EACCES', consejo: expect.stringContaining('BACKUP_DIR') },
  ]);
  expect(JSON.stringify(await shown())).not.toContain('Ana');
  expect(await waiting()).toBe(1);
  expect(await bell()).toEqual(['tarea_fallida']);
  for (const person of [revendedor, transportista]) {
    expect((await person.call(listFailures)).status).toBe(403);
    expect(await bell(person)).toEqual([]);
  }

  await run(async () => {});
  expect([await shown(), await waiting()]).toEqual([[], 0]);
  await expect(fails()).rejects.toThrow();
  expect(await bell()).toHaveLength(2);
});

it('a failing job is mailed once, without delay, to the technical addresses of the settings', async () => {
  const mails = () => world.db.selectFrom('outbox').select(['recipient', 'due_at']).where('channel', '=', 'correo').execute();
  const set = (values: object) => sql`UPDATE settings SET data = data || ${JSON.stringify(values)}::jsonb`.execute(world.db);
  await set({ emailNotifications: true, emailProvider: 'sendgrid', notificationFrequency: 'weekly' });
  await expect(fails()).rejects.toThrow();
  expect(await mails()).toEqual([]);
  await run(async () => {});
  await set({ technicalMail: 'ana@servidor.es, luis@servidor.es' });
  for (let i = 0; i < 2; i += 1) await expect(fails()).rejects.toThrow();
  const queued = await mails();
  expect(queued.map(({ recipient }) => recipient).sort()).toEqual(['ana@servidor.es', 'luis@servidor.es']);
  for (const { due_at } of queued) expect(Date.parse(due_at)).toBeLessThanOrEqual(Date.now() + 1000);
});

it('a failing job causes one webhook event, which API keys cannot read', async () => {
  const { superadmin } = await everyRole(world);
  const eventos = ['job.failing' as const];
  expect((await superadmin.call(createWebhook, { body: { url: 'https://avisos.test/enruta', eventos } })).status).toBe(201);
  for (let i = 0; i < 2; i += 1) await expect(fails()).rejects.toThrow();
  const events = await world.db.selectFrom('events').select(['tipo', 'content']).execute();
  const tarea = { nombre: 'copias', titulo: 'Hacer las copias de seguridad', motivo: 'EACCES' };
  expect(events).toEqual([{ tipo: 'job.failing', content: { tarea } }]);
  const program = await world.program(['evento:read']);
  for (const tipo of ['job.failing', 'backup.failed']) expect((await program.call(listEvents, { query: { tipo } })).status).toBe(403);
});

it('the jobs of the program are monitored', async () => {
  // Apart from the warning of little room, so that a disk on which nothing can be saved is a second warning.
  const disk = allJobs({ ...world.process, freeRoom: () => 0 }).find(({ name }) => name === 'disco-lleno');
  await expect(disk?.run()).rejects.toThrow();
  const { body } = await (await world.as('superadmin')).call(listFailures);
  expect(body.data).toMatchObject([{ name: 'disco-lleno', motivo: 'quedan 0 MB libres en el disco' }]);
});
