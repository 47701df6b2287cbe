import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { FAILED_REASONS } from '../../contract/pedidos/attempts.ts';
import { ESTADO, type EstadoRow, POR_CARGAR } from '../../contract/pedidos/estados.ts';
import { fecha, fechaCercana, isoDay, money, today } from '../ui/format/format.ts';

type Message = EstadoRow['customer'];
type Known = Pick<
  PagoPublico,
  | 'numero_orden'
  | 'empresa'
  | 'contra_reembolso'
  | 'pendiente'
  | 'estado'
  | 'por_pagar'
  | 'devoluciones'
  | 'intentos'
  | 'proximo_intento'
  | 'situaciones'
  | 'en_empresa'
  | 'fecha_si_paga'
  | 'parcial'
  | 'transferencia_avisada'
  | 'transferencia_hasta'
> &
  Partial<Pick<PagoPublico, 'entrega_anulada_at'>>;

const PARTLY: Message = { title: 'Pedido entregado en parte', text: 'Aquí tienes qué ha llegado, qué no y qué pasa con su dinero.' };

const CONFIRMED: Message = { title: 'Pedido confirmado', text: 'Estamos buscando quien te lo lleve.' };

/** Shown after returning from the bank, until the provider's notification arrives: the return itself proves nothing. */
export const CONFIRMING: Message = {
  title: 'Estamos confirmando tu pago',
  text: 'Suele tardar unos segundos. Esta página se actualiza sola.',
};

const arrival = (day: string | null) => (day ? ` Si se paga hoy, te llega el ${fechaCercana(day)}.` : '');

/** Message about the last failed delivery; undefined without one, once the order leaves again, or if the customer will collect it. */
function failedDelivery({ estado, intentos, proximo_intento, situaciones }: Known): Message | undefined {
  const last = intentos.at(-1);
  const waits = situaciones.includes('espera_respuesta');
  if (!last || !(waits || (POR_CARGAR.includes(estado) && !situaciones.includes('recoge')))) return undefined;
  const day = isoDay(last.fecha) === today() ? 'hoy' : `el ${fechaCercana(last.fecha)}`;
  const why = last.causa ? FAILED_REASONS[last.causa] : 'y no ha sido posible';
  const again = situaciones.includes('rechazado')
    ? ' Si lo quieres, dinos qué día te viene bien.'
    : waits
      ? ' Dinos qué día te viene bien.'
      : proximo_intento
        ? ` Volveremos a intentarlo el ${fechaCercana(proximo_intento)}.`
        : '';
  return { title: 'No hemos podido entregarlo', text: `Hemos intentado entregarlo ${day} ${why}.${again}` };
}

/** How the delivery of an order that is neither unpaid nor ended is going; after a delivery that was taken back says so first. */
function delivery(known: Known): Message {
  const { title, text } = progress(known);
  const { entrega_anulada_at: annulled } = known;
  // With its month, whichever month it is now.
  return { title, text: annulled ? `La entrega del ${fechaCercana(annulled, new Date(0))} se ha anulado. ${text}` : text };
}

function progress(known: Known): Message {
  const { empresa, en_empresa, estado, por_pagar, situaciones } = known;
  const failed = failedDelivery(known);
  if (failed) return failed;
  if (situaciones.includes('recoge')) return { title: 'Tu pedido te espera', text: `Recógelo en ${empresa} cuando quieras.` };
  if (situaciones.includes('en_empresa'))
    return { title: `${en_empresa ?? 'Una empresa de transporte'} lleva tu pedido`, text: 'Te lo entregará en tu dirección.' };
  return estado === 'pendiente' && por_pagar ? CONFIRMED : ESTADO[estado].customer;
}

/** Sentences about the transfer that the customer has reported. */
export const announcedWords = ({ empresa, transferencia_hasta: until }: Pick<Known, 'empresa' | 'transferencia_hasta'>): string =>
  `Nos has dicho que ya has hecho la transferencia. ${empresa} comprobará que ha llegado.${until ? ` Si no llega antes del ${fecha(until)}, el pedido se cancelará.` : ''}`;

/** True while a reported transfer has not arrived. */
export const isAnnounced = ({ por_pagar, transferencia_avisada }: Pick<Known, 'por_pagar' | 'transferencia_avisada'>) =>
  por_pagar && transferencia_avisada;

/** Message that tells the customer how the order is going. */
export function customerMessage(known: Known): Message {
  const { numero_orden, empresa, estado, por_pagar, devoluciones, fecha_si_paga, contra_reembolso, pendiente } = known;
  const { customer, step } = ESTADO[estado];
  // Comes first, so that nobody pays twice.
  const announced = isAnnounced(known) && announcedWords(known);
  if (announced && (step === 'pago' || (step === 'confirmado' && !contra_reembolso)))
    return { title: 'Esperamos tu transferencia', text: announced };
  if (step === 'pago') return { ...customer, text: `Pedido ${numero_orden}. ${customer.text}${arrival(fecha_si_paga)}` };
  if (step === 'ninguno') {
    const paid = estado === 'cancelado' && !devoluciones.length ? ` Habla con ${empresa} si ya lo habías hecho.` : '';
    return { ...customer, text: `${customer.text}${paid}` };
  }
  // An order created by the office can be delivered before it is paid.
  if (step === 'entregado') {
    const { title, text } = known.parcial ? PARTLY : customer;
    return { title, text: por_pagar ? `${text} Queda por pagar ${money(pendiente)}.` : text };
  }
  const { title, text } = delivery(known);
  // The customer will pay the carrier at the door.
  if (contra_reembolso && por_pagar) {
    const due = announced || `Lo pagarás al recibirlo: ${money(pendiente)}. Si lo prefieres, puedes pagarlo aquí antes.`;
    return { title, text: `${text} ${due}` };
  }
  return { title, text: step === 'confirmado' && por_pagar ? `${text} Puedes pagarlo aquí.` : text };
}
