type Transfer = { beneficiario: string; iban: string; bic: string; importe_cents: number; concepto: string };

/** Text of the QR code for SEPA transfers: EPC069-12, version 002, UTF-8, unstructured remittance information. */
export const epcText = ({ beneficiario, iban, bic, importe_cents, concepto }: Transfer): string =>
  [
    'BCD',
    '002',
    '1',
    'SCT',
    bic,
    line(beneficiario, 70),
    iban.replace(/\s/g, ''),
    `EUR${(importe_cents / 100).toFixed(2)}`,
    '',
    '',
    line(concepto, 140),
  ].join('\n');

// A line break would start the next field.
const line = (text: string, max: number) => text.replace(/\s+/g, ' ').slice(0, max);
