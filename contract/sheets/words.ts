import { METODO_PAGO_LABEL, METODOS_PAGO } from '../payments/fields.ts';
import { foldText } from '../text/normalize.ts';

/*
 * Words in files of other programs. A word of a dictionary is proposed with its meaning; a person is asked about any other, and the answer is
 * kept for the format of the file.
 */

/** Cells that are no words: a date or an amount. */
export const DATE_WORD = '{fecha}';
export const AMOUNT_WORD = '{importe}';

/** Meanings that a person can give to a word, by the kind of its column. The most usual ones come first. */
export const MEANINGS = {
  situacion: { entra: 'Se entrega', fuera: 'Queda fuera' },
  anulado: { entra: 'Se entrega', fuera: 'Queda fuera' },
  moneda: { entra: 'Son euros', fuera: 'Otra moneda: queda fuera' },
  contra_reembolso: { si: 'Se paga al recibir', no: 'No se paga al recibir' },
  pago: {
    ...{ pagado: 'Pagado', no: 'Por cobrar', parte: 'Pagado en parte', reembolso: 'Se paga al recibir', fuera: 'Queda fuera' },
    ...Object.fromEntries(METODOS_PAGO.map((metodo) => [`pagado:${metodo}`, `Pagado con ${METODO_PAGO_LABEL[metodo].toLowerCase()}`])),
    ...Object.fromEntries(
      METODOS_PAGO.map((metodo) => [metodo, `Con ${METODO_PAGO_LABEL[metodo].toLowerCase()}, sin decir si está pagado`]),
    ),
  },
  estado: { entregado: 'Entregado', incidencia: 'No entregado', en_camino: 'En camino', no_se_sabe: 'No se sabe' },
} as const satisfies Record<string, Record<string, string>>;
export type WordKind = keyof typeof MEANINGS;
export const WORD_KINDS = Object.keys(MEANINGS) as WordKind[];

/** Words by the program that writes them, as `meaning: word, word; meaning: …`; at most 40 a kind. */
export const DICTIONARY: Record<WordKind, Record<string, string>> = {
  situacion: {
    Enruta: 'entra: Pendiente, Pendiente de pago; fuera: Asignado, En proceso, En ruta, Completado, Cancelado',
    WooCommerce: 'entra: processing, wc-processing, Procesando; fuera: completed, wc-completed, cancelled, wc-cancelled, refunded, failed',
    Shopify: 'entra: unfulfilled; fuera: fulfilled, restocked',
    PrestaShop: 'entra: Pago aceptado, Preparación en curso; fuera: Enviado, Entregado, Reembolsado, Error en pago',
    Amazon: 'entra: Unshipped; fuera: Shipped, Canceled',
    'sheets by hand': 'fuera: Anulado',
  },
  anulado: { Shopify: `fuera: ${DATE_WORD}` },
  moneda: { 'every program': 'entra: EUR, €, euro, euros' },
  contra_reembolso: {
    'sheets by hand': 'si: sí, s, x, true, verdadero, contra reembolso, contrareembolso; no: no, n, false, falso',
  },
  pago: {
    'sheets by hand':
      'pagado: Pagado, sí, x; no: no, Pendiente, Sin pagar; reembolso: Contra reembolso, contrareembolso; bizum: Bizum; ' +
      'transferencia: Transferencia; tarjeta: Tarjeta; efectivo: Efectivo',
    Shopify: 'pagado: paid; no: pending, authorized, unpaid; parte: partially_paid; fuera: refunded, voided; otro: PayPal Express Checkout',
    WooCommerce:
      'tarjeta: redsys, Tarjeta de crédito; transferencia: bacs, Transferencia bancaria directa; reembolso: cod, Cash on delivery; otro: PayPal',
    PrestaShop:
      'transferencia: Pago por transferencia bancaria, Transferencia bancaria; reembolso: Pago contra reembolso; pagado: Pago aceptado',
  },
  estado: {
    'Correos, MRW, SEUR':
      'entregado: Entregado, Entregada, Delivered; en_camino: En reparto, En tránsito, Admitido, En camino; incidencia: Ausente, Rehusado, ' +
      'Destinatario ausente, Extraviado, Devuelto',
    GLS:
      'entregado: Entregado al vecino, Entregado por bulto, El envío ha sido entregado a un vecino.; incidencia: Perdida / rotura, Anulada, ' +
      'Destruido por orden del cliente, Retenida en delegacion, Cerrado definitivo, Con incidencia, Posible devolucion, Ausencia prolongada, ' +
      'Cerrado o primera ausencia, Acceso imposible al cliente, No contesta teléfono, Destinatario desconocido, Expedición extraviada, ' +
      'Expedición deteriorada, Perdido despues de recoger, Sin efectivo a la entrega, No aceptan reembolso, Cambio de domicilio, ' +
      'Envio robado, Mercancia desechada, No realizado, Retornado, Anulado',
    CTT: 'incidencia: «Pendiente datos, en delegacion»',
  },
};

const keys = new Map<string, string>();
const MOST_KEYS = 5000;

/** Text by which two words are compared: without case, accents and punctuation. Texts of signs alone stay as they are. Cached, as words repeat. */
export function wordKey(text: string): string {
  const before = keys.get(text);
  if (before !== undefined) return before;
  const folded = foldText(text)
    .replace(/[^\p{L}\p{N}%{}€]+/gu, ' ')
    .trim();
  const key = folded === '' ? text.trim() : folded;
  if (keys.size >= MOST_KEYS) keys.clear();
  keys.set(text, key);
  return key;
}

const PAIRS = /«([^»]*)»|([^,]+)/g;
/** Key and meaning of each word of a dictionary's text. */
export const dictionaryPairs = (text: string, keyOf = wordKey) =>
  text.split('; ').flatMap((part) => {
    const [meaning = '', words = ''] = part.split(/: (.*)/s);
    return Array.from(words.matchAll(PAIRS), ([, quoted, plain]) => [keyOf(quoted ?? plain ?? ''), meaning] as const);
  });
/** Meaning of each word of the dictionaries, by kind and key. */
export const KNOWN_WORDS = new Map(
  WORD_KINDS.map((kind) => [kind, new Map(Object.values(DICTIONARY[kind]).flatMap((text) => dictionaryPairs(text)))] as const),
);

/** Meaning of a word in the dictionary of its kind; undefined for a word to ask about. */
export const knownMeaning = (kind: WordKind, text: string): string | undefined => KNOWN_WORDS.get(kind)?.get(wordKey(text));

/** Meanings that persons have given to words, by kind and key. */
export type Meanings = Partial<Record<WordKind, Readonly<Record<string, string>>>>;

/** Meaning of a word: a person's answer, or else the dictionary's; undefined for a word to ask about. */
export const wordMeaning = (kind: WordKind, text: string, given: Meanings): string | undefined =>
  given[kind]?.[wordKey(text)] ?? knownMeaning(kind, text);
