import { CAMINO, PARCIAL } from '../contract/devoluciones/fields.ts';
import { anotarPago } from '../contract/payments/payments.ts';
import type { SituationId } from '../contract/pedidos/situations.ts';
import type { Role } from '../contract/policy/policy.ts';
import { dayInMadrid } from './day.ts';
import type { Person, World } from './world.ts';

/** Three days ago. */
export const EARLIER = new Date(Date.now() - 3 * 86_400_000).toISOString();
const CARRIED = ['asignado', 'en_proceso', 'en_ruta', 'completado'];

/** Makes an order of the carrier in a situation, of the batch `envio_id` if with a company; returns its id. */
export async function makeOrder(world: World, people: Record<Role, Person>, envio_id: string, id: SituationId): Promise<string> {
  const { estado = 'pendiente', ...fields } = {
    eliminado: { deleted_at: EARLIER, unidades_retenidas: 0 },
    rechazado: { estado: 'asignado', incidencia_at: EARLIER, intento_at: EARLIER, intentos: 1, motivo: 'Rechazado por el cliente' },
    espera_respuesta: { estado: 'asignado', incidencia_at: EARLIER, motivo: 'Ausente' },
    transferencia_avisada: { estado: 'pendiente_pago', transferencia_avisada_at: EARLIER },
    por_reembolsar: { estado: 'completado' },
    en_empresa: { en_empresa: 'Correos', en_empresa_at: EARLIER },
    recoge: { recoge_at: EARLIER },
    sin_pagar: { estado: 'pendiente_pago' },
    atrasado: { estado: 'asignado', fecha_estimada: EARLIER },
    sin_volver: { estado: 'en_ruta', salio_at: EARLIER },
    aplazado: { estado: 'asignado', aplazado_at: EARLIER },
    intento: { estado: 'asignado', intento_at: EARLIER, intentos: 1, motivo: 'Ausente' },
    cargado: { estado: 'en_proceso', cargado_at: EARLIER },
    por_asignar: {},
    asignado: { estado: 'asignado' },
    preparado: { estado: 'en_proceso' },
    en_reparto: { estado: 'en_ruta' },
    por_cobrar: { estado: 'completado' },
    mercancia: { estado: 'completado', entrega_parcial: true, mercancia_at: EARLIER },
    cobro_en_empresa: { estado: 'completado' },
    entregado_en_parte: { estado: 'completado', entrega_parcial: true },
    entregado: { estado: 'completado' },
    cancelado_fuera: { estado: 'cancelado', mercancia_at: EARLIER },
    cancelado: { estado: 'cancelado' },
  }[id] as { estado?: 'pendiente' };
  const transportista_id = CARRIED.includes(estado) ? people.transportista.user.id : undefined;
  const { id: pedido_id } = await world.pedido({
    estado,
    ...fields,
    revendedor_id: people.revendedor.user.id,
    ...(transportista_id && { transportista_id }),
  });
  if (['por_reembolsar', 'mercancia', 'entregado_en_parte', 'entregado'].includes(id))
    await people.superadmin.call(anotarPago, { params: { id: pedido_id }, body: { metodo: 'bizum', importe: 12.5, fecha: dayInMadrid() } });
  if (id === 'por_reembolsar')
    await world.db
      .updateTable('pedidos')
      .set({ precio_total_cents: 1000, precio_unitario_cents: 1000 })
      .where('id', '=', pedido_id)
      .execute();
  if (id === 'mercancia') {
    const partial = { pedido_id, motivo: PARCIAL, nota: null, referencia: null, actor_user_id: null, actor_nombre: 'Ana' };
    const { id: devolucion_id } = await world.db
      .insertInto('devoluciones')
      .values(partial as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    const line = {
      devolucion_id,
      numero: 1,
      destino: CAMINO,
      producto: 'Aceite',
      product_id: null,
      cantidad: 1,
      motivo: 'rechazado',
    } as const;
    await world.db.insertInto('devoluciones_lineas').values(line).execute();
  }
  if (id === 'cobro_en_empresa')
    await world.db
      .insertInto('pagos')
      .values({ pedido_id, proveedor: 'empresa', empresa: 'Correos', referencia: '', importe_cents: 1250, estado: 'pagado' })
      .execute();
  if (id === 'en_empresa')
    await world.db
      .insertInto('envios_pedidos')
      .values({ envio_id, pedido_id } as never)
      .execute();
  return pedido_id;
}
