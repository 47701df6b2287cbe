/* Templates of the shipment files for transport companies (decision 068): data, never code. */

/** Fields that an expression can name in braces. */
export const ENVIO_FIELDS = {
  numero_orden: 'Número de pedido: la referencia por la que se lee la respuesta',
  fecha: 'Día de hoy (dd/mm/aaaa)',
  cliente_nombre: 'Nombre',
  cliente_telefono: 'Teléfono',
  cliente_direccion: 'Dirección',
  cliente_direccion2: 'Piso, puerta',
  cliente_codigo_postal: 'Código postal',
  cliente_ciudad: 'Ciudad',
  cliente_provincia: 'Provincia',
  cliente_pais: 'País',
  instrucciones: 'Instrucciones',
  unidades: 'Unidades',
  reembolso: 'Importe a cobrar al entregar',
  empresa: 'Nombre de la tienda',
  empresa_telefono: 'Teléfono de la tienda',
} as const;
export type EnvioField = keyof typeof ENVIO_FIELDS;
export type EnvioValues = Record<EnvioField, string | number | null>;

export type Columna = { titulo: string; expresion: string; max: number };

export const SEPARADORES = { ';': 'Punto y coma', ',': 'Coma', '\t': 'Tabulador', '|': 'Barra' } as const;
export const CODIFICACIONES = { utf8: 'UTF-8', latin1: 'Latin-1 (Windows)' } as const;
export const MAX_COLUMNAS = 60;

const BRACES = /\{([^{}]*)\}/g;
const isField = (name: string): name is EnvioField => Object.hasOwn(ENVIO_FIELDS, name);

/** Returns a Spanish error sentence for an invalid expression, else undefined. An expression is literal text with fields in braces. */
export function problemOfExpresion(expresion: string): string | undefined {
  for (const [, name = ''] of expresion.matchAll(BRACES)) if (!isField(name)) return `No existe el campo {${name}}`;
  return /[{}]/.test(expresion.replace(BRACES, '')) ? 'Falta una llave: los campos van como {cliente_nombre}' : undefined;
}

/** Evaluates an expression for an order: line breaks become spaces, and the text is cut to `max` characters (0: no limit). */
export function evaluate(
  { expresion, max }: Pick<Columna, 'expresion' | 'max'>,
  values: EnvioValues,
  { comaDecimal }: { comaDecimal: boolean },
): string {
  const shown = (value: string | number | null) => {
    if (typeof value !== 'number') return value ?? '';
    const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
    return comaDecimal ? text.replace('.', ',') : text;
  };
  const text = expresion
    .replace(BRACES, (_, name: EnvioField) => shown(values[name]))
    .replace(/\s+/g, ' ')
    .trim();
  return max ? [...text].slice(0, max).join('').trim() : text;
}

/** Writes columns as lines for a person to edit: `Nombre | {cliente_nombre} | 35`. */
export const columnasText = (columnas: readonly Columna[]): string =>
  columnas.map(({ titulo, expresion, max }) => [titulo, expresion, ...(max ? [max] : [])].join(' | ')).join('\n');

/** Parses the lines of `columnasText`; returns a Spanish error sentence instead for an invalid line. */
export function parseColumnas(text: string): Columna[] | string {
  const lines = text.split('\n').filter((line) => line.trim());
  if (lines.length === 0) return 'Escribe al menos una columna';
  if (lines.length > MAX_COLUMNAS) return `Como máximo ${MAX_COLUMNAS} columnas`;
  const columnas: Columna[] = [];
  for (const [i, line] of lines.entries()) {
    const [titulo = '', expresion = '', max = '0', ...rest] = line.split('|').map((part) => part.trim());
    if (!titulo || rest.length || !/^\d{1,3}$/.test(max)) return `Línea ${i + 1}: escribe título | contenido | largo máximo`;
    const problem = problemOfExpresion(expresion);
    if (problem) return `Línea ${i + 1}: ${problem}`;
    columnas.push({ titulo, expresion, max: Number(max) });
  }
  return columnas;
}
