import { stringify } from 'csv-stringify/sync';

/* Every CSV file is written here: no text becomes a formula in the program that opens the file. */

const TELEPHONE = /^\+[ (]*\d[\d ().-]*$/;
/** A formula after a separator: a program that splits there, whatever the quotes say, would run «,=1+1». */
const FORMULA_WITHIN = /(?<=[,;|\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A number is written with a decimal comma and never escaped: a leading minus sign is no formula. */
export type CsvCell = string | { n: number; decimals: number };

/** Returns rows as CSV with CRLF. Escapes texts that a spreadsheet would read as a formula, except telephones. */
export const csvText = (rows: readonly CsvCell[][], delimiter = ';'): string =>
  stringify(rows as CsvCell[][], {
    delimiter,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: {
      string: (text) => (TELEPHONE.test(text) ? { value: text, escape_formulas: false } : text.replace(FORMULA_WITHIN, "'")),
      object: (cell) => {
        const { n, decimals } = cell as { n: number; decimals: number };
        return { value: n.toFixed(decimals).replace('.', ','), escape_formulas: false };
      },
    },
  });
