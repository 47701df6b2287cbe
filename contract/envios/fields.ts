import { foldText } from '../text/normalize.ts';

export const MAX_ENVIO = 2000;
/** Hours in which an accepted answer can be taken back. */
export const DESHACER_HORAS = 24;

/** Effect of a row of a company's answer, applied or previewed. */
export const RESULTADOS = ['completar', 'incidencia', 'igual', 'en_camino', 'no_encaja'] as const;
export type Resultado = (typeof RESULTADOS)[number];

/** Readings of what a company says of a parcel, the worst one first: of several rows or columns of one order the worst counts. */
export const LECTURAS = ['incidencia', 'no_se_sabe', 'en_camino', 'entregado'] as const;
export type Lectura = (typeof LECTURAS)[number];

/** The worst of several readings; undefined if there is none. */
export const worstLectura = (all: readonly Lectura[]): Lectura | undefined => LECTURAS.find((lectura) => all.includes(lectura));

/** Normalises a reference for comparison, because companies change spaces, hyphens and case. */
export const bareReferencia = (text: string): string =>
  foldText(text)
    .replace(/[^a-z0-9]+/g, '')
    .toUpperCase();
