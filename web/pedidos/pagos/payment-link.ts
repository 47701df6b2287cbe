import { whatsappNumber } from '../../../contract/text/telephone.ts';
import { onlyHere, sharedLink } from '../../session/shared-link.ts';
import { money } from '../../ui/format/format.ts';
import { copyText } from '../../ui/page/copy.ts';
import { toast } from '../../ui/page/toast.tsx';

export type Payable = {
  numero_orden: string;
  cliente_nombre: string;
  cliente_telefono?: string | null;
  cliente_pais?: string | null;
  pendiente: number;
};

/** Copies a payment link and shows the result in a toast (specification, section 8). Returns false if nothing was copied. */
export async function copyPaymentLink(link: string | null): Promise<boolean> {
  const shared = link && sharedLink(link);
  const copied = !!link && (await copyText(shared || link));
  if (copied) toast.success('Enlace de pago copiado', shared ? {} : onlyHere());
  else toast.error(link ? 'No se pudo copiar el enlace' : 'No hay un link de pago para este pedido');
  return copied;
}

/** WhatsApp link with a prepared message to the customer or, without a valid number, to a contact of choice. */
export function whatsappAddress(pedido: Payable, link: string): string {
  const sent = sharedLink(link);
  const order = `tu pedido ${pedido.numero_orden} (${money(pedido.pendiente)})`;
  const text = `Hola, ${pedido.cliente_nombre}. ${sent ? `Puedes pagar ${order} aquí: ${sent}` : `Falta por pagar ${order}.`}`;
  return `https://wa.me/${whatsappNumber(pedido.cliente_telefono, pedido.cliente_pais)}?text=${encodeURIComponent(text)}`;
}
