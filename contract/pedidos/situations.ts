import type { PedidoAction } from '../policy/policy.ts';
import { ABIERTOS, type Estado, GRUPO_ESTADOS, POR_CARGAR, POR_ENTREGAR, PROGRESO } from './estados.ts';
import type { PedidoFieldName } from './fields.ts';
import { TRANSITION_NAMES, type TransitionName } from './flow.ts';

/* Table of the situations of an order: facts, steps, words (decisions 107, 148). */

/** Facts that distinguish situations; `server/pedidos/lectura/situation.ts` has them in SQL. */
export const FACTS = {
  deleted: { column: 'deleted_at', is: 'set' },
  refund: { column: 'por_reembolsar', is: 'positive' },
  waits: { column: 'incidencia_at', is: 'set' },
  inCompany: { column: 'en_empresa_at', is: 'set' },
  collected: { column: 'recoge_at', is: 'set' },
  announced: { column: 'transferencia_avisada_at', is: 'set' },
  refused: { column: 'motivo', is: 'refused' },
  attempted: { column: 'intento_at', is: 'set' },
  loaded: { column: 'cargado_at', is: 'set' },
  strayed: { column: 'salio_at', is: 'past' },
  postponed: { column: 'aplazado_at', is: 'set' },
  returning: { column: 'mercancia_at', is: 'set' },
  unpaid: { column: 'pendiente', is: 'positive' },
  late: { column: 'fecha_estimada', is: 'past' },
  withCompany: { column: 'cobro_empresa', is: 'positive' },
  partly: { column: 'entrega_parcial', is: 'true' },
} as const satisfies Record<string, { column: PedidoFieldName; is: 'set' | 'positive' | 'past' | 'true' | 'refused' }>;
export type Fact = keyof typeof FACTS;

/** Steps that are not transitions. Each needs its fact and permission, and some need unsealed data. */
export const OTHER_STEPS = {
  responder: { label: 'Decidir', action: 'pedido:postpone', needs: 'waits', sealed: false },
  leer_respuesta: { label: 'Leer respuesta', action: 'pedido:batch', needs: 'inCompany' },
  sacar: { label: 'Sacar del envío', action: 'pedido:batch', needs: 'inCompany' },
  cobrar: { label: 'Anotar pago', action: 'pago:manage', needs: 'unpaid' },
  pedir_pago: { label: 'Pedir el pago', action: 'pedido:prices', needs: 'unpaid', unless: 'announced', sealed: false },
  reembolsar: { label: 'Anotar el reembolso', action: 'pago:manage', needs: 'refund' },
  recibir: { label: 'Recibir la mercancía', action: 'devolucion:manage', needs: 'returning' },
  restaurar: { label: 'Restaurar', action: 'pedido:restore', needs: 'deleted', sealed: false },
} as const satisfies Record<string, OtherStep>;
export type OtherStep = { label: string; action: Action; needs: Fact; unless?: Fact; sealed?: false };
type Action = PedidoAction | 'pedido:batch' | 'pago:manage' | 'pedido:prices' | 'devolucion:manage';
export type Paso = TransitionName | keyof typeof OTHER_STEPS;
export const PASOS = [...TRANSITION_NAMES, ...(Object.keys(OTHER_STEPS) as (keyof typeof OTHER_STEPS)[])];
/** A step that will not be refused, with the words of its button. */
export type Offered = { paso: Paso; label: string };

export const TONES = ['neutral', 'info', 'warning', 'danger', 'success'] as const;
export const QUIENES = ['tienda', 'transportista', 'cliente', 'empresa'] as const;

const LEAVE = ['salir', 'completar'] as const;
/** Condition, tone and steps of a situation. */
export type SituationRow = {
  estados?: readonly Estado[];
  facts?: readonly Fact[];
  since?: PedidoFieldName;
  tone: (typeof TONES)[number];
  who?: (typeof QUIENES)[number];
  /** The order is not loaded, and no stop on paper or route. `unprepared`: its goods are not picked either; `prepared`: they are. */
  stays?: 'unprepared' | 'prepared';
  /** Situations that this one's sentence tells too. */
  covers?: readonly string[];
  /** Steps by importance; a pair has its own label. */
  steps: readonly (Paso | readonly [Paso, string])[];
  /** Steps of a carrier, if they differ. */
  carried?: readonly Paso[];
};

