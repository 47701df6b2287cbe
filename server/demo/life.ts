import type { Selectable } from 'kysely';
import { type Estado, type MetodoEntrega, transition } from '../../contract/pedidos.flow.ts';
import { type Actor, SISTEMA } from '../../contract/policy.ts';
import type { PedidosTable } from '../db/schema.ts';
import { atWork, DAY, HOUR, MINUTE } from './calendar.ts';
import { type Person, present } from './people.ts';
import type { Random } from './random.ts';

type Cambios = Record<string, [string | null, string | null]>;
export type Step = {
  at: number;
  actor: Actor;
  accion: string;
  from: Estado | null;
  to: Estado | null;
  nota: string | null;
  cambios: Cambios;
  /** Provider of the payment that this step confirmed. */
  pago: 'manual' | 'simulador' | null;
};
export type Draft = {
  row: Omit<Selectable<PedidosTable>, 'busqueda'>;
  /** Units it took from its product. */
  unidades: number;
  steps: Step[];
};

export type Circumstances = {
  random: Random;
  people: Person[];
  now: number;
  /** The customer has not paid yet. */
  unpaid?: boolean;
  /** The estado beyond which the order has not come, and the carrier that has it. */
  stop?: Estado | undefined;
  carrier?: Person | undefined;
};

/** How long an order may stay unpaid (design, section 4.3). */
export const UNPAID_HOURS = 72;

const CANCELLED = [
  'El cliente ha cambiado de idea',
  'Pedido repetido',
  'Dirección fuera de zona de reparto',
  'El cliente no responde',
  'Pedido equivocado',
];
const FAILED = [
  'Ausente: no contesta al timbre ni al teléfono',
  'Dirección incompleta: falta el portal',
  'El cliente pide otro día',
  'Comercio cerrado por la tarde',
];
const TRACKING: Partial<Record<MetodoEntrega, string>> = {
  correos: 'PQ4###0#########20###?',
  mrw: '0####A######',
  fedex: '77##########',
  otro: 'ES##########',
};
const OTHERS = ['SEUR', 'GLS', 'Nacex', 'CTT Express'];

