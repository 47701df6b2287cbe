/** Formats an IBAN for reading: `ES91 2100 0418 4502 0005 1332`. */
export const ibanInFours = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');