/** Situations by importance: the first that applies is shown, with the others beside. */
const ROWS = {
  eliminado: {
    facts: ['deleted'],
    since: 'deleted_at',
    tone: 'danger',
    who: 'tienda',
    stays: 'unprepared',
    steps: ['reembolsar', 'recibir', 'restaurar'],
  },
  rechazado: {
    facts: ['waits', 'refused'],
    since: 'intento_at',
    tone: 'danger',
    who: 'tienda',
    stays: 'unprepared',
    covers: ['espera_respuesta', 'intento'],
    steps: ['responder'],
  },
  espera_respuesta: {
    facts: ['waits'],
    since: 'incidencia_at',
    tone: 'danger',
    who: 'tienda',
    stays: 'unprepared',
    covers: ['intento'],
    steps: ['responder'],
  },
  transferencia_avisada: {
    facts: ['announced', 'unpaid'],
    since: 'transferencia_avisada_at',
    tone: 'warning',
    who: 'tienda',
    steps: [['cobrar', 'Ha llegado']],
  },
  por_reembolsar: { facts: ['refund'], tone: 'warning', who: 'tienda', steps: ['reembolsar'] },
  en_empresa: {
    estados: ABIERTOS,
    facts: ['inCompany'],
    since: 'en_empresa_at',
    tone: 'info',
    who: 'empresa',
    stays: 'prepared',
    steps: ['leer_respuesta', 'sacar'],
  },
  recoge: {
    estados: POR_ENTREGAR,
    facts: ['collected'],
    since: 'recoge_at',
    tone: 'info',
    who: 'cliente',
    stays: 'prepared',
    steps: [['completar', 'Lo ha recogido']],
    carried: ['devolver'],
  },
  sin_pagar: {
    estados: PROGRESO.pago,
    since: 'fecha_pedido',
    tone: 'warning',
    who: 'cliente',
    stays: 'unprepared',
    steps: ['cobrar', 'pedir_pago', 'cancelar'],
  },
  atrasado: { estados: POR_ENTREGAR, facts: ['late'], since: 'fecha_estimada', tone: 'danger', who: 'tienda', steps: [] },
  sin_volver: { estados: PROGRESO.camino, facts: ['strayed'], since: 'salio_at', tone: 'danger', who: 'transportista', steps: [] },
  aplazado: { estados: POR_ENTREGAR, facts: ['postponed'], since: 'aplazado_at', tone: 'info', who: 'transportista', steps: [] },
  intento: {
    estados: [...PROGRESO.confirmado, ...POR_CARGAR],
    facts: ['attempted'],
    since: 'intento_at',
    tone: 'warning',
    who: 'transportista',
    // It has been out: nothing is left to prepare.
    steps: LEAVE,
  },
  cargado: { estados: POR_CARGAR, facts: ['loaded'], since: 'cargado_at', tone: 'info', who: 'transportista', steps: LEAVE },
  por_asignar: { estados: PROGRESO.confirmado, tone: 'neutral', who: 'tienda', steps: ['asignar', 'tomar', 'completar'] },
  asignado: {
    estados: ['asignado'],
    tone: 'neutral',
    who: 'transportista',
    steps: ['preparar', ...LEAVE],
    carried: [...LEAVE, 'preparar'],
  },
  preparado: { estados: PROGRESO.preparacion, tone: 'neutral', who: 'transportista', steps: LEAVE },
  en_reparto: { estados: PROGRESO.camino, since: 'salio_at', tone: 'info', who: 'transportista', steps: ['completar', 'fallar'] },
  por_cobrar: {
    estados: PROGRESO.entregado,
    facts: ['unpaid'],
    since: 'fecha_completado',
    tone: 'warning',
    who: 'cliente',
    steps: ['cobrar', 'pedir_pago'],
  },
  cobro_en_empresa: { estados: PROGRESO.entregado, facts: ['withCompany'], tone: 'info', who: 'empresa', steps: [] },
  mercancia: {
    estados: PROGRESO.entregado,
    facts: ['returning'],
    since: 'mercancia_at',
    tone: 'warning',
    who: 'transportista',
    covers: ['entregado_en_parte'],
    steps: ['recibir'],
  },
  entregado_en_parte: { estados: PROGRESO.entregado, facts: ['partly'], since: 'fecha_completado', tone: 'info', steps: [] },
  entregado: { estados: PROGRESO.entregado, since: 'fecha_completado', tone: 'success', steps: [] },
  cancelado_fuera: { estados: GRUPO_ESTADOS.cancelado, facts: ['returning'], since: 'mercancia_at', tone: 'warning', steps: ['recibir'] },
  cancelado: { estados: GRUPO_ESTADOS.cancelado, tone: 'neutral', steps: [] },
} as const satisfies Record<string, SituationRow>;
export type SituationId = keyof typeof ROWS;
export const SITUATIONS: Readonly<Record<SituationId, SituationRow>> = ROWS;
export const SITUATION_IDS = Object.keys(ROWS) as SituationId[];