/** Takes a new order through its life, as the table of transitions allows, up to now. */
export function live({ row, steps }: Draft, { random, people, now, unpaid, stop, carrier }: Circumstances): void {
  let at = Date.parse(row.fecha_pedido);
  const someone = (role: 'superadmin' | 'transportista') => random.weighted(present(people, role, at));
  const office = () => someone('superadmin').actor;
  // An old one that is still only assigned comes back from a failed attempt.
  const late = stop === 'asignado' && now - at > 2 * DAY;
  // Most things happen soon; some take the whole `max`.
  const soon = (min: number, max: number) => min + (max - min) * random.next() ** 2;

  /** Makes the transition to `to` after `hours`, unless that is still to come. */
  const go = (hours: number, actor: Actor, to: Estado, set: Partial<Draft['row']> = {}, nota: string | null = null): boolean => {
    const when = actor.role === 'sistema' ? at + hours * HOUR : atWork(at, hours, random.next());
    if (when > now || (row.estado === stop && !late)) return false;
    const t = transition(row.estado, to);
    if (!t) throw new Error(`${row.estado} does not become ${to}`);
    const before = { ...row };
    const instant = new Date(when).toISOString();
    Object.assign(row, set, {
      estado: to,
      ...(t.effect === 'release' ? { transportista_id: null, transportista_nombre: null } : {}),
      ...(t.effect === 'return' ? { unidades_retenidas: 0 } : {}),
      ...(t.needs === 'referencia' ? { fecha_pago: instant } : {}),
      ...(to === 'completado' ? { fecha_completado: instant, motivo: null } : {}),
      ...(t.needs === 'motivo' ? { motivo: nota } : {}),
      version: row.version + 1,
      updated_at: instant,
    });
    const cambios = differences(before, row, ['transportista_nombre', 'empresa_transporte', 'metodo_entrega', 'numero_seguimiento']);
    const pago = t.needs === 'referencia' ? (actor.role === 'sistema' ? 'simulador' : 'manual') : null;
    steps.push({ at: when, actor, accion: t.label, from: t.from, to, nota, cambios, pago });
    at = when;
    return true;
  };

  const complete = (hours: number, actor: Actor, metodo: MetodoEntrega): boolean => {
    const numero = random.chance(metodo === 'otro' ? 0.7 : 0.93) ? TRACKING[metodo] : undefined;
    return go(hours, actor, 'completado', {
      metodo_entrega: metodo,
      empresa_transporte: metodo === 'otro' ? random.pick(OTHERS) : metodo,
      numero_seguimiento: numero ? random.fill(numero) : null,
    });
  };

  if (row.estado === 'pendiente_pago') {
    const owner = people.find((p) => p.row.id === row.revendedor_id);
    if (owner && !unpaid && !stop && random.chance(0.02))
      return void go(soon(0.3, 20), owner.actor, 'cancelado', {}, random.pick(CANCELLED));
    if (unpaid || (!stop && random.chance(0.05)))
      return void go(UNPAID_HOURS, SISTEMA, 'cancelado', {}, `Sin pago en ${UNPAID_HOURS} horas`);
    const wait = stop ? soon(0.1, 2) : soon(0.1, random.chance(0.15) ? 55 : 8);
    const paid = random.chance(0.35)
      ? go(wait, SISTEMA, 'pendiente', {}, `SIM-${row.numero_orden}`)
      : go(wait, office(), 'pendiente', {}, random.fill('Transferencia #########'));
    if (!paid) return;
  }
  if (random.chance(0.02)) edit();
  if (!stop && random.chance(0.03)) return void go(soon(1, 20), office(), 'cancelado', {}, random.pick(CANCELLED));
  if (!stop && random.chance(0.015)) return void complete(soon(2, 8), office(), 'otro');

  let driver = carrier ?? someone('transportista');
  const take = () => {
    const holder = { transportista_id: driver.row.id, transportista_nombre: driver.row.full_name };
    return go(soon(0.3, 7), random.chance(0.2) ? office() : driver.actor, 'asignado', holder);
  };
  if (!take()) return;
  if (!carrier && random.chance(0.02)) {
    if (!go(soon(0.5, 3), driver.actor, 'pendiente')) return;
    driver = someone('transportista');
    if (!take()) return;
  }
  if (late) {
    if (go(soon(1, 14), driver.actor, 'en_ruta')) go(soon(1, 5), driver.actor, 'asignado', {}, random.pick(FAILED));
    return;
  }
  if (stop === 'en_proceso' || random.chance(0.7)) if (!go(soon(0.3, 5), driver.actor, 'en_proceso')) return;
  if (stop || random.chance(0.93)) if (!go(soon(0.8, 14), driver.actor, 'en_ruta')) return;
  if (row.estado === 'en_ruta' && random.chance(0.04)) {
    if (!go(soon(1, 5), driver.actor, 'asignado', {}, random.pick(FAILED))) return;
    if (!go(soon(14, 22), driver.actor, 'en_ruta')) return;
  }
  complete(soon(0.5, 7), driver.actor, random.weighted(driver.methods));

  function edit() {
    const when = at + soon(0.1, 1) * HOUR;
    if (when > now - 30 * MINUTE) return;
    const before = { ...row };
    Object.assign(row, {
      cliente_telefono: random.fill('6## ### ###'),
      version: row.version + 1,
      updated_at: new Date(when).toISOString(),
    });
    const cambios = differences(before, row, ['cliente_telefono']);
    steps.push({ at: when, actor: office(), accion: 'Pedido editado', from: null, to: null, nota: null, cambios, pago: null });
    at = when;
  }
}

function differences(
  before: Draft['row'],
  after: Draft['row'],
  fields: ('cliente_telefono' | 'transportista_nombre' | 'empresa_transporte' | 'metodo_entrega' | 'numero_seguimiento')[],
): Cambios {
  return Object.fromEntries(fields.filter((f) => before[f] !== after[f]).map((f) => [f, [before[f], after[f]]]));
}
