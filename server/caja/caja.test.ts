import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmarCaja, entregarCaja, listCajas, recibirCaja } from '../../contract/caja/caja.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anularPago } from '../../contract/payments/payments.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { deleteUser } from '../../contract/users/users.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

let world: World;
let admin: Person;
let carrier: Person;
let today: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, transportista: carrier } = await everyRole(world));
  today = (await sql<{ dia: string }>`SELECT dia_negocio(now())::text AS dia`.execute(world.db)).rows[0]?.dia ?? '';
});

async function collect(who = carrier, cobrado = 34.5, ocurrido?: string) {
  const pedido = await world.pedido({
    estado: 'en_ruta',
    contra_reembolso: true,
    precio_total_cents: cobrado * 100,
    transportista_id: who.user.id,
  });
  const body = {
    estado: 'completado',
    metodo_entrega: 'manual',
    cobrado,
    cobrado_metodo: 'efectivo',
    ...(ocurrido && { ocurrido }),
  } as const;
  expect((await who.call(setEstado, { params: { id: pedido.id }, body })).status).toBe(200);
  return pedido.id;
}
const list = async (who: Person) => (await who.call(listCajas)).body.data;
const handOver = (more: object = {}, who = carrier) =>
  who.call(entregarCaja, { body: { dia: today, contado: 44.5, motivo: null, ...more } });
const confirm = (id: string, more: object = {}, who = admin) =>
  who.call(confirmarCaja, { params: { id }, body: { recibido: 44.5, motivo: null, ...more } });
const both = async () => [await collect(), await collect(carrier, 10)];

