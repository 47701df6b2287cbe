import type { PagoPublico } from '../../contract/pagar.ts';
import type { Estado } from '../../contract/pedidos.flow.ts';

type Message = { title: string; text: string };
type Known = Pick<PagoPublico, 'numero_orden' | 'empresa' | 'estado' | 'por_pagar' | 'devoluciones'>;

const MESSAGES: Record<Exclude<Estado, 'pendiente_pago' | 'cancelado'>, Message> = {
  pendiente: { title: 'Pago recibido', text: 'Gracias. Estamos buscando quien te lo lleve.' },
  asignado: { title: 'Tu pedido ya tiene transportista', text: 'Te lo llevará en cuanto esté listo.' },
  en_proceso: { title: 'Estamos preparando tu pedido', text: 'Saldrá a reparto en cuanto esté listo.' },
  en_ruta: { title: 'Tu pedido va de camino', text: 'El transportista ha salido a entregarlo.' },
  completado: { title: 'Pedido entregado', text: 'Gracias por tu compra.' },
};

/** Shown after returning from the bank, until the provider's notification arrives: the return itself proves nothing. */
export const CONFIRMING: Message = {
  title: 'Estamos confirmando tu pago',
  text: 'Suele tardar unos segundos. Esta página se actualiza sola.',
};

/** State of the order in words for the customer. */
export function message({ numero_orden, empresa, estado, por_pagar, devoluciones }: Known): Message {
  if (estado === 'pendiente_pago')
    return { title: 'Paga tu pedido', text: `Pedido ${numero_orden}. Empezaremos a prepararlo al recibir el pago.` };
  if (estado === 'cancelado') {
    const paid = devoluciones.length ? '' : ` Habla con ${empresa} si ya lo habías hecho.`;
    return { title: 'Pedido cancelado', text: `Ya no hay que pagarlo.${paid}` };
  }
  // An order of the office can be delivered before it is paid.
  if (estado === 'pendiente' && por_pagar)
    return { title: 'Pedido confirmado', text: 'Estamos buscando quien te lo lleve. Puedes pagarlo aquí.' };
  return MESSAGES[estado];
}
