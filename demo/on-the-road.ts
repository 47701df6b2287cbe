import { sql } from 'kysely';
import type { Parte } from '../contract/devoluciones/fields.ts';
import type { TransitionInput } from '../contract/pedidos/flow.ts';
import type { Person } from '../contract/policy/policy.ts';
import { proponerRuta } from '../contract/ruta/orden.ts';
import type { Tx } from '../server/db/open.ts';
import { changePedido } from '../server/pedidos/historia/change.ts';
import { nextWorkingDays } from '../server/pedidos/lectura/promised.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { readLines } from '../server/pedidos/lineas/lineas.ts';
import { postponeToDay } from '../server/pedidos/pasos/incident.ts';
import { leaveOut } from '../server/pedidos/pasos/partes.ts';
import { applyTransition } from '../server/pedidos/pasos/transition.ts';
import { lugarDe } from '../server/ruta/lugar.ts';
import { printedPerson } from './people.ts';

/* What happens to the carriers of the demo. */

/** Adds the failed attempts of the histories. The demo's carrier gets an order that waits for an answer, and a postponed order. */
export async function addAttempts(tx: Tx): Promise<void> {
  await sql`WITH made AS (INSERT INTO intentos (pedido_id, transportista_id, transportista_nombre, motivo, llamado, created_at)
      SELECT pedido_id, actor_user_id, actor_nombre, nota, 'cliente', created_at FROM pedidos_historial WHERE accion = 'Intento fallido' RETURNING *)
    UPDATE pedidos p SET intento_at = i.at, intentos = i.n
    FROM (SELECT pedido_id, max(created_at) AS at, count(*) AS n FROM made GROUP BY pedido_id) i WHERE i.pedido_id = p.id`.execute(tx);
  const carrier = await printedPerson(tx, 'transportista');
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('transportista_id', '=', carrier.id)
    .where('estado', '=', 'en_ruta')
    .orderBy('fecha_pedido')
    .limit(2)
    .execute();
  const [waiting, later] = orders.map(({ id }) => id);
  if (waiting) {
    const { id: transportista_id, full_name: transportista_nombre } = carrier;
    const before = { pedido_id: waiting, transportista_id, transportista_nombre };
    await tx
      .insertInto('intentos')
      .values([
        { ...before, motivo: 'Ausente', llamado: 'nadie', created_at: sql`now() - interval '2 days'` },
        { ...before, motivo: 'Ausente: el vecino no sabe nada', llamado: 'cliente', created_at: sql`now() - interval '1 day'` },
      ])
      .execute();
    await tx.updateTable('pedidos').set({ intentos: 2 }).where('id', '=', waiting).execute();
    await applyTransition(tx, carrier, await lockPedido(tx, carrier, waiting), { name: 'fallar', motivo: 'Ausente', llamado: 'cliente' });
  }
  const [, dia] = await nextWorkingDays(tx, 2);
  if (later && dia)
    await postponeToDay(tx, carrier, await lockPedido(tx, carrier, later), { dia, nota: 'Por la tarde, a partir de las seis' });
}

/** Puts half of the orders of the demo's carrier into the vehicle. */
export async function addLabels(tx: Tx): Promise<void> {
  const carrier = await printedPerson(tx, 'transportista');
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('transportista_id', '=', carrier.id)
    .where('estado', 'in', ['asignado', 'en_proceso'])
    .where('incidencia_at', 'is', null)
    .orderBy('fecha_pedido')
    .execute();
  for (const { id } of orders.slice(0, Math.ceil(orders.length / 2))) {
    const row = await lockPedido(tx, carrier, id);
    await changePedido(tx, carrier, row, { cargado_at: new Date().toISOString() }, { accion: 'Cargado en el vehículo', action: 'update' });
  }
}

const FOR_TODAY = 4;

