/* Reading the file with which a company answers: its columns, known by their words. */

export const RESPUESTA_TARGETS = {
  referencia: 'Nuestra referencia',
  seguimiento: 'Número de seguimiento',
  estado: 'Estado o incidencia',
} as const;
export type RespuestaTarget = keyof typeof RESPUESTA_TARGETS;

const bare = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

// The first that matches wins: «Referencia del envío» is a reference, though it names the shipment too.
const WORDS: readonly [RespuestaTarget, RegExp][] = [
  ['referencia', /\b(referencia|ref|reference|pedido|orden|order|albaran cliente)\b/],
  ['estado', /\b(estado|situacion|incidencia|motivo|status|observaciones|evento)\b/],
  ['seguimiento', /\b(seguimiento|tracking|localizador|expedicion|envio|codigo|albaran|numero|shipment)\b/],
];

/** Index of the column of each target in these headings; absent if none. */
export function respuestaColumns(titles: readonly string[]): Partial<Record<RespuestaTarget, number>> {
  const found: Partial<Record<RespuestaTarget, number>> = {};
  for (const [at, title] of titles.entries()) {
    const target = WORDS.find(([, words]) => words.test(bare(title)))?.[0];
    if (target && found[target] === undefined) found[target] = at;
  }
  return found;
}

/** A reference as companies give it back: without spaces, hyphens or case. */
export const bareReferencia = (text: string): string => bare(text).replace(/ /g, '').toUpperCase();

const INCIDENCIA =
  /\b(incidencias?|ausentes?|rehus\w+|rechaz\w+|devuel\w+|devolucion|fallid\w+|intentad\w+|direccion (incorrecta|insuficiente|incompleta)|desconocid\w+|extraviad\w+|danad\w+|siniestr\w+|no acepta\w*|robad\w+|returned|failed|attempted|refused|undeliver\w+)\b/;
const TO_SENDER = /\b(entreg\w+|deliver\w+) (al?|en|to) (the |su )?(remitente|expedidor|origen|sender|shipper)\b/;
const SIN_INCIDENCIA = /\b(sin|no hay|ninguna) incidencias?\b/;

const DELIVERED =
  /\b(entregad[oa]s?|entrega (se ha |ha sido )?(realizad[oa]|efectuad[oa]|completad[oa]|correcta)|delivered|delivery (completed|made))\b/;
// All that may stand before: any other word, such as «será» or «para ser», makes it doubtful.
const BEFORE =
  /^(([a-z]?\d+|[a-z]|el|la|los|su|sus|tu|envios?|paquetes?|pedido|bultos?|mercancia|expedicion|estado|situacion|finalizado|ha|han|sido|fue|se|esta|ya|correctamente|the|your|package|parcel|shipment|order|status|has|have|been|was|successfully) )*$/;
const DOUBTS = [
  /\b(no|not|nunca|never|\w+n t|aun|todavia|yet)\b/,
  /\b(sera|seran|manana|proxim\w+|tomorrow|pendientes?|pending|previst\w+|estimad\w+|programad\w+|expected|intento\w*|en reparto)\b/,
  /\b(parcial\w*|partial\w*|incomplet\w*|parte|solo|only|faltan?|missing|excepto|salvo|except|pero|but|(\d+) (de|of) (?!\2\b)\d+)\b/,
  /\b(error|erron\w+|equivocad\w+|wrong|desperfectos?|remitente|expedidor|sender|shipper)\b/,
  // Handed over, but to the next on the way.
  /\b(al?|to) (la |the |local )?(transportista|repartidor|reparto|mensajero|colaborador|delegacion|agencia|plataforma|almacen|carrier|courier|driver|hub|depot|warehouse|facility)\b/,
];
const DELIVERY = /\b(entreg\w+|deliver\w*)\b/;
const NEGATED = /\b(no|not|nunca|never|cannot|\w+n t|imposible|impossible|unable|sin exito|unsuccessful\w*)\b/;
const NOT_YET = /\b(aun|todavia|yet)\b/;

/**
 * The company's word on a shipment; an empty one means received, as after handing over by hand. Doubtful words are never «entregado»:
 * nothing takes a completed order back.
 */
export function leerEstado(words: string): 'entregado' | 'incidencia' | 'en_camino' {
  const text = bare(words).replace(SIN_INCIDENCIA, '').trim();
  if (INCIDENCIA.test(text) || TO_SENDER.test(text)) return 'incidencia';
  // Words in another alphabet leave nothing bare.
  if (text === '') return SIN_INCIDENCIA.test(bare(words)) || !/\p{L}/u.test(words) ? 'entregado' : 'en_camino';
  const at = text.search(DELIVERED);
  if (at >= 0 && BEFORE.test(text.slice(0, at))) return DOUBTS.some((doubt) => doubt.test(text)) ? 'en_camino' : 'entregado';
  return DELIVERY.test(text) && NEGATED.test(text) && !NOT_YET.test(text) ? 'incidencia' : 'en_camino';
}
