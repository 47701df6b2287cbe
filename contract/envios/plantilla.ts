import { firstTelephone } from '../text/telephone.ts';

/* Templates of the shipment files for transport companies (decision 068): data, never code. */

/** Fields that an expression can name in braces. */
export const ENVIO_FIELDS = {
  numero_orden: 'Nº de pedido: la referencia por la que se lee la respuesta',
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

type Cell = { text: string; cut?: true };

/**
 * Evaluates an expression for an order: line breaks become spaces. A text of more than `max` characters (0: no limit) is shortened, but keeps
 * its numbers: door, number, gate, telephone. `cut`: parts of a note are missing. Undefined if the rest does not fit either.
 */
export function evaluatePlantilla(
  { expresion, max }: Pick<Columna, 'expresion' | 'max'>,
  values: EnvioValues,
  { comaDecimal }: { comaDecimal: boolean },
): Cell | undefined {
  const shown = (value: string | number | null) => {
    if (typeof value !== 'number') return value ?? '';
    const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
    return comaDecimal ? text.replace('.', ',') : text;
  };
  const text = expresion
    .replace(BRACES, (_, name: EnvioField) => shown(values[name]))
    .replace(/\s+/g, ' ')
    .trim();
  const fits = (short: string) => [...short].length <= max;
  if (!max || fits(text)) return { text };
  if (expresion === '{numero_orden}') return max < 10 ? undefined : { text: shortReferencia(text, max) };
  const telephone = expresion === '{cliente_telefono}' ? firstTelephone(text, values.cliente_pais?.toString()) : '';
  const isNote = expresion.includes('{instrucciones}');
  const short = telephone || shortened(text, max, isNote ? [6, 4] : [6, 4, 3, 1]);
  if (short !== undefined && fits(short)) return { text: short };
  const note = isNote ? shortNote(text, max) : '';
  return note ? { text: note, cut: true } : undefined;
}

/** Reference of at most `max` characters (at least ten) for an order's number: a longer one keeps its end, after a sum of the whole number. */
export function shortReferencia(numero: string, max: number): string {
  if (!max || numero.length <= max) return numero;
  // FNV-1a, 32 bits: two numbers with the same end have different sums.
  const sum = [...numero].reduce((hash, char) => Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0, 0x811c9dc5);
  return `${sum.toString(36).toUpperCase().padStart(7, '0')}-${numero.slice(8 - max)}`;
}

/** References under which a company's file names an order. */
export const envioReferences = (columnas: readonly Columna[], numero_orden: string): string[] =>
  columnas.flatMap(({ expresion, max }) => (expresion === '{numero_orden}' ? [shortReferencia(numero_orden, max)] : []));

/** Shortens words without figures to fewer and fewer letters, the first words first, until the text fits; undefined if it never does. */
function shortened(text: string, max: number, steps: readonly number[]): string | undefined {
  const words = text.split(' ');
  for (const letters of steps)
    for (const [i, word] of words.entries()) {
      if ([...words.join(' ')].length <= max) return words.join(' ');
      const [, start = '', end = ''] = new RegExp(`^(\\p{L}{${letters}})\\p{L}{2,}[.]?([^\\p{L}\\p{N}.]*)$`, 'u').exec(word) ?? [];
      if (start) words[i] = `${start}.${end}`;
      // Already shortened to more letters.
      else if (/^\p{L}+[.][^\p{L}\p{N}]*$/u.test(word)) words[i] = word.replace(new RegExp(`^(\\p{L}{${letters}})\\p{L}+`, 'u'), '$1');
    }
  const short = words.join(' ');
  return [...short].length <= max ? short : undefined;
}

/** Keeps the clauses of a note that have figures, such as a gate's code, and of the others those that still fit; '' if that is too much. */
export function shortNote(note: string, max: number): string {
  const clauses = note.split(/(?<=[.,;:!])\s+/);
  const room = max - 2;
  const kept = new Set(clauses.filter((clause) => /\d/.test(clause)));
  const joined = () => clauses.filter((clause) => kept.has(clause)).join(' ');
  if ([...joined()].length > room) {
    const short = shortened(joined(), room, [6, 4, 3, 1]);
    return short ? `${short} …` : '';
  }
  for (const clause of clauses) {
    kept.add(clause);
    if ([...joined()].length > room) kept.delete(clause);
  }
  return `${joined() || note.slice(0, room).replace(/\s\S*$/, '')} …`;
}

/** Titles of the columns that cannot hold an order: `out` not at all, `cut` not the whole note. */
export function tooLong(columnas: readonly Columna[], values: EnvioValues): { out: string[]; cut: string[] } {
  const cells = columnas.map((columna) => ({ titulo: columna.titulo, cell: evaluatePlantilla(columna, values, { comaDecimal: true }) }));
  return {
    out: cells.flatMap(({ titulo, cell }) => (cell ? [] : [titulo])),
    cut: cells.flatMap(({ titulo, cell }) => (cell?.cut ? [titulo] : [])),
  };
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
