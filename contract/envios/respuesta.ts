/* Reads the file that a transport company sends back: columns by their headings, states by their words. */

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

// The first match wins: «Referencia del envío» is a reference, although the heading also names the shipment.
const WORDS: readonly [RespuestaTarget, RegExp][] = [
  ['referencia', /\b(referencia|ref|reference|pedido|orden|order|albaran cliente)\b/],
  ['estado', /\b(estado|situacion|incidencia|motivo|status|observaciones|evento)\b/],
  ['seguimiento', /\b(seguimiento|tracking|localizador|expedicion|envio|codigo|albaran|numero|shipment)\b/],
];

/** Returns the index of each target's column in these headings; absent if none fits. */
export function respuestaColumns(titles: readonly string[]): Partial<Record<RespuestaTarget, number>> {
  const found: Partial<Record<RespuestaTarget, number>> = {};
  for (const [at, title] of titles.entries()) {
    const target = WORDS.find(([, words]) => words.test(bare(title)))?.[0];
    if (target && found[target] === undefined) found[target] = at;
  }
  return found;
}

/** Normalises a reference for comparison, because companies change spaces, hyphens and case. */
export const bareReferencia = (text: string): string => bare(text).replace(/ /g, '').toUpperCase();

/** Readings of a company's state. Negations and places outrank delivery words, because a completed order cannot be reverted. */
type Lectura = 'entregado' | 'incidencia' | 'en_camino' | 'no_se_sabe';

const SIN_INCIDENCIA = /\b(sin|no hay|ninguna|no tiene) (otras )?incidencias?\b/;

/** Places where a parcel waits for its recipient, or from which the parcel goes on. */
const PLACE =
  /\b(parcel ?shops?|pudo|pick ?up|puntos?( de)? (recogida|conveniencia|entrega|pack|red|celeritas|mondial|nacex|seur|gls|mrw|correos|asm)|en punto|oficinas?|citypaq|lockers?|taquillas?|consigna|estanco|tienda|locker|cajero|almacen|delegacion|plataforma|agencia|nave|centro|hub|depot|warehouse|facility|access point|agente?|agent|conserjeria de correos|franquicia|collection point|service point|post office|store)\b/;
const TO_OTHERS =
  /\b(entreg\w+|deliver\w+|cedid\w+) (por .*)?(al?|to) (la |the |local |otra |otro |su )?(transportista|repartidor|reparto|mensajero|colaborador|corresponsal|delegacion|agencia|plataforma|almacen|correos|carrier|courier|driver|hub|depot|warehouse|facility|partner|aduana\w*|agente?|agent|operador|proveedor)\b/;

const INCIDENCIA: readonly RegExp[] = [
  // The recipient is absent, refuses the parcel or does not pay.
  /\b(incidencias?|ausen(tes?|cias?)|rehus\w+|rechaz\w+|renunci\w+|no (lo |la )?(acepta\w*|quiere\w*|desea\w*|admite\w*|contesta\w*|responde\w*|atiende\w*|localizad\w*|se localiza|abre\w*|hay nadie|existe\w*|vive\w*|reside\w*|paga\w*|esta\b|coge\w*)|nadie en|desconocid\w+|fallecid\w+|sin (efectivo|dinero|fondos|importe)|falta de (pago|efectivo|dinero)|(cobro|pago|reembolso) (imposible|rechazad\w+|no)|no cobrad\w+|cerrad[oa]|vacaciones|horario)\b/,
  /\b(refused|rejected|unclaimed|no reclamad\w+|reclamad[oa]s?|reclamacion|not at home|nobody|unknown|no cash|recipient (absent|closed|moved))\b/,
  // The address is wrong or cannot be reached.
  /\b(direccion(es)? (\w+ ){0,2}(incorrect\w+|insuficientes?|incomplet\w+|erron\w+|equivocad\w+|errad\w+|inexistentes?|desconocid\w+|mal)|senas (incorrect\w+|insuficientes|incomplet\w+|erron\w+)|(mal|falta\w*|error en) (la )?direccion|faltan? (datos|senas)|pendientes? (de )?datos|datos (incorrect\w+|incomplet\w+|insuficientes|erron\w+)|cambio (de )?(domicilio|direccion)|ha cambiado de|otra direccion|acceso (imposible|restringid\w+|cortad\w+)|imposible (acceso|acceder|localizar|contactar|entreg\w+|la entrega)|sin acceso|zona (no|peligrosa|inaccesible)|telefono (erron\w+|incorrect\w+|no)|bad address|incorrect address|address (incorrect|incomplete|insufficient|unknown))\b/,
  // Damage, loss and theft of the parcel.
  /\b(perdid\w+|perdida|extravi\w+|extravio|robad\w+|robo|hurt\w+|sustra\w+|danad\w+|dano|deteriorad\w+|deterioro|rot[oa]s?|rotura|averiad\w+|averia|mojad\w+|siniestr\w+|accident\w+|destruid\w+|destruccion|desechad\w+|decomis\w+|vaci[oa]s?|manipulad\w+|abiert[oa]|lost|stolen|damaged|destroyed|missing|broken|empty|disposed)\b/,
  // The parcel is returned, cancelled or held.
  /\b(devuel\w+|devolu\w+|devolv\w+|retornad\w+|retorno|anulad\w+|anulacion|cancelad\w+|cancelacion|retenid\w+|bloquead\w+|paralizad\w+|sobrante|caducad\w+|estacionad\w+|returned|returning|return to|cancel\w+|on hold|held|expired)\b/,
  // The attempt failed, or the parcel went back to its sender.
  /\b(fallid\w+|intentad\w+|intento (de entrega|fallid\w+)|no realizad\w+|no efectuad\w+|no entreg\w+|sin entregar|failed|attempted|unsuccessful\w*|undeliver\w+|exception|unable)\b/,
  /\b(entreg\w+|deliver\w+) (al?|en|to) (the |su )?(remitente|expedidor|origen|sender|shipper)\b/,
  /\b(no (se )?(ha|han|pudo|puede|pudieron|fue|podido)|not (be |been )?delivered|cannot|could ?n t|could not|imposible)\b/,
];
/** Words of a partial or wrong delivery. */
const DOUBTFUL: readonly RegExp[] = [
  /\b(parcial\w*|partial\w*|incomplet\w*|parte|solo|only|faltan?|falta|missing|excepto|salvo|except|pero|but|(\d+) (de|of|d) (?!\2\b)\d+)\b/,
  /\b(error|erron\w+|equivocad\w+|wrong|desperfectos?|remitente|expedidor|sender|shipper|verificar|recuperad\w*|firma valida|relacion|anulada|otra|otro|preconfirmada|pre confirmada|sin confirmar|provisional)\b/,
];
const FUTURE =
  /\b(aun|todavia|yet|nunca|never|sera|seran|manana|proxim\w+|tomorrow|pendientes?|pending|previst\w+|estimad\w+|programad\w+|planificad\w+|concertad\w+|expected|scheduled|para|listo|lista|to be|will be|being|out for|preparad\w+|intento\w*|en reparto|disponible|available|ready|estara|entregable|entregara)\b/;