/** Promises some of the assigned orders for today, whatever the weekday, so that the day has work. */
export async function addToday(tx: Tx): Promise<void> {
  const office = await printedPerson(tx, 'superadmin');
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('estado', 'in', ['asignado', 'en_proceso'])
    .where('incidencia_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('fecha_estimada', '>', sql<string>`now()`)
    .orderBy('numero_orden')
    .limit(FOR_TODAY)
    .execute();
  const noon = sql<string>`(dia_negocio(now()) + interval '12 hours') AT TIME ZONE 'Europe/Madrid'`;
  const { rows } = await sql<{ noon: string }>`SELECT ${noon} AS noon`.execute(tx);
  const fecha_estimada = new Date(rows[0]?.noon ?? Date.now()).toISOString();
  for (const { id } of orders) {
    const row = await lockPedido(tx, office, id);
    await changePedido(tx, office, row, { fecha_estimada, fecha_estimada_fijada: true }, { accion: 'Pedido editado', action: 'update' });
  }
}

const VISITED = 2;

/** Adds the day's route of the demo's carrier, half done. */
export async function addRoute(tx: Tx): Promise<void> {
  const { id: transportista_id } = await printedPerson(tx, 'transportista');
  const carried = tx
    .selectFrom('pedidos')
    .select(['id', 'cliente_direccion', 'cliente_codigo_postal', 'cliente_ciudad', 'cliente_provincia', 'cliente_pais'])
    .where('transportista_id', '=', transportista_id)
    .where('deleted_at', 'is', null);
  const done = await carried.where('estado', '=', 'completado').orderBy('fecha_completado', 'desc').limit(VISITED).execute();
  const ahead = await carried.where('estado', 'in', ['asignado', 'en_proceso', 'en_ruta']).execute();
  const stops = ahead.map((row) => ({
    id: row.id,
    punto: lugarDe(row),
    codigo_postal: row.cliente_codigo_postal,
    direccion: row.cliente_direccion,
  }));
  const pedidos = [...done.map(({ id }) => id).reverse(), ...proponerRuta(stops, { primera: null, ultima: null })];
  await tx
    .insertInto('rutas')
    .values({
      transportista_id,
      dia: sql<string>`dia_negocio(now())`,
      pedidos,
      primera: null,
      ultima: null,
      ordenada_at: new Date().toISOString(),
    })
    .execute();
}

const MOTIVOS = ['danado', 'rechazado'] as const;

/** Makes two partial deliveries: one whose jar broke on the way, one with a refused box. */
export async function addParts(tx: Tx): Promise<void> {
  const orders = await tx
    .selectFrom('pedidos')
    .innerJoin('users as u', 'u.id', 'pedidos.transportista_id')
    .select(['pedidos.id', 'u.id as carrier', 'u.full_name'])
    .where('estado', 'in', ['asignado', 'en_proceso', 'en_ruta'])
    .where('pedidos.contra_reembolso', '=', false)
    .where('cantidad', '>', 1)
    .where('unidades_retenidas', '>', 0)
    .orderBy('pagado_cents', 'desc')
    .orderBy('fecha_pedido')
    .limit(MOTIVOS.length)
    .execute();
  for (const [i, { id, carrier, full_name }] of orders.entries()) {
    const actor: Person = { id: carrier, full_name, role: 'transportista' };
    const row = await lockPedido(tx, actor, id);
    const line = (await readLines(tx, id)).toSorted((a, b) => b.cantidad - a.cantidad)[0];
    if (!line) continue;
    const partes: Parte[] = [{ numero: line.numero, cantidad: 1, motivo: MOTIVOS[i] ?? 'falta' }];
    const parts = await leaveOut(tx, actor, row, partes);
    await applyTransition(tx, actor, row, { name: 'completar', metodo_entrega: 'manual' }, { parts });
  }
}

const CARRIERS = 3;

/** Puts at least three carriers on the road, one of them with two unsent deliveries on the phone. */
export async function addOnTheRoad(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string; full_name: string; en_ruta: number; pedido: string | null }>`
    SELECT u.id, u.full_name, count(*) FILTER (WHERE estado = 'en_ruta')::int AS en_ruta,
      min(p.id::text) FILTER (
        WHERE estado IN ('asignado', 'en_proceso') AND incidencia_at IS NULL AND p.id NOT IN (SELECT pedido_id FROM envios_pedidos)) AS pedido
    FROM users u JOIN pedidos p ON p.transportista_id = u.id AND p.deleted_at IS NULL
    WHERE u.is_active GROUP BY u.id ORDER BY en_ruta DESC, u.id`.execute(tx);
  const office = await printedPerson(tx, 'superadmin');
  const missing = CARRIERS - rows.filter(({ en_ruta }) => en_ruta > 0).length;
  const idle = rows.filter(({ en_ruta }) => en_ruta === 0).slice(0, Math.max(missing, 0));
  for (const { id, full_name, pedido } of idle) {
    const go = async (actor: Person, order: string, input: TransitionInput) =>
      applyTransition(tx, actor, await lockPedido(tx, actor, order), input);
    const order = pedido ?? (await firstPending(tx));
    if (!order) continue;
    if (!pedido) await go(office, order, { name: 'asignar', transportista_id: id, transportista_nombre: full_name });
    await go({ id, full_name, role: 'transportista' }, order, { name: 'salir' });
  }
  // Not the printed account, whose phone would correct the number with its first request.
  const printed = await printedPerson(tx, 'transportista');
  const other = rows.find(({ id }) => id !== printed.id);
  if (!other) return;
  await tx.insertInto('sin_enviar').values({ user_id: other.id, pedidos: 2, desde: sql`now() - interval '70 minutes'` }).execute();
}

/** Returns the oldest pending order outside the shipments of transport companies. */
async function firstPending(tx: Tx): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM pedidos WHERE estado = 'pendiente' AND deleted_at IS NULL
    AND id NOT IN (SELECT pedido_id FROM envios_pedidos) ORDER BY fecha_pedido LIMIT 1`.execute(tx);
  return rows[0]?.id;
}
