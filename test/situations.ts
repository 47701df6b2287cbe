import { EN_MANOS, FINALES } from '../contract/pedidos/estados.ts';
import type { SituationOrder } from '../contract/pedidos/situation.ts';
import type { SituationId } from '../contract/pedidos/situations.ts';
import type { PedidoFacts } from '../contract/policy/facts.ts';
import type { Actor, Role } from '../contract/policy/policy.ts';

/* An order in each situation, for tests of the places that tell it. */

export const CLOCK = { now: new Date('2026-11-27T10:00:00Z'), zone: 'Europe/Madrid' };
export const actorOf = (role: Role): Actor & { role: Role } => ({ id: role, role, full_name: role });
export const orderWith = (fields: Partial<SituationOrder> = {}): SituationOrder & PedidoFacts => {
  const estado = fields.estado ?? 'pendiente';
  return {
    estado,
    revendedor_id: 'revendedor' as string | null,
    transportista_id: EN_MANOS.includes(estado) ? 'transportista' : null,
    transportista_nombre: EN_MANOS.includes(estado) ? 'Javier' : null,
    cliente_nombre: 'María',
    fecha_pedido: '2026-11-25T09:00:00Z',
    fecha_estimada: '2026-11-28T11:00:00Z',
    fecha_completado: FINALES.includes(estado) ? '2026-11-27T08:00:00Z' : null,
    pendiente: estado === 'pendiente_pago' ? 126.7 : 0,
    ...fields,
  };
};
export const AT = '2026-11-25T20:00:00Z';
/** An order in each situation, with what its readers are told of it. */
export const CASES: Record<SituationId, [Partial<SituationOrder>, sentence: string]> = {
  eliminado: [{ deleted_at: AT, por_reembolsar: 26.7 }, 'Eliminado el 25/11: hay que devolver 26,70\u00a0€'],
  rechazado: [
    { estado: 'asignado', incidencia_at: AT, intento_at: AT, intentos: 1, motivo: 'Rechazado por el cliente: no lo quiere' },
    'El cliente lo rechazó en la puerta el 25/11: vuelve con Javier. ¿Qué se hace?',
  ],
  espera_respuesta: [{ estado: 'asignado', incidencia_at: AT, motivo: 'Ausente' }, 'Por decidir desde el 25/11: Ausente. ¿Qué se hace?'],
  transferencia_avisada: [
    { estado: 'pendiente_pago', transferencia_avisada_at: AT },
    'El cliente dice que ha hecho la transferencia el 25/11: faltan por llegar 126,70\u00a0€',
  ],
  por_reembolsar: [{ estado: 'completado', por_reembolsar: 5 }, 'Hay que devolver 5,00\u00a0€ a María'],
  en_empresa: [{ en_empresa: 'Correos', en_empresa_at: AT }, 'Con Correos desde el 25/11'],
  recoge: [{ recoge_at: AT }, 'Lo recoge el cliente en la tienda, desde el 25/11'],
  sin_pagar: [{ estado: 'pendiente_pago' }, 'Por cobrar desde el 25/11: 126,70\u00a0€'],
  atrasado: [{ estado: 'asignado', fecha_estimada: '2026-11-23T11:00:00Z' }, 'Prometido para el 23/11: 4 días tarde. Lo lleva Javier'],
  sin_volver: [{ estado: 'en_ruta', salio_at: AT }, 'Salió el 25/11 con Javier y no se ha entregado ni ha vuelto'],
  aplazado: [{ estado: 'asignado', aplazado_at: AT }, 'El cliente pidió otro día: el 28/11. Lo lleva Javier'],
  intento: [
    { estado: 'asignado', intento_at: AT, intentos: 2, motivo: 'Ausente' },
    '2.º intento el 25/11: Ausente. Lo lleva Javier. Prometido para el 28/11',
  ],
  cargado: [{ estado: 'en_proceso', cargado_at: AT }, 'Cargado el 25/11. Lo lleva Javier. Prometido para el 28/11'],
  por_asignar: [{}, 'Sin transportista. Prometido para el 28/11'],
  asignado: [{ estado: 'asignado' }, 'Lo lleva Javier. Prometido para el 28/11'],
  preparado: [{ estado: 'en_proceso' }, 'Lo prepara Javier. Prometido para el 28/11'],
  en_reparto: [{ estado: 'en_ruta' }, 'En reparto con Javier'],
  por_cobrar: [{ estado: 'completado', pendiente: 62.5 }, 'Entregado el 27/11 y por cobrar: 62,50\u00a0€'],
  cobro_en_empresa: [
    { estado: 'completado', cobro_empresa: 17, cobro_en: 'Correos' },
    'Entregado el 27/11. Lo cobrado, 17,00\u00a0€, lo tiene Correos',
  ],
  mercancia: [
    { estado: 'completado', entrega_parcial: true, mercancia_at: AT, transportista_nombre: 'Javier' },
    'Entregado en parte el 27/11: lo demás vuelve con Javier y falta recibirlo',
  ],
  entregado_en_parte: [{ estado: 'completado', entrega_parcial: true }, 'Entregado en parte el 27/11'],
  entregado: [{ estado: 'completado' }, 'Entregado el 27/11'],
  cancelado_fuera: [
    { estado: 'cancelado', mercancia_at: AT, transportista_nombre: 'Javier' },
    'Cancelado el 25/11 con la mercancía fuera: vuelve con Javier y falta recibirla',
  ],
  cancelado: [{ estado: 'cancelado' }, 'Cancelado: ni se entrega ni se cobra'],
};

/** Words that no place may say of an order in this situation. */
export const CONTRADICTS: Record<SituationId, RegExp> = {
  eliminado: /Pagado$/,
  rechazado: /Volveremos|Empezar a preparar|Salir/,
  espera_respuesta: /Volveremos|Empezar a preparar|Salir/,
  transferencia_avisada: /Pedir el pago/,
  por_reembolsar: /^Pagado$/,
  en_empresa: /Sin asignar|Salir/,
  recoge: /Salir|Asignar/,
  sin_pagar: /Pagado|Salir/,
  atrasado: /Cancelado/,
  sin_volver: /Empezar a preparar|Salir a reparto/,
  aplazado: /Cancelado/,
  intento: /^Empezar a preparar/,
  cargado: /^Empezar a preparar/,
  por_asignar: /Salir/,
  asignado: /Sin asignar/,
  preparado: /Empezar a preparar/,
  en_reparto: /Salir a reparto/,
  por_cobrar: /^Pagado$/,
  cobro_en_empresa: /Pagado$/,
  mercancia: /Por cobrar/,
  entregado_en_parte: /Por cobrar/,
  entregado: /Por cobrar|Completar/,
  cancelado_fuera: /Por cobrar|Completar/,
  cancelado: /Por cobrar|Completar/,
};
