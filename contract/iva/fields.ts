import type { Field } from '../kit/fields.ts';

/* Rates of VAT, behind the setting `iva`: hidden while the setting is off. */

/** Rates of products and lines, highest first, with their percentage. */
export const IVA = [
  { tipo: '21', label: '21 %', percent: 21 },
  { tipo: '10', label: '10 %', percent: 10 },
  { tipo: '4', label: '4 %', percent: 4 },
  { tipo: '0', label: '0 %', percent: 0 },
  { tipo: 'exento', label: 'Exento', percent: 0 },
] as const;
export type TipoIva = (typeof IVA)[number]['tipo'];
export const TIPOS_IVA = IVA.map(({ tipo }) => tipo) as readonly TipoIva[];

/** Rows of a breakdown without a rate: exempt by destination (contract/iva/territory.ts), and lines that have no rate yet. */
export const SIN_TIPO = 'sin_tipo';
export const FILAS_SIN_IVA = ['exportacion', 'intracomunitaria', 'no_sujeto'] as const;
export const FILAS_IVA = [...TIPOS_IVA, ...FILAS_SIN_IVA, SIN_TIPO] as const;
export type FilaIva = (typeof FILAS_IVA)[number];

export const FILA_IVA_LABEL: Record<FilaIva, string> = {
  ...(Object.fromEntries(IVA.map(({ tipo, label }) => [tipo, label])) as Record<TipoIva, string>),
  exportacion: 'Exportación (exenta)',
  intracomunitaria: 'Intracomunitaria (exenta)',
  // Rows from before 0.3.0, by an earlier rule.
  no_sujeto: 'Sin IVA (regla anterior)',
  sin_tipo: 'Sin tipo de IVA',
};

/** Percentage of a row; 0 for rows without VAT. */
export const vatPercent = (fila: string): number => IVA.find(({ tipo }) => tipo === fila)?.percent ?? 0;

export const IVA_FIELD = {
  label: 'Tipo de IVA',
  kind: 'choice',
  options: TIPOS_IVA,
  invalid: 'Elige un tipo de IVA',
} as const satisfies Field;
