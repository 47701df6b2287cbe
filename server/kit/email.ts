import { domainToUnicode } from 'node:url';

/** Stored e-mail address as people write it: «ana@cañadas.es», not ana@xn--caadas-xwa.es. */
export const shownEmail = (stored: string): string =>
  stored.replace(/(?<=@)xn--[^@]*$|(?<=@.*\.)xn--[^@]*$/, (domain) => domainToUnicode(domain) || domain);
