/** Formats of bank statements: Norma 43 of the Spanish banks, ISO 20022 camt.053, and a sheet. */
export const FORMATOS_EXTRACTO = ['n43', 'camt', 'hoja'] as const;

/** Maximum number of movements in one request; a longer file is sent in parts that end with a day. */
export const MAX_MOVIMIENTOS = 5000;
/** Maximum length of a movement's text. */
export const MAX_TEXTO = 500;

/**
 * Where a movement of the bank belongs: orders that it pays, payments noted before, remittances of companies, card payments paid out by their
 * provider, cash that was paid in.
 */
export const DESTINOS = ['pedidos', 'cobros', 'liquidacion', 'pasarela', 'caja'] as const;
export type Destino = (typeof DESTINOS)[number];

/** Decisions about a movement that belongs to no order. */
export const CIERRES = ['devolver', 'devuelto', 'visto'] as const;

/**
 * The account in a movement as every format can say it: bank, office and number, 18 digits, without the check digits of IBAN and CCC; any other
 * text without spaces.
 */
export function accountKey(account: string): string {
  const bare = account.replace(/\s/g, '').toUpperCase();
  const [, bank, number] = /^(?:ES\d\d)?(\d{8})\d\d(\d{10})$/.exec(bare) ?? [];
  return bank && number ? bank + number : bare.slice(0, 40);
}
