import type { Selectable } from 'kysely';
import type { Estado } from '../contract/pedidos/estados.ts';
import type { TransitionInput } from '../contract/pedidos/flow.ts';
import type { MetodoEntrega } from '../contract/pedidos/metodos.ts';
import { type Actor, SISTEMA } from '../contract/policy/policy.ts';
import type { PedidosTable } from '../server/db/schema.ts';
import { historyRow } from '../server/pedidos/historia/history.ts';
import type { Line } from '../server/pedidos/lineas/lineas.ts';
import { computeStep } from '../server/pedidos/pasos/step.ts';
import { atWork, DAY, HOUR, MINUTE, promisedAt } from './calendar.ts';
import { employedPeople, type Person } from './people.ts';
import type { Random } from './random.ts';

export type Step = {
  at: number;
  action: 'create' | 'update';
  historial: ReturnType<typeof historyRow>;
  unidades: number;
  pago: string | null;
};
export type Draft = {
  row: Omit<Selectable<PedidosTable>, 'pendiente_cents' | 'por_cobrar_cents' | 'por_reembolsar_cents'>;
  lines: Line[];
  steps: Step[];
};

export type Circumstances = {
  random: Random;
  people: Person[];
  now: number;
  unpaid?: boolean;
  stop?: Estado | undefined;
  carrier?: Person | undefined;
};

/** Maximum number of hours that an order can stay unpaid (design, section 4.3). */
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

export function beginHistory(draft: Draft, actor: Actor): void {
  const { row } = draft;
  const historial = historyRow(actor, { accion: 'Pedido creado' }, null, row);
  draft.steps = [{ at: Date.parse(row.fecha_pedido), action: 'create', historial, unidades: -row.unidades_retenidas, pago: null }];
}

/** Moves a new order through its life up to now, with the program's own transitions. */
export function simulateLife({ row, steps }: Draft, { random, people, now, unpaid, stop, carrier }: Circumstances): void {
  let at = Date.parse(row.fecha_pedido);
  const someone = (role: 'superadmin' | 'transportista') => random.weighted(employedPeople(people, role, at));
  const office = () => someone('superadmin').actor;
  // An old order still assigned had a failed attempt.
  const late = stop === 'asignado' && now - at > 2 * DAY;
  // Most delays are near `min`; a few approach `max`.
  const soon = (min: number, max: number) => min + (max - min) * random.next() ** 2;

  /** Returns false if the transition would lie in the future or leave the estado `stop`. */
  const go = (hours: number, actor: Actor, input: TransitionInput): boolean => {
    const when = actor.role === 'sistema' ? at + hours * HOUR : atWork(at, hours, random.next());
    if (when > now || (row.estado === stop && !late)) return false;
    const updated_at = new Date(when).toISOString();
    const { set, accion, nota, returned } = computeStep(row, input, actor, updated_at, promisedAt(when));
    const before = { ...row };
    const pago = input.name === 'pagar' ? (actor.role === 'sistema' ? 'simulador' : 'manual') : null;
    Object.assign(row, set, { version: row.version + 1, updated_at }, pago && { pagado_cents: row.precio_total_cents });
    steps.push({ at: when, action: 'update', historial: historyRow(actor, { accion, nota }, before, row), unidades: returned, pago });
    at = when;
    return true;
  };

  const complete = (hours: number, actor: Actor, metodo: MetodoEntrega): boolean => {
    const numero = random.chance(metodo === 'otro' ? 0.7 : 0.93) ? TRACKING[metodo] : undefined;
    return go(hours, actor, {
      name: 'completar',
      metodo_entrega: metodo,
      empresa_transporte: metodo === 'otro' ? random.pick(OTHERS) : metodo,
      numero_seguimiento: numero ? random.fill(numero) : null,
    });
  };

  if (row.estado === 'pendiente_pago') {
    const owner = people.find((p) => p.row.id === row.revendedor_id);
    if (owner && !unpaid && !stop && random.chance(0.02))
      return void go(soon(0.3, 20), owner.actor, { name: 'cancelar', motivo: random.pick(CANCELLED) });
    if (unpaid || (!stop && random.chance(0.05)))
      return void go(UNPAID_HOURS, SISTEMA, { name: 'cancelar', motivo: `Sin pago en ${UNPAID_HOURS} horas` });
    const wait = stop ? soon(0.1, 2) : soon(0.1, random.chance(0.15) ? 55 : 8);
    const paid = random.chance(0.35)
      ? go(wait, SISTEMA, { name: 'pagar', referencia: `SIM-${row.numero_orden}` })
      : go(wait, office(), { name: 'pagar', referencia: random.fill('Transferencia #########') });
    if (!paid) return;
  }
  if (random.chance(0.02)) edit();
  if (!stop && random.chance(0.03)) return void go(soon(1, 20), office(), { name: 'cancelar', motivo: random.pick(CANCELLED) });
  if (!stop && random.chance(0.015)) return void complete(soon(2, 8), office(), 'otro');

  let driver = carrier ?? someone('transportista');
  const take = () => {
    const { id: transportista_id, full_name: transportista_nombre } = driver.row;
    const hours = soon(0.3, 7);
    return random.chance(0.2)
      ? go(hours, office(), { name: 'asignar', transportista_id, transportista_nombre })
      : go(hours, driver.actor, { name: 'tomar', transportista_id, transportista_nombre });
  };
  const fail = () => go(soon(1, 5), driver.actor, { name: 'fallar', motivo: random.pick(FAILED) });
  if (!take()) return;
  if (!carrier && random.chance(0.02)) {
    if (!go(soon(0.5, 3), driver.actor, { name: 'devolver' })) return;
    driver = someone('transportista');
    if (!take()) return;
  }
  if (late) {
    if (go(soon(1, 14), driver.actor, { name: 'salir' })) fail();
    return;
  }
  if (stop === 'en_proceso' || random.chance(0.7)) if (!go(soon(0.3, 5), driver.actor, { name: 'preparar' })) return;
  if (stop || random.chance(0.93)) if (!go(soon(0.8, 14), driver.actor, { name: 'salir' })) return;
  if (row.estado === 'en_ruta' && random.chance(0.04)) {
    if (!fail()) return;
    if (!go(soon(14, 22), driver.actor, { name: 'salir' })) return;
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
    const historial = historyRow(office(), { accion: 'Pedido editado' }, before, row);
    steps.push({ at: when, action: 'update', historial, unidades: 0, pago: null });
    at = when;
  }
}
