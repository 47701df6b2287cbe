import { expect, test } from 'vitest';
import { commandTime } from '../archive/recover.ts';
import { parseMoment } from './restore.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const moment = (text: string) => parseMoment(text, NOW).toISOString();

test.each([
  ['2026-11-26 17:58', '2026-11-26T16:58:00.000Z'],
  ['2026-07-01 00:30:15', '2026-06-30T22:30:15.000Z'],
  ['2026-11-26 17:58:01.250', '2026-11-26T16:58:01.250Z'],
  ['2026-10-25 02:30+02:00', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25 02:30+01:00', '2026-10-25T01:30:00.000Z'],
])('%s is a moment in the time of Spain, and is printed as it is read', (text, utc) => {
  expect(moment(text)).toBe(utc);
  expect(moment(commandTime(Date.parse(utc)))).toBe(utc);
});

test.each([
  ['2026-10-25 02:30', 'existe dos veces'],
  ['2026-03-29 02:30', 'se adelanta el reloj'],
  ['2026-11-26 17:58+02:00', 'no existe en España con ese huso'],
  ['2027-11-26 17:58', 'está en el futuro: ahora son las 2026-11-27 13:00:00'],
])('%s is not guessed but asked', (text, sentence) => expect(() => moment(text)).toThrow(sentence));

test.each(['', 'ayer', '2026-13-01 00:00', '26/11/2026 17:58'])('«%s» is refused with the usage', (text) =>
  expect(() => moment(text)).toThrow(''),
);