const DELIVERED =
  /\b(entregad[oa]s?|entrega (se ha |ha sido |final )?(realizad[oa]|efectuad[oa]|completad[oa]|correcta|confirmada|ok|exitosa|finalizada)|recogid[oa] por (el |la )?(destinatari[oa]|cliente)|delivered|delivery (completed|made|successful|confirmed)|entregat|entregado)\b/;
// Words allowed before «entregado»; any other word, such as «será», makes the delivery doubtful.
const BEFORE =
  /^(([a-z]?\d+|[a-z]|el|la|los|su|sus|tu|envios?|paquetes?|pedido|bultos?|mercancia|expedicion|estado|situacion|finalizado|ha|han|sido|fue|se|esta|ya|correctamente|the|your|package|parcel|shipment|order|status|has|have|been|was|successfully) )*$/;
/** Partial delivery, such as «Entregado 1/2». */
const PART = /entregad\w*\D{0,12}(?<!\d)(\d{1,2})\s?\/\s?(?!\1(?!\d))\d{1,2}(?![\d/])/i;
/** Words that can follow «entregado» without making the delivery doubtful. */
const NEAR =
  /\b(vecin\w+|conserj\w+|porter\w+|buzon|familiar\w*|autorizad\w+|recepcion|neighbou?r|mailbox|porch|sin firma|sin incidencias?)\b/;
const MOVING =
  /\b(admitid\w+|almacenad\w+|grabad\w+|registrad\w+|recibid\w+|recepcionad\w+|recogid\w+|recogida|transito|tránsito|camino|ruta|reparto|repartidor|clasifica\w+|salid\w+|llegad\w+|manifestad\w+|almacen|delegacion|plataforma|origen|destino|aduana\w*|documentad\w+|preadmision|prerregistrad\w+|pre ?registrad\w+|informad\w+|cargad\w+|descargad\w+|transferid\w+|depositad\w+|disponible|deposited|oficina|punto|pendiente|tramite|procesad\w+|generad\w+|etiqueta\w*|alta|previst\w+|concertad\w+|transit|accepted|picked|sorted|arrived|departed|processed|created|information|customs|delivery|entrega)\b/;

/** Reads a company's state; an empty text means delivered, doubtful words never do. «no_se_sabe»: no rule matches the words. */
export function leerEstado(words: string): Lectura {
  const text = bare(words);
  const rest = text.replace(SIN_INCIDENCIA, '').trim();
  // `bare` also empties a text in a non-Latin alphabet.
  if (rest === '') return text !== '' || words.trim() === '' ? 'entregado' : 'no_se_sabe';
  const at = rest.search(DELIVERED);
  const made = at >= 0 && BEFORE.test(rest.slice(0, at)) && !PART.test(words);
  // «aún», «todavía», «yet»: the parcel is still on its way, whatever other words follow.
  if (/\b(aun|todavia|yet)\b/.test(rest)) return 'en_camino';
  if (INCIDENCIA.some((pattern) => pattern.test(rest)) && !(made && isHarmless(rest))) return 'incidencia';
  if (TO_OTHERS.test(rest) || PLACE.test(rest) || FUTURE.test(rest) || DOUBTFUL.some((pattern) => pattern.test(rest)))
    return made &&
      !TO_OTHERS.test(rest) &&
      !PLACE.test(rest) &&
      NEAR.test(rest) &&
      !FUTURE.test(rest) &&
      !DOUBTFUL.some((p) => p.test(rest))
      ? 'entregado'
      : 'en_camino';
  if (made) return /\b(no|not|nunca|never|\w+n t)\b/.test(rest) ? 'en_camino' : 'entregado';
  return MOVING.test(rest) || at >= 0 ? 'en_camino' : 'no_se_sabe';
}

/** True if a delivered parcel is with a neighbour or the like, without damage, loss or claim; then «ausente» is no incident. */
const isHarmless = (text: string): boolean =>
  NEAR.test(text) && !/\b(rot[oa]|vaci[oa]|danad\w+|devuel\w+|reclamad\w+|perdid\w+|robad\w+|no)\b/.test(text);
