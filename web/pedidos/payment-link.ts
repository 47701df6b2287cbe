import { money } from '../ui/format/format.ts';
import { copyText } from '../ui/page/copy.ts';
import { toast } from '../ui/page/toast.tsx';

export type Payable = {
  numero_orden: string;
  cliente_nombre: string;
  cliente_telefono?: string | null;
  precio_total: number;
};

/** Copies a payment link and says how it went. */
export async function copyPaymentLink(link: string | null): Promise<void> {
  if (!link) return void toast.error('No hay un link de pago para este pedido');
  if (await copyText(link)) toast.success('Enlace de pago copiado');
  else toast.error('No se pudo copiar el enlace');
}

/** A number as wa.me takes it, with its country; nothing when it may not be one of a phone. */
function whatsappNumber(phone: string | null | undefined): string {
  const digits = (phone ?? '').replace(/\D/g, '').replace(/^00/, '');
  if (/^[6-9]\d{8}$/.test(digits)) return `34${digits}`;
  return /^[1-9]\d{9,14}$/.test(digits) ? digits : '';
}

/** WhatsApp with the customer, or whoever one chooses there, and the message written. */
export function whatsappAddress(pedido: Payable, link: string): string {
  const text = `Hola, ${pedido.cliente_nombre}. Puedes pagar tu pedido ${pedido.numero_orden} (${money(pedido.precio_total)}) aquí: ${link}`;
  return `https://wa.me/${whatsappNumber(pedido.cliente_telefono)}?text=${encodeURIComponent(text)}`;
}
