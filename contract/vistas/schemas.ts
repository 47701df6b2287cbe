import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { doneMessage, doneWith, id, idsQuery, listOf, operation, version } from '../kit/schemas.ts';
import { pedidosQuery } from '../pedidos/filters.schemas.ts';
import { LISTA_NAMES, LISTAS, type Lista, PERIODOS_VISTA, VISTA_FIELDS } from './fields.ts';

const lista = z.enum(LISTA_NAMES, 'Lista no válida');

const value = z.string().min(1).max(300, 'Filtro no válido');

export const consulta = z.record(z.string().max(40), value);

const columnas = z
  .array(z.string().regex(/^\w{1,40}$/, 'Columna no válida'))
  .min(1, 'Deja alguna columna')
  .max(40)
  .nullable();

export const vista = z.object({
  id,
  lista,
  nombre: z.string(),
  consulta,
  /** Columns in order; null: each person's own choice. */
  columnas,
  compartida: z.boolean(),
  de: z.string(),
  mia: z.boolean(),
  al_abrir: z.boolean(),
  version: z.number(),
});

const fields = { ...inputSchemas(VISTA_FIELDS, ['nombre']), consulta, columnas, compartida: z.boolean() };

/** Returns the reason why the list cannot take these filters, in Spanish; undefined if it can. */
export function problemOfConsulta(of: Lista, query: z.infer<typeof consulta>): string | undefined {
  const names: readonly string[] = LISTAS[of].claves;
  const schemas: Record<string, z.ZodType> = { ...pedidosQuery.shape, periodo: z.enum(PERIODOS_VISTA) };
  const wrong = Object.entries(query).find(([name, text]) => !names.includes(name) || !schemas[name]?.safeParse(text).success);
  if (wrong) return `Esta lista no tiene el filtro «${wrong[0]}» o no con ese valor`;
  return query.periodo && (query.fecha_desde || query.fecha_hasta) ? 'Elige un periodo o dos fechas, no ambos' : undefined;
}

export const listVistas = operation('Saved views of a list: the caller’s own and the shared ones, by name', {
  query: z.strictObject({ ...idsQuery, lista }),
  200: listOf(vista),
});

export const createVista = operation('Save a view; only superadmins share theirs', {
  body: z.strictObject({ ...fields, lista, columnas: columnas.default(null), compartida: z.boolean().default(false) }),
  201: doneWith(vista),
});

export const updateVista = operation('Change a view of one’s own, or as a superadmin a shared one; a stale version is refused with 409', {
  body: z.strictObject({ ...z.object(fields).partial().shape, version }),
  200: doneWith(vista),
});

export const deleteVista = operation(
  'Delete a view of one’s own, or as a superadmin a shared one; lists that open with it open with none',
  { 200: doneMessage },
);

export const preferVista = operation('With which view the caller’s list opens; null for none', {
  body: z.strictObject({ lista, vista_id: id.nullable() }),
  200: doneMessage,
});
