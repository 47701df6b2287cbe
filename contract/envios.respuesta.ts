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
  /\b(incidencia\w*|ausente|rehusad\w|rechazad\w|devuel\w+|devolucion|fallid\w|no entregad\w|direccion (incorrecta|insuficiente|incompleta)|desconocid\w|extraviad\w|dañad\w|danad\w|siniestr\w+|no acepta\w*|robad\w)\b/;
const ENTREGADO = /\b(entregad\w|entrega realizada|entrega efectuada|delivered)\b/;
const SIN_INCIDENCIA = /\b(sin|no hay|ninguna) incidencias?\b/;

/** The company's word on a shipment; an empty one means received, as after handing over by hand. */
export function leerEstado(words: string): 'entregado' | 'incidencia' | 'en_camino' {
  const text = bare(words).replace(SIN_INCIDENCIA, '').trim();
  if (INCIDENCIA.test(text)) return 'incidencia';
  return text === '' || ENTREGADO.test(text) ? 'entregado' : 'en_camino';
}