/**
 * Sentence of each situation; the others have that of their estado. Braces: fields. Brackets: a part left out if one of its fields is empty.
 * `tarde`: days late. `veces`: which attempt.
 */
export const SENTENCES: Partial<Record<SituationId, string>> = {
  eliminado: 'Eliminado el {deleted_at}[: hay que devolver {por_reembolsar}]',
  rechazado:
    'El cliente lo rechazó en la puerta[ el {intento_at}][: vuelve con {en_empresa}][: vuelve con {transportista_nombre}]. ¿Qué se hace?',
  espera_respuesta: 'Por decidir desde el {incidencia_at}[: {motivo}]. ¿Qué se hace?',
  transferencia_avisada: 'El cliente dice que ha hecho la transferencia el {transferencia_avisada_at}[: faltan por llegar {pendiente}]',
  por_reembolsar: 'Hay que devolver {por_reembolsar} a {cliente_nombre}',
  en_empresa: 'Con {en_empresa} desde el {en_empresa_at}',
  recoge: 'Lo recoge el cliente en la tienda, desde el {recoge_at}',
  atrasado: 'Prometido para el {fecha_estimada}: {tarde}[. Lo lleva {transportista_nombre}]',
  sin_volver: 'Salió el {salio_at}[ con {transportista_nombre}] y no se ha entregado ni ha vuelto',
  aplazado: 'El cliente pidió otro día[: el {fecha_estimada}][. Lo lleva {transportista_nombre}]',
  intento: '{veces} el {intento_at}[: {motivo}][. Lo lleva {transportista_nombre}][. Prometido para el {fecha_estimada}]',
  cargado: 'Cargado el {cargado_at}[. Lo lleva {transportista_nombre}][. Prometido para el {fecha_estimada}]',
  por_cobrar: 'Entregado el {fecha_completado} y por cobrar: {pendiente}',
  cobro_en_empresa: 'Entregado el {fecha_completado}. Lo cobrado, {cobro_empresa}, lo tiene {cobro_en}',
  mercancia: 'Entregado en parte el {fecha_completado}: lo demás vuelve[ con {transportista_nombre}] y falta recibirlo',
  entregado_en_parte: 'Entregado en parte el {fecha_completado}',
  cancelado_fuera: 'Cancelado el {mercancia_at} con la mercancía fuera: vuelve[ con {transportista_nombre}] y falta recibirla',
};

/** Short form of the sentences, for a cell. */
export const BRIEF: Partial<Record<SituationId, string>> = {
  rechazado: 'Rechazado en la puerta',
  espera_respuesta: 'Por decidir[: {motivo}]',
  transferencia_avisada: 'Dice que ha pagado',
  por_reembolsar: 'Devolver {por_reembolsar}',
  en_empresa: 'Con {en_empresa}',
  recoge: 'Lo recoge el cliente',
  atrasado: '{tarde}',
  sin_volver: 'Salió el {salio_at}',
  aplazado: 'Pidió otro día[: el {fecha_estimada}]',
  intento: '{veces}[: {motivo}]',
  cargado: 'Cargado',
  por_cobrar: 'Por cobrar: {pendiente}',
  cobro_en_empresa: 'Lo cobró {cobro_en}',
  mercancia: 'Vuelve mercancía',
  entregado_en_parte: 'En parte',
  cancelado_fuera: 'Vuelve mercancía',
};

/** Situations that add nothing to the estado. */
export const PLAIN: readonly SituationId[] = SITUATION_IDS.filter((id) => !SENTENCES[id]);
