import { z } from 'zod';
import { doneWith, id, isoInstant, operation } from '../kit/schemas.ts';
import {
  EXIGENCIAS,
  type Exigencia,
  FORMAS_ENTREGA,
  MAX_PRUEBAS,
  PRUEBAS_DE,
  RELACIONES,
  SIN_COMPROBAR,
  type SinComprobar,
  TIPOS_PRUEBA,
} from './fields.ts';

const exigencia = z.enum(Object.keys(EXIGENCIAS) as [Exigencia]);
const exigenciasDe = (pruebas: readonly string[]) => Object.fromEntries(pruebas.map((prueba) => [prueba, exigencia.optional()]));
type Reglas = Record<(typeof FORMAS_ENTREGA)[number], Partial<Record<'receptor' | 'firma' | 'foto' | 'pin', Exigencia>>>;
// `Object.fromEntries` loses the names of the keys in its type.
export const reglasEntrega: z.ZodType<Reglas> = z.object(
  Object.fromEntries(FORMAS_ENTREGA.map((forma) => [forma, z.object(exigenciasDe(PRUEBAS_DE[forma]))])),
) as unknown as z.ZodType<Reglas>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'La huella debe ser SHA-256 en hexadecimal');

/** Files to be uploaded after the step. */
export const anunciadas = z
  .array(z.strictObject({ tipo: z.enum(TIPOS_PRUEBA, 'Tipo de prueba no válido'), sha256 }))
  .max(MAX_PRUEBAS, `Como máximo ${MAX_PRUEBAS} pruebas`);

export const prueba = z.object({
  id,
  tipo: z.enum(TIPOS_PRUEBA),
  sha256: z.string(),
  bytes: z.number(),
  created_at: isoInstant,
  url: z.string().nullable().describe('Null for callers who may not see it, after its term, and while the data is blocked'),
});

export const entrega = z.object({
  forma_entrega: z.enum(FORMAS_ENTREGA).nullable(),
  receptor_nombre: z.string().nullable(),
  receptor_relacion: z.enum(RELACIONES).nullable(),
  pin_correcto: z.boolean().nullable().describe('Null if no PIN was given; false for a wrong one of a delivery recorded late'),
  pin_fallos: z.number(),
  sin_comprobar: z
    .array(z.enum(Object.keys(SIN_COMPROBAR) as [SinComprobar]))
    .describe('Proof that the shop asks for and a delivery recorded late lacks'),
  pruebas: z.array(prueba),
  faltan: z.array(z.enum(TIPOS_PRUEBA)).describe('Announced, and not yet arrived'),
});

export const getEntrega = operation('How an order was delivered, with its proofs; null without', {
  200: z.object({ data: entrega.nullable() }),
});

export const sendPrueba = operation(
  'Send a file that the delivery announced: a signature (PNG) or a photo (JPEG without metadata), known by its SHA-256',
  { bytes: ['image/png', 'image/jpeg', 'application/octet-stream'], 201: doneWith(prueba) },
);

export const getFichero = operation('The file of a proof of delivery', { file: 'application/octet-stream' });
