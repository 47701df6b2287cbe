import { DomainError } from '../kit/errors.ts';

/** Wrong keys allowed per network and minute, by each server process. */
export const KEY_REFUSALS = 60;
const WINDOW = 60_000;

/** Counts wrong keys per network. A key that worked in the same minute is not blocked by wrong keys of its network. */
export function watchRefusals() {
  let begun = 0;
  let refused = new Map<string, number>();
  let opened = new Set<string>();
  return {
    /** Throws 429 with Retry-After (seconds) for a network beyond the limit. */
    refuseTooMany(network: string, keyHash: string): void {
      const age = Date.now() - begun;
      if (age < 0 || age >= WINDOW) [begun, refused, opened] = [Date.now(), new Map(), new Set()];
      if ((refused.get(network) ?? 0) < KEY_REFUSALS || opened.has(keyHash)) return;
      const headers = { 'retry-after': String(Math.ceil((WINDOW - (Date.now() - begun)) / 1000)) };
      throw new DomainError(429, 'Demasiadas peticiones con claves que no valen: espera un minuto', { headers });
    },
    count(network: string, keyHash: string, isOpen: boolean): void {
      if (isOpen) opened.add(keyHash);
      else refused.set(network, (refused.get(network) ?? 0) + 1);
    },
  };
}
