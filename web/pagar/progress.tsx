import { IconCheck } from '@tabler/icons-react';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { type Estado, PROGRESO } from '../../contract/pedidos/estados.ts';
import { fecha, fechaCercana, hora, isoDay, money, today } from '../ui/format/format.ts';
import { isAnnounced } from './message.ts';
import { PagarSection } from './parts.tsx';

type Step = { label: string; at: readonly Estado[]; note: (pago: PagoPublico) => string };

const PREPARING: Partial<Record<Estado, string>> = { asignado: 'Ya tiene transportista', en_proceso: 'Se está preparando' };
const triesOf = ({ intentos }: PagoPublico) =>
  intentos.map(({ fecha: day, causa }) => `Intento del ${fecha(day)}: ${(causa ?? 'no entregado').toLowerCase()}`);
/** Promised day; empty if the hours of arrival are known, the customer has yet to choose a day, or the day is past. */
function expected(pago: PagoPublico): string {
  const { proximo_intento, fecha_estimada, fecha_si_paga, llegada, situaciones } = pago;
  const day = proximo_intento ?? fecha_estimada;
  const waits = situaciones.includes('espera_respuesta') || situaciones.includes('recoge');
  if (llegada || waits || (day && isoDay(day) < today())) return '';
  if (day) return `Prevista para el ${fecha(day)}`;
  return fecha_si_paga && !isAnnounced(pago) ? `El ${fechaCercana(fecha_si_paga)}, si se paga hoy` : '';
}

function arrival({ llegada }: PagoPublico): string {
  if (!llegada) return 'Ha salido a reparto';
  const { paradas, desde, hasta } = llegada;
  const before = paradas === 0 ? 'Es la siguiente parada' : paradas === 1 ? 'Queda 1 parada antes' : `Quedan ${paradas} paradas antes`;
  return `Llega hoy, entre las ${hora(Date.parse(desde))} y las ${hora(Date.parse(hasta))} · ${before}`;
}

const PAYMENT: Step = {
  label: 'Pago',
  at: PROGRESO.pago,
  note: ({ estado, por_pagar, contra_reembolso, pendiente, transferencia_avisada }) => {
    if (PROGRESO.pago.includes(estado)) return transferencia_avisada ? 'Esperando tu transferencia' : 'Esperando tu pago';
    if (!por_pagar) return 'Recibido';
    return `${contra_reembolso && !PROGRESO.entregado.includes(estado) ? 'Al recibirlo' : 'Queda por pagar'}: ${money(pendiente)}`;
  },
};

/** Steps of an order as its customer sees them, without the payment. */
const STEPS: readonly Step[] = [
  {
    label: 'Pedido confirmado',
    at: PROGRESO.confirmado,
    note: ({ estado, situaciones, en_empresa }) => {
      if (situaciones.includes('recoge')) return 'Te espera en la tienda';
      if (situaciones.includes('en_empresa')) return `Lo lleva ${en_empresa ?? 'una empresa de transporte'}`;
      return estado === 'pendiente' ? 'Buscando transportista' : '';
    },
  },
  { label: 'En preparación', at: PROGRESO.preparacion, note: ({ estado }) => PREPARING[estado] ?? '' },
  {
    label: 'En camino',
    at: PROGRESO.camino,
    note: (pago) => [...triesOf(pago), pago.estado === 'en_ruta' && arrival(pago)].filter(Boolean).join('\n'),
  },
  {
    label: 'Entregado',
    at: PROGRESO.entregado,
    note: (pago) => (pago.fecha_completado ? `${pago.parcial ? 'En parte, el' : 'El'} ${fecha(pago.fecha_completado)}` : expected(pago)),
  },
];

/** Steps with their state. A payment due at the door or later comes last, so that it is not ticked before it is made. */
function stepsOf(pago: PagoPublico) {
  const { estado, por_pagar } = pago;
  const last = por_pagar && !PROGRESO.pago.includes(estado);
  const steps = last ? [...STEPS, PAYMENT] : [PAYMENT, ...STEPS];
  const at = steps.findIndex((step) => step.at.includes(estado));
  // A delivered order is past the step «Entregado».
  const current = PROGRESO.entregado.includes(estado) ? at + 1 : at;
  return steps.map(({ label, note }, i) => ({ label, note: note(pago), done: i < current, now: i === current }));
}

/** Progress of the order; renders nothing if its estado has no step. */
export function Progress({ pago }: { pago: PagoPublico }) {
  if (PROGRESO.ninguno.includes(pago.estado)) return null;
  return (
    <PagarSection id="progreso" title="Cómo va tu pedido">
      <ol className="steps">
        {stepsOf(pago).map(({ label, note, done, now }, i) => (
          <li key={label} data-done={done || undefined} data-now={now || undefined} aria-current={now ? 'step' : undefined}>
            <span className="mark" aria-hidden>
              {done ? <IconCheck size={14} stroke={3} /> : i + 1}
            </span>
            <div>
              <span className="label">{label}</span>
              {done && <span className="unseen">, hecho</span>}
              <div className="note">{note}</div>
            </div>
          </li>
        ))}
      </ol>
    </PagarSection>
  );
}
