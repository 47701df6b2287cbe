import { sql } from 'kysely';
import type { TransitionInput } from '../contract/pedidos/flow.ts';
import type { Person } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { applyTransition } from '../server/pedidos/pasos/transition.ts';
import { ACCOUNTS } from './people.ts';

const CARRIERS = 3;

/** Puts at least three carriers on the road, one of them with two unsent deliveries on the phone. */
export async function addOnTheRoad(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string; full_name: string; email: string; en_ruta: number; pedido: string | null }>`
    SELECT u.id, u.full_name, u.email, count(*) FILTER (WHERE estado = 'en_ruta')::int AS en_ruta,
      min(p.id::text) FILTER (
        WHERE estado IN ('asignado', 'en_proceso') AND incidencia_at IS NULL AND p.id NOT IN (SELECT pedido_id FROM envios_pedidos)) AS pedido
    FROM users u JOIN pedidos p ON p.transportista_id = u.id AND p.deleted_at IS NULL
    WHERE u.is_active GROUP BY u.id ORDER BY en_ruta DESC, u.id`.execute(tx);
  const office = await tx
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('role', '=', 'superadmin')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const missing = CARRIERS - rows.filter(({ en_ruta }) => en_ruta > 0).length;
  const idle = rows.filter(({ en_ruta }) => en_ruta === 0).slice(0, Math.max(missing, 0));
  for (const { id, full_name, pedido } of idle) {
    const go = async (actor: Person, order: string, input: TransitionInput) =>
      applyTransition(tx, actor, await lockPedido(tx, actor, order), input);
    const order = pedido ?? (await firstPending(tx));
    if (!order) continue;
    if (!pedido)
      await go({ ...office, role: 'superadmin' }, order, { name: 'asignar', transportista_id: id, transportista_nombre: full_name });
    await go({ id, full_name, role: 'transportista' }, order, { name: 'salir' });
  }
  // Not the printed account, whose phone would correct the number with its first request.
  const { email: printed } = ACCOUNTS.find(({ role }) => role === 'transportista') ?? {};
  const other = rows.find(({ email }) => email !== printed);
  if (!other) return;
  await tx.insertInto('sin_enviar').values({ user_id: other.id, pedidos: 2, desde: sql`now() - interval '70 minutes'` }).execute();
}

/** Returns the oldest pending order outside the shipments of transport companies. */
async function firstPending(tx: Tx): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM pedidos WHERE estado = 'pendiente' AND deleted_at IS NULL
    AND id NOT IN (SELECT pedido_id FROM envios_pedidos) ORDER BY fecha_pedido LIMIT 1`.execute(tx);
  return rows[0]?.id;
}
