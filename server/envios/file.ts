import { stringify } from 'csv-stringify/sync';
import type { Plantilla } from '../../contract/envios/envios.ts';
import { type EnvioValues, evaluate } from '../../contract/envios/plantilla.ts';

const TELEPHONE = /^\+[\d\s().-]+$/;

/** Returns the bytes of a shipment file. Escapes text that a spreadsheet would read as a formula, except telephones. */
export function writeFile(plantilla: Plantilla, orders: readonly EnvioValues[]): Buffer {
  const { columnas, separador, codificacion, coma_decimal: comaDecimal, con_titulos } = plantilla;
  const rows = orders.map((values) => columnas.map((columna) => evaluate(columna, values, { comaDecimal })));
  const text = stringify(con_titulos ? [columnas.map(({ titulo }) => titulo), ...rows] : rows, {
    delimiter: separador,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { string: (value) => (TELEPHONE.test(value) ? { value, escape_formulas: false } : value) },
  });
  return codificacion === 'utf8' ? Buffer.from(text, 'utf8') : latin1(text);
}

const PLAIN: Readonly<Record<string, string>> = { '€': 'EUR', '“': '"', '”': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '…': '...' };

/** Encodes text as Latin-1. Replaces other characters by plain characters, by letters without accent, or by a question mark. */
function latin1(text: string): Buffer {
  const letters = Array.from(text.normalize('NFC'), (char) => {
    if (char <= 'ÿ') return char;
    const plain = PLAIN[char] ?? char.normalize('NFD').replace(/\p{M}/gu, '');
    return /^[\0-ÿ]+$/.test(plain) ? plain : '?';
  });
  return Buffer.from(letters.join(''), 'latin1');
}
