import { cleanText } from '../../../contract/text/normalize.ts';

/* Texts of web shops: plain, without HTML. */

export const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const BREAK = /<(?:br|\/p|\/div|\/li)\b[^<>]{0,300}>/gi;
const TAG = /<\/?(?:a|abbr|b|bdi|del|div|em|font|h\d|i|img|ins|li|ol|p|small|span|strong|su[bp]|table|t[dhr]|u|ul)\b[^<>]{0,300}>/gi;

/** Text without tags and HTML character references; '' for a value that is none. */
export const plainText = (value: unknown): string =>
  isPlain(value) ? cleanText(String(value).replace(BREAK, '\n').replace(TAG, '')).replaceAll('\u0000', '').toWellFormed().trim() : '';
