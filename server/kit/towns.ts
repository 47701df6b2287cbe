import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Provinces, postcodePrefix, readTowns, type Towns } from '../../contract/doubts/towns.ts';

/** The browser's tables; a release has them in the same place. */
const TABLES = join(import.meta.dirname, '../../web/pedidos/cliente/poblaciones');

const read = new Map<string, Promise<Towns>>();

/** Returns the towns of the province of a Spanish postcode; empty for other postcodes. */
export async function townsAround(postcode: string, country: string): Promise<Provinces> {
  const prefix = postcodePrefix(postcode, country);
  if (!prefix || prefix < '01' || prefix > '52') return new Map();
  const towns = read.get(prefix) ?? readFile(join(TABLES, `${prefix}.txt`), 'utf8').then(readTowns);
  read.set(prefix, towns);
  return new Map([[prefix, await towns]]);
}
