import { conflict } from './errors.ts';

/** What a form edits, and how its conflict says that it was open. */
const OPEN = {
  'este pedido': 'lo tenías abierto',
  'este producto': 'lo tenías abierto',
  'este pack': 'lo tenías abierto',
  'este usuario': 'lo tenías abierto',
  'este cliente': 'lo tenías abierto',
  'este webhook': 'lo tenías abierto',
  'esta vista': 'la tenías abierta',
  'lo que gana': 'lo tenías abierto',
  'esta liquidación': 'la tenías abierta',
  'la configuración': 'la tenías abierta',
};

/** Throws 409 with code `version` when the caller has seen an older version; without `seen` nothing is compared. */
export function refuseStale(row: { version: number }, seen: number | undefined, what: keyof typeof OPEN): void {
  if (seen !== undefined && seen !== row.version) throw conflict(`Otra persona ha cambiado ${what} mientras ${OPEN[what]}`, 'version');
}

/** The version of a row in which `changed` is written; the same while nothing is. */
export const nextVersion = ({ version }: { version: number }, changed: object) =>
  Object.keys(changed).length ? { version: version + 1 } : { version };
