/* Number formats of a workbook (ECMA-376, 18.8.30): what a cell shows. */

/** What Excel made of a cell that a person may have typed otherwise: «3-1» becomes a date. */
export type Mark = 'date' | 'time';
export type Shown = { text: string; mark?: Mark };
export type NumberFormat = { is: 'plain' | 'date' | 'time' | 'both' | 'percent'; currency?: string; zeros?: number };

const BUILT_IN: Record<number, NumberFormat['is']> = {
  ...{ 9: 'percent', 10: 'percent', 14: 'date', 15: 'date', 16: 'date', 17: 'date', 18: 'time', 19: 'time', 20: 'time', 21: 'time' },
  ...{ 22: 'both', 45: 'time', 46: 'time', 47: 'time' },
};

/** Reads a format by its number or, if the workbook defines the format, by its code. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return { is: BUILT_IN[id] ?? 'plain' };
  const [section = ''] = code.split(';');
  const [, sign] = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(section) ?? [];
  const [written] = /[$£¥€]|"[^"\d]*\p{L}{1,3}[^"]*"/u.exec(section) ?? [];
  const currency = (sign ?? written)?.replace(/["\s]/g, '');
  // Text in quotation marks, escaped characters, colours and locales are no codes of a date.
  const codes = section.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const [day, hour] = [/[dy]|m(?![^hs]*[hs])(?<![hs][^dy]*m)/i.test(codes), /[hs]/i.test(codes)];
  if ((day || hour) && !/[0#?]/.test(codes.replace(/\.0+/g, ''))) return { is: day ? (hour ? 'both' : 'date') : 'time' };
  if (codes.includes('%')) return { is: 'percent' };
  const [zeros] = /^0{2,}$/.exec(codes) ?? [];
  return { is: 'plain', ...(currency && !/^(€|eur)$/i.test(currency) && { currency }), ...(zeros && { zeros: zeros.length }) };
}

const DAY_MS = 86_400_000;
const two = (n: number) => String(n).padStart(2, '0');

/** Text of a number under a format. `from1904`: the workbook counts its days from 1904. */
export function showCell(value: number, { is, currency, zeros }: NumberFormat, from1904: boolean): Shown {
  if (is === 'percent') return { text: `${plain(value * 100)} %` };
  if (is === 'plain') return { text: currency ? `${plain(value)} ${currency}` : plain(value).padStart(zeros ?? 0, '0') };
  const at = new Date(Math.round((value + (from1904 ? 1462 : 0)) * DAY_MS) + Date.UTC(1899, 11, 30));
  const hour = `${at.getUTCHours()}:${two(at.getUTCMinutes())}`;
  // Below 1 there is no day, whatever the format says.
  if (is === 'time' || (value < 1 && !from1904)) return { text: hour, mark: 'time' };
  const day = `${at.getUTCDate()}/${at.getUTCMonth() + 1}/${at.getUTCFullYear()}`;
  return { text: is === 'both' && value % 1 !== 0 ? `${day} ${hour}` : day, mark: 'date' };
}

/** Number without the noise of floating point, and never in scientific notation. */
const plain = (value: number) => Number(value.toPrecision(15)).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 15 });
