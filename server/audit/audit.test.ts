import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listAudit } from '../../contract/audit/audit.ts';
import { login } from '../../contract/session/session.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { audit, changedValues } from './audit.ts';

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

const HOUR = 3_600_000;
async function entry(description: string, hoursAgo: number, fields: { hidden?: boolean; actor_nombre?: string; type?: string } = {}) {
  const instant = new Date(Date.now() - hoursAgo * HOUR).toISOString();
  await world.db
    .insertInto('audit_logs')
    .values({
      description,
      created_at: instant,
      type: (fields.type ?? 'pedido') as 'pedido',
      action: 'update',
      entity_type: 'pedido',
      entity_id: 'x',
      actor_user_id: null,
      actor_role: 'superadmin',
      actor_nombre: fields.actor_nombre ?? 'Ana',
      ip: null,
      antes: null,
      despues: null,
      hidden_at: fields.hidden ? instant : null,
    })
    .execute();
}
const feed = async (limit?: number) => (await admin.call(listAudit, { query: { limit } })).body.data;

test('the feed of the log names action, subject, author and time, but no values', async () => {
  const actor = { id: admin.user.id, role: 'superadmin', full_name: 'Ana Ruiz', ip: '10.0.0.1' } as const;
  await transact(world.db, (tx) =>
    audit(tx, actor, {
      type: 'transportista',
      action: 'delete',
      entity_type: 'profile',
      entity_id: '7',
      description: 'Usuario eliminado: Luis',
      antes: { secreto: 1 },
    }),
  );
  const { status, body, text } = await admin.call(listAudit);
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      type: 'transportista',
      action: 'delete',
      description: 'Usuario eliminado: Luis',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      user: 'Ana Ruiz',
      meta: { entity_type: 'profile', entity_id: '7', actor_role: 'superadmin' },
    },
  ]);
  expect(text).not.toMatch(/secreto|10\.0\.0\.1/);
});

test('an entry of the log is rolled back with the transaction of its action', async () => {
  const work = transact(world.db, async (tx) => {
    await audit(
      tx,
      { id: null, role: 'sistema', full_name: 'Sistema' },
      { type: 'pedido', action: 'update', entity_type: 'pedido', description: 'Nunca' },
    );
    throw new Error('later');
  });
  await expect(work).rejects.toThrow('later');
  expect(await feed()).toEqual([]);
});

test('the feed of the log has the last 24 hours, newest first, without hidden entries', async () => {
  await entry('dos horas', 2);
  await entry('ahora', 0);
  await entry('oculta', 1, { hidden: true });
  await entry('casi un día', 23.9);
  await entry('más de un día', 24.1);
  expect((await feed()).map((e) => e.description)).toEqual(['ahora', 'dos horas', 'casi un día']);
});

test('the feed of the log has seven entries by default, or as many as the limit', async () => {
  for (let i = 0; i < 12; i += 1) await entry(`hace ${i}`, i / 10);
  expect(await feed()).toHaveLength(7);
  expect((await feed(3)).map((e) => e.description)).toEqual(['hace 0', 'hace 1', 'hace 2']);
  expect(await feed(100)).toHaveLength(12);
});

test('an entry falls back to the author Sistema and to the type configuracion', async () => {
  await entry('sin nombre', 1, { actor_nombre: '', type: 'factura' });
  expect(await feed()).toMatchObject([{ user: 'Sistema', type: 'configuracion' }]);
});

test('the feed of the log leaves out failed sign-ins of unknown names, which are often passwords', async () => {
  await world.nobody().call(login, { body: { email: admin.user.email, password: PASSWORD } });
  await world.nobody().call(login, { body: { email: 'nadie@enruta.test', password: PASSWORD } });
  await world.nobody().call(login, { body: { email: admin.user.email, password: 'otra' } });
  expect((await feed()).map((e) => [e.action, e.user])).toEqual([
    ['login_failed', 'Sistema'],
    ['login', admin.user.full_name],
  ]);
});

test.each(['0', '-1', '101', '1.5', 'siete', '1e9', ''])('the feed of the log refuses the limit «%s»', async (limit) => {
  const { status, body } = await admin.request('GET', `/api/audit-logs?limit=${limit}`);
  expect([status, body]).toEqual([
    422,
    { message: 'Límite no válido', errors: { limit: ['Límite no válido'] }, code: 'validation_failed' },
  ]);
});

test('the feed of the log refuses an unknown filter', async () => {
  expect((await admin.request('GET', '/api/audit-logs?usuario=1')).status).toBe(422);
});

test.each(['revendedor', 'transportista'] as const)('a %s cannot read the feed of the log', async (role) => {
  await entry('nada para otros', 1);
  const { status, body } = await (await world.as(role)).call(listAudit);
  const message = 'No tienes permisos para realizar esta acción';
  expect([status, body]).toEqual([403, { message, code: 'permission_missing', permission: 'audit:read' }]);
});

test('the log stores only the changed fields of a row', () => {
  const before = { name: 'a', stock: 1, description: null, other: true };
  expect(changedValues(before, { name: 'b', stock: 1, description: undefined })).toEqual({ antes: { name: 'a' }, despues: { name: 'b' } });
});
