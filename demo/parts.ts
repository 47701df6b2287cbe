import { sql } from 'kysely';
import type { Parte } from '../contract/devoluciones/partes.ts';
import type { Person } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { readLines } from '../server/pedidos/lineas/lineas.ts';
import { leaveOut } from '../server/pedidos/pasos/partes.ts';
import { applyTransition } from '../server/pedidos/pasos/transition.ts';

const MOTIVOS = ['danado', 'rechazado'] as const;

/** Switches on partial deliveries, with one delivery whose jar broke on the way and one with a refused box. */
export async function addParts(tx: Tx): Promise<void> {
  await tx.updateTable('settings').set({ data: sql`data || '{"partialDeliveries": true}'::jsonb` }).execute();
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
