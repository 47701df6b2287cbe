import { readPostcode } from '../text/country.ts';

/* Zones of carriers: the postcodes that each delivers to (decision 067). */

export const REPARTO = { no: 'No se usan', primero: 'Los suyos primero', solo: 'Solo los suyos' } as const;
export type Reparto = keyof typeof REPARTO;
export const REPARTO_EN_USO = ['primero', 'solo'] as const satisfies Reparto[];

/** Whole postcodes, or prefixes with an asterisk. */
const ZONAS = /^(\d{5}|\d{1,4}\*)([\s,;]+(\d{5}|\d{1,4}\*))*[\s,;]*$/;

export const ZONAS_FIELD = {
  label: 'Zonas de reparto',
  kind: 'text',
  max: 500,
  pattern: ZONAS,
  invalid: 'Códigos postales separados por comas, como 28013, 280* o 45*',
} as const;

/** Returns zones as they are stored, `28*, 45001`: sorted, without duplicates or zones inside another; null if there are none. */
export function normalizeZonas(text: string | null): string | null {
  const zonas = [...new Set((text ?? '').split(/[\s,;]+/).filter(Boolean))].toSorted();
  const isHeld = (zona: string) => zonas.some((other) => other !== zona && other.endsWith('*') && zona.startsWith(other.slice(0, -1)));
  return zonas.filter((zona) => !isHeld(zona)).join(', ') || null;
}

/** True if stored `zonas` contain the postcode. */
export function inZonas(zonas: string | null, postcode: string | null | undefined): boolean {
  const digits = readPostcode(postcode);
  if (!zonas || !digits) return false;
  return zonas.split(', ').some((zona) => (zona.endsWith('*') ? digits.startsWith(zona.slice(0, -1)) : digits === zona));
}

/** True if a carrier with these zones may deliver to the postcode under the setting `solo`; null zones allow every postcode. */
export const deliversTo = (zonas: string | null, postcode: string | null | undefined): boolean =>
  zonas === null || inZonas(zonas, postcode);
