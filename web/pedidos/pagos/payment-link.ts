import { whatsappNumber } from '../../../contract/text/telephone.ts';
import { money } from '../../ui/format/format.ts';
import { copyText } from '../../ui/page/copy.ts';
import { isOnlyHere } from '../../ui/page/loopback.ts';
import { toast } from '../../ui/page/toast.tsx';

export type Payable = {
  numero_orden: string;
  cliente_nombre: string;
  cliente_telefono?: string | null;
  cliente_pais?: string | null;
  pendiente: number;
};

/** Absolute address of a payment link; the server sends only the path if it has no public address. */
export const wholeLink = (link: string): string => new URL(link, window.location.origin).href;

/** The link as a message may carry it; empty if only this machine opens the link. */
export const sentLink = (link: string): string => (isOnlyHere(link) ? '' : /^\w+:/.test(link) ? link : wholeLink(link));

/** Copies a payment link and shows the result in a toast (specification, section 8). Returns false if nothing was copied. */
export async function copyPaymentLink(link: string | null): Promise<boolean> {
  const copied = !!link && (await copyText(wholeLink(link)));
  if (copied) toast.success('Enlace de pago copiado');
  else toast.error(link ? 'No se pudo copiar el enlace' : 'No hay un link de pago para este pedido');
  return copied;
}

/** WhatsApp link with a prepared message to the customer or, without a valid number, to a contact of choice. */
export function whatsappAddress(pedido: Payable, link: string): string {
  const sent = sentLink(link);
  const order = `tu pedido ${pedido.numero_orden} (${money(pedido.pendiente)})`;
  const text = `Hola, ${pedido.cliente_nombre}. ${sent ? `Puedes pagar ${order} aquí: ${sent}` : `Falta por pagar ${order}.`}`;
  return `https://wa.me/${whatsappNumber(pedido.cliente_telefono, pedido.cliente_pais)}?text=${encodeURIComponent(text)}`;
}
