import { conflict } from './errors.ts';

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

/** Throws 409 with code `version` if the caller has seen an older version. Accepts callers without `seen`. */
export function refuseStale(row: { version: number }, seen: number | undefined, what: keyof typeof OPEN): void {
  if (seen !== undefined && seen !== row.version) throw conflict(`Otra persona ha cambiado ${what} mientras ${OPEN[what]}`, 'version');
}

/** Returns the next version of a row, or the current version if `changed` is empty. */
export const nextVersion = ({ version }: { version: number }, changed: object) =>
  Object.keys(changed).length ? { version: version + 1 } : { version };
