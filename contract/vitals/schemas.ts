import { z } from 'zod';
import { doneMessage, operation } from '../kit/schemas.ts';
import { ROLES } from '../policy/policy.ts';
import { DEVICES } from './fields.ts';

/** Path pattern of a screen, such as `/pedidos/$id`; never an address, which may hold an id or a search. */
const screen = z.string('Pantalla no válida').regex(/^\/[a-z$/-]{0,60}$/, 'Pantalla no válida');
const device = z.enum(Object.keys(DEVICES) as (keyof typeof DEVICES)[], 'Dispositivo no válido');

const measured = z
  .strictObject({
    pantalla: screen,
    valor: z.number('Valor no válido').int('Valor no válido').min(0, 'Valor no válido').max(600_000, 'Valor no válido'),
  })
  .optional();

export const sendVitals = operation(
  'Count what the caller’s browser measured since its page was opened, without person or address; in ms, `cls` in thousandths',
  {
    body: z.strictObject({
      dispositivo: device,
      lcp: measured.describe('Largest Contentful Paint'),
      inp: measured.describe('Interaction to Next Paint'),
      cls: measured.describe('Cumulative Layout Shift'),
      filas: measured.describe('Time until the rows of the first list stand'),
    }),
    200: doneMessage,
  },
);

const figure = z.number().nullable();

/** Third quartiles of a screen, role and kind of device; null where nothing was measured. */
export const screenSpeed = z.object({
  pantalla: z.string(),
  rol: z.enum(ROLES),
  dispositivo: device,
  medidas: z.number().describe('Measured pages'),
  lcp: figure.describe('ms'),
  inp: figure.describe('ms'),
  cls: figure.describe('Thousandths'),
  filas: figure.describe('ms'),
});

export const listVitals = operation('What browsers measured in the last 28 days, by screen, role and kind of device; the most used first', {
  200: z.object({ data: z.array(screenSpeed) }),
});
