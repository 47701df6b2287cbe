import { bankText } from '../kit/bank.ts';

type Transfer = { beneficiario: string; iban: string; bic: string; importe_cents: number; concepto: string };

/** Text of the QR code for SEPA transfers: EPC069-12, version 002, UTF-8, unstructured remittance information; names in the characters of banks. */
export const epcText = ({ beneficiario, iban, bic, importe_cents, concepto }: Transfer): string =>
  [
    'BCD',
    '002',
    '1',
    'SCT',
    bic,
    bankText(beneficiario, 70),
    iban.replace(/\s/g, ''),
    `EUR${(importe_cents / 100).toFixed(2)}`,
    '',
    '',
    bankText(concepto, 140),
  ].join('\n');

/**
 * Returns the concept that the customer writes: the order's number, or what a bank carries of it and eight digits of our own. The search finds
 * both (server/db/search-text.ts).
 */
export function transferConcept({ numero_orden, id }: { numero_orden: string; id: string }): string {
  const carried = bankText(numero_orden, 140);
  return carried === numero_orden ? numero_orden : `${carried} ${id.replaceAll('-', '').slice(-8).toUpperCase()}`.trim();
}
