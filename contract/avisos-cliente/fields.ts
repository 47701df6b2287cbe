import { EN_MANOS, type Estado, GRUPO_ESTADOS, POR_CARGAR } from '../pedidos/estados.ts';
import { whatsappNumber } from '../text/telephone.ts';

/* Messages to the customer at each step of an order, which people send from their own phones (decision 077). */

export const PLACEHOLDERS = ['cliente', 'pedido', 'tienda', 'direccion', 'dia', 'repartidor', 'enlace'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
const ALWAYS = ['cliente', 'pedido', 'tienda', 'direccion', 'dia'] as const;
const CARRIED = [...ALWAYS, 'repartidor'] as const;

/* No text has a full stop after `{enlace}`: phones would include the stop in the link. */

/** Only the text for the time before a carrier has the order can hold the link: carriers must never read the link. */
export const MOMENTOS = {
  creado: {
    label: 'Pedido creado',
    placeholders: [...ALWAYS, 'enlace'],
    texto: 'Hola, {cliente}: hemos recibido tu pedido {pedido} de {tienda}. Aquí puedes verlo y, si aún no lo has hecho, pagarlo: {enlace}',
  },
  preparado: {
    label: 'Pedido preparado',
    placeholders: CARRIED,
    texto: 'Hola, {cliente}: tu pedido {pedido} de {tienda} ya está en manos de {repartidor}, que lo llevará a {direccion}. ¡Gracias!',
  },
  en_ruta: {
    label: 'De camino',
    placeholders: CARRIED,
    texto: 'Hola, {cliente}: {repartidor} va de camino a {direccion} con tu pedido {pedido} de {tienda}. ¡Hasta ahora!',
  },
  fallido: {
    label: 'Intento fallido',
    placeholders: CARRIED,
    texto:
      'Hola, {cliente}: hemos pasado por {direccion} con tu pedido {pedido} de {tienda} y no hemos podido entregarlo. Dinos cuándo te viene bien.',
  },
  entregado: {
    label: 'Pedido entregado',
    placeholders: CARRIED,
    texto: 'Hola, {cliente}: tu pedido {pedido} de {tienda} está entregado. ¡Gracias por tu confianza!',
  },
} as const satisfies Record<string, { label: string; placeholders: readonly Placeholder[]; texto: string }>;
export type Momento = keyof typeof MOMENTOS;
export const MOMENTO_NAMES = Object.keys(MOMENTOS) as Momento[];

export const CANALES = { whatsapp: 'WhatsApp', sms: 'SMS', llamada: 'Llamar' } as const;
export type CanalAviso = keyof typeof CANALES;
export const CANAL_NAMES = Object.keys(CANALES) as CanalAviso[];

const ANY = /\{([^{}]*)\}/g;
const FILLED = /\{([^{}]*)\}(\.?)/g;
const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');

/** Lists the placeholders that a text of this moment can contain, as shown in the settings. */
export const placeholderWords = (momento: Momento): string => inBraces(MOMENTOS[momento].placeholders);

/** Returns a Spanish error sentence for a text with a placeholder that its moment lacks, or with a lone brace. */
export function problemOfTexto(momento: Momento, texto: string): string | undefined {
  const known: readonly string[] = MOMENTOS[momento].placeholders;
  for (const [whole, name = ''] of texto.matchAll(ANY)) {
    if (!known.includes(name)) return `${whole} no vale en este texto; puedes usar ${inBraces(known)}`;
  }
  return /[{}]/.test(texto.replace(ANY, '')) ? 'Hay una llave { o } sin su pareja' : undefined;
}

/** Fills the placeholders of a valid text. Braces within a value stay; a full stop after «S.L.» is dropped. */
export const fillTexto = (texto: string, values: Record<Placeholder, string>): string =>
  texto.replace(FILLED, (whole, name: Placeholder, stop: string) => {
    const value = values[name];
    return value === undefined ? whole : value + (value.endsWith('.') ? '' : stop);
  });

type Facts = { estado: Estado; motivo?: string | null; deleted_at?: string | null };

/** Returns the moment that the order has reached; undefined if no message fits. */
export function momentoDe({ estado, motivo, deleted_at }: Facts): Momento | undefined {
  if (deleted_at || GRUPO_ESTADOS.cancelado.includes(estado)) return undefined;
  if (GRUPO_ESTADOS.completado.includes(estado)) return 'entregado';
  if (POR_CARGAR.includes(estado)) return motivo ? 'fallido' : 'preparado';
  return EN_MANOS.includes(estado) ? 'en_ruta' : 'creado';
}

type Customer = { cliente_telefono?: string | null | undefined; cliente_pais?: string | null };
/** Returns a link that opens the channel with the text filled in; undefined if the channel cannot use the number. */
export function avisoHref(canal: Exclude<CanalAviso, 'llamada'>, customer: Customer, texto: string): string | undefined {
  const number = whatsappNumber(customer.cliente_telefono, customer.cliente_pais);
  if (!number) return undefined;
  const body = encodeURIComponent(texto);
  // iOS expects «&body=», Android «?body=»; both accept «?&body=».
  return canal === 'sms' ? `sms:+${number}?&body=${body}` : `https://wa.me/${number}?text=${body}`;
}

/** Messages of the business in the session's response; `textos` has only those that differ from `MOMENTOS`. */
export type AvisosCliente = { tienda: string; canales: CanalAviso[]; textos: Partial<Record<Momento, string>> };
