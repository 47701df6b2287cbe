import type { createDevolucion } from '../contract/devoluciones/devoluciones.ts';
import type { BodyOut } from '../contract/kit/endpoint.ts';
import type { Person } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { registerReturn } from '../server/devoluciones/devoluciones.ts';

type Given = Omit<BodyOut<typeof createDevolucion>, 'lineas' | 'version'> & { destino: 'stock' | 'baja' };
const RETURNS: readonly Given[] = [
  { destino: 'stock', motivo: 'desistimiento', nota: 'Sin abrir', reembolso: 9.5, referencia: 'Transferencia 118420' },
  { destino: 'baja', motivo: 'danado', nota: 'Una botella rota en el transporte', reembolso: null, referencia: null },
  { destino: 'stock', motivo: 'equivocado', nota: null, reembolso: null, referencia: null },
];

export async function addReturns(tx: Tx): Promise<void> {
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('estado', '=', 'completado')
    .where('pack_id', 'is not', null)
    .where('pagado_cents', '>', 1000)
    .orderBy('fecha_completado', 'desc')
    .limit(RETURNS.length)
    .execute();
  const office = await tx.selectFrom('users').select(['id', 'full_name']).where('role', '=', 'superadmin').executeTakeFirstOrThrow();
  const actor: Person = { ...office, role: 'superadmin' };
  for (const [i, { id }] of orders.entries()) {
    const { destino, ...given } = RETURNS[i] as Given;
    await registerReturn(tx, actor, id, { ...given, lineas: [{ numero: 1, cantidad: 1, destino }] });
  }
}