describe('the cash of a carrier', () => {
  it('a carrier cannot be deleted until the office confirms their cash', async () => {
    await both();
    const leave = () => admin.call(deleteUser, { params: { id: carrier.user.id } });
    const refused = { status: 409, body: { message: expect.stringMatching(/tiene 44,50\s€ en efectivo: recíbelos en Caja/) } };
    expect(await leave()).toMatchObject(refused);
    const { body } = await handOver();
    expect(await leave()).toMatchObject(refused);
    await confirm(body.data.caja_id ?? '');
    expect((await leave()).status).toBe(200);
  });

  it('the cash of a carrier is open until handed over, and then waits for the office to confirm', async () => {
    await both();
    expect(await list(carrier)).toMatchObject([{ dia: today, estado: 'abierta', cobros: 2, esperado: 44.5, contado: null }]);
    const { status, body } = await handOver();
    expect([status, body.data]).toMatchObject([200, { estado: 'entregada', contado: 44.5, motivo: null }]);
    const [notice] = (await admin.call(listNotifications)).body.data;
    expect(notice).toMatchObject({ tipo: 'caja_entregada', enlace: '/caja' });
    const id = body.data.caja_id ?? '';
    expect((await confirm(id)).body.data).toMatchObject({ estado: 'confirmada', recibido: 44.5, confirmada_por: admin.user.full_name });
    expect(await list(admin)).toMatchObject([{ estado: 'confirmada' }]);
  });

  it('a difference in cash needs a reason at the hand-over and at the confirmation', async () => {
    await both();
    expect((await handOver({ contado: 40 })).status).toBe(422);
    const { body } = await handOver({ contado: 40, motivo: 'Di cambio de más' });
    const id = body.data.caja_id ?? '';
    expect((await confirm(id)).status).toBe(422);
    expect((await confirm(id, { recibido: 39, motivo: 'Falta un euro' })).body.data).toMatchObject({
      esperado: 44.5,
      contado: 40,
      motivo: 'Di cambio de más',
      recibido: 39,
      confirmada_motivo: 'Falta un euro',
    });
  });

  it('concurrent requests hand over and confirm cash only once', async () => {
    await both();
    const replies = await Promise.all([handOver(), handOver()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const id = (await list(carrier))[0]?.caja_id ?? '';
    const other = await world.as(await world.user({ role: 'superadmin' }));
    const confirmed = await Promise.all([confirm(id), confirm(id, {}, other)]);
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('cash collected after the hand-over is a round of its own, and the handed-over round cannot change', async () => {
    const [, second] = await both();
    await handOver();
    await collect(carrier, 7);
    const [before, after] = await list(carrier);
    expect([before, after]).toMatchObject([
      { dia: today, estado: 'entregada', esperado: 44.5 },
      { dia: today, ronda: 2, estado: 'abierta', esperado: 7 },
    ]);
    const { id } = await world.db
      .selectFrom('pagos')
      .select('id')
      .where('pedido_id', '=', second ?? '')
      .executeTakeFirstOrThrow();
    const annulled = await admin.call(anularPago, { params: { id }, body: { motivo: 'No era' } });
    expect([annulled.status, annulled.body.message]).toEqual([409, 'Este cobro ya está en una caja entregada']);
    // Triggers in the database refuse the change too.
    await expect(sql`UPDATE pagos SET importe_cents = 1 WHERE id = ${id}`.execute(world.db)).rejects.toThrow('handed over');
    await expect(sql`UPDATE cajas SET contado_cents = 1`.execute(world.db)).rejects.toThrow('does not change');
  });

  it('a carrier sees and hands over only their own cash, which only the office confirms', async () => {
    await both();
    const other = await world.as(await world.user({ role: 'transportista' }));
    await collect(other, 5);
    expect((await list(other)).map(({ esperado }) => esperado)).toEqual([5]);
    expect((await list(admin)).map(({ esperado }) => esperado).sort()).toEqual([44.5, 5].sort());
    const id = (await handOver()).body.data.caja_id ?? '';
    expect((await confirm(id, {}, carrier)).status).toBe(403);
    expect((await admin.call(entregarCaja, { body: { dia: today, contado: 5, motivo: null } })).status).toBe(403);
    expect((await handOver({ dia: '2026-01-05' })).body.message).toBe('No hay nada cobrado en efectivo ese día');
    expect((await list(other)).map(({ estado }) => estado)).toEqual(['abierta']);
  });

  it('a second and a third round of a day are handed over and confirmed in any order, each with its own sum', async () => {
    await both();
    const first = (await handOver()).body.data;
    await collect(carrier, 7);
    await collect(carrier, 3);
    const second = (await handOver({ contado: 10 })).body.data;
    await collect(carrier, 5);
    expect((await confirm(second.caja_id ?? '', { recibido: 10 })).body.data).toMatchObject({
      ronda: 2,
      esperado: 10,
      estado: 'confirmada',
    });
    expect(await list(admin)).toMatchObject([
      { ronda: 1, estado: 'entregada', esperado: 44.5 },
      { ronda: 3, estado: 'abierta', esperado: 5 },
      { ronda: 2, estado: 'confirmada', esperado: 10 },
    ]);
    expect((await confirm(first.caja_id ?? '')).status).toBe(200);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  });

  it('cash collected on an open day counts for that day, even after a later hand-over', async () => {
    const { rows } = await sql<{ dia: string }>`SELECT (${today}::date - 1)::text AS dia`.execute(world.db);
    await both();
    await handOver();
    const id = await collect(carrier, 5, new Date(Date.now() - 24 * 3_600_000).toISOString());
    expect(await world.db.selectFrom('pagos').select(['caja_dia', 'caja_ronda']).where('pedido_id', '=', id).execute()).toEqual([
      { caja_dia: rows[0]?.dia, caja_ronda: 1 },
    ]);
  });

  it('a payment annulled before the hand-over is no longer expected', async () => {
    const [, second] = await both();
    const { id } = await world.db
      .selectFrom('pagos')
      .select('id')
      .where('pedido_id', '=', second ?? '')
      .executeTakeFirstOrThrow();
    expect((await admin.call(anularPago, { params: { id }, body: { motivo: 'No era' } })).status).toBe(200);
    expect(await list(carrier)).toMatchObject([{ esperado: 34.5, cobros: 1 }]);
  });

  it('the office can receive cash without the carrier, once a round', async () => {
    await both();
    const receive = (more: object = {}, who = admin) =>
      who.call(recibirCaja, { body: { transportista_id: carrier.user.id, dia: today, recibido: 44.5, motivo: null, ...more } });
    expect((await receive({}, carrier)).status).toBe(403);
    expect((await receive({ recibido: 40 })).body.errors?.motivo?.[0]?.replaceAll('\u00a0', ' ')).toBe(
      'Se cobraron 44,50 €: indica el motivo',
    );
    expect((await receive({ dia: '2026-01-05' })).status).toBe(409);
    const replies = await Promise.all([receive(), handOver()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    await collect(carrier, 7);
    const open = (await list(admin)).find(({ estado }) => estado === 'abierta');
    expect([open?.esperado, (await receive({ recibido: 7 })).body.data?.ronda]).toEqual([7, 2]);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  });

  it('cash received by the office is confirmed at once, and the carrier is notified', async () => {
    await both();
    const body = { transportista_id: carrier.user.id, dia: today, recibido: 40, motivo: 'Faltan monedas' };
    const { data } = (await admin.call(recibirCaja, { body })).body;
    expect(data).toMatchObject({
      estado: 'confirmada',
      contado: 40,
      recibido: 40,
      motivo: 'Faltan monedas',
      confirmada_por: admin.user.full_name,
    });
    const [notices] = (await carrier.call(listNotifications)).body.data;
    expect(notices).toMatchObject({ tipo: 'caja_entregada', enlace: '/caja' });
    expect((await handOver()).status).toBe(409);
  });

  it('cash agrees with the nightly recount, whether handed over or open', async () => {
    await both();
    await handOver();
    await collect(carrier, 7);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  });
});
