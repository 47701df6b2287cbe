import type { RawBuilder } from 'kysely';
import { taxRegimen } from '../../../contract/iva/territory.ts';
import { ESTADO, type Estado, PROGRESO } from '../../../contract/pedidos/estados.ts';
import { mayTransition, TRANSITIONS, type TransitionInput, type TransitionName } from '../../../contract/pedidos/flow.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { conflict, forbidden } from '../../kit/errors.ts';
import type { StoredPedido } from '../lectura/row.ts';

type Instants = 'fecha_pago' | 'fecha_completado' | 'fecha_estimada';
type Effect<At> = Partial<Omit<StoredPedido, 'estado' | 'salio_at' | Instants> & Record<Instants, At> & { salio_at: At | null }>;

/** Columns of an order that is not in a company's hands. */
export const BACK = { en_empresa: null, en_empresa_at: null };

function effectOf<At>(row: StoredPedido, input: TransitionInput, at: At, promised: At): Effect<At> {
  switch (input.name) {
    case 'pagar':
      return { fecha_pago: at, ...(!row.fecha_estimada_fijada && { fecha_estimada: promised }) };
    case 'asignar':
    case 'tomar':
      return { transportista_id: input.transportista_id, transportista_nombre: input.transportista_nombre };
    case 'devolver':
      return { transportista_id: null, transportista_nombre: null };
    case 'completar':
      return {
        fecha_completado: at,
        metodo_entrega: input.metodo_entrega,
        numero_seguimiento: input.numero_seguimiento ?? null,
        motivo: null,
        incidencia_at: null,
        iva_regimen: taxRegimen(row),
        ...BACK,
      };
    case 'fallar':
      return { motivo: input.motivo, cargado_at: null, salio_at: null, aplazado_at: null };
    case 'cancelar':
      return { unidades_retenidas: 0, incidencia_at: null, ...BACK, ...endsOutside(row) };
    case 'volver':
      return { cargado_at: null };
    case 'salir':
      return { salio_at: at };
    case 'preparar':
      return {};
  }
}

/** Columns of an order that ends: since when its goods are expected back, if they have left the shop and have not come back. */
export function endsOutside({ estado, cargado_at, en_empresa, incidencia_at, recoge_at }: StoredPedido): { mercancia_at?: string } {
  const areOut = PROGRESO.camino.includes(estado) || cargado_at || en_empresa || (incidencia_at && !recoge_at);
  return areOut ? { mercancia_at: new Date().toISOString() } : {};
}

/** Computes a transition at `at` without writing it. `promised`: promised date of an order paid at `at`. Throws like `refuseStep`. */
export function computeStep<At extends string | RawBuilder<string>>(
  row: StoredPedido,
  input: TransitionInput,
  actor: Actor,
  at: At,
  promised: At,
) {
  const { to, label } = TRANSITIONS[input.name];
  refuseStep(actor, row, input.name, to);
  const { motivo } = input;
  const empresa_transporte = input.empresa_transporte ?? companyOf(row, input);
  const effect = { ...effectOf(row, input, at, promised), ...(empresa_transporte && { empresa_transporte }) };
  return {
    set: { ...effect, estado: to },
    accion: label,
    nota: motivo ?? (input.name === 'pagar' ? input.referencia : null),
    returned: row.unidades_retenidas - (effect.unidades_retenidas ?? row.unidades_retenidas),
  };
}

// If a carrier company delivers an order that names no company, stores the delivery method as the company.
const companyOf = (row: StoredPedido, input: TransitionInput) =>
  // equivalent (row.empresa_transporte === 'manual'): other steps have no method
  input.name === 'completar' && row.empresa_transporte === 'manual' && input.metodo_entrega !== 'otro' ? input.metodo_entrega : undefined;

/** Throws 409 unless `name` starts from the estado of `row` (undefined: no transition to `to`), 403 unless the actor may make it. */
export function refuseStep(actor: Actor, row: StoredPedido, name: TransitionName | undefined, to: Estado): asserts name {
  if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
  if (row.estado === to) throw conflict(`El pedido ya está en estado «${ESTADO[to].label}»`, 'estado');
  if (!name || !TRANSITIONS[name].from.includes(row.estado))
    throw conflict(`El pedido está en estado «${ESTADO[row.estado].label}» y no puede pasar a «${ESTADO[to].label}»`, 'estado');
  if (name === 'asignar' || name === 'salir' || name === 'preparar') refuseStaying(row, name !== 'asignar');
  if (!mayTransition(actor, name, row)) throw forbidden(`paso:${name}`);
}

type Staying = Pick<StoredPedido, 'en_empresa' | 'recoge_at' | 'incidencia_at'>;

/** Throws 409 for an order that no carrier may get, or with `leaving` that may not be prepared or go out (decision 107). */
export function refuseStaying({ en_empresa, recoge_at, incidencia_at }: Staying, leaving = false): void {
  if (en_empresa) throw conflict(`Lo lleva ${en_empresa}: antes hay que sacarlo de su envío`, 'en_empresa');
  if (recoge_at) throw conflict('Lo recoge el cliente en la tienda: para llevarlo, elige antes otro día de entrega', 'estado');
  if (leaving && incidencia_at) throw conflict('El pedido espera respuesta: antes hay que decir qué se hace con él', 'estado');
}
