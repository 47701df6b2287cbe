/* Fields and their rules, without Zod, so that the browser checks them while the user types. */

type WireTypes = {
  text: string;
  multiline: string;
  telephone: string;
  postcode: string;
  country: string;
  email: string;
  password: string;
  integer: number;
  /** Euros with two decimals; cents in the database, in a column named `<field>_cents`. */
  money: number;
  instant: string;
  id: string;
  choice: string;
  metadata: Metadata;
  flag: boolean;
};
/** References that other programs store on a record (decision 053). */
export type Metadata = Readonly<Record<string, string>>;
export type KindName = keyof WireTypes;

export type Field = {
  label: string;
  kind: KindName;
  /** Maximum length in characters, or maximum number. */
  max?: number;
  min?: number;
  /** Error for a missing value. A field without `required` is optional, and null on the wire when empty. */
  required?: string;
  invalid?: string;
  pattern?: RegExp;
  /** Validates a text that is not empty, for rules beyond a pattern. */
  check?: (text: string) => boolean;
  /** Sentence for a text that `check` refuses, more precise than `invalid`. */
  problem?: (text: string) => string | undefined;
  options?: readonly string[];
};
export type Fields = Record<string, Field>;

export type Wire<F extends Field> = F extends { options: readonly (infer O)[] } ? O : WireTypes[F['kind']];

type Rules = {
  /** Checks a trimmed value; returns a Spanish error sentence if it is invalid. */
  problem: (value: never, field: Omit<Field, 'label'>) => string | undefined;
  inputType?: 'tel' | 'email';
};

// PostgreSQL text cannot hold NUL or lone surrogates. Other control characters, except tabs and line
// breaks, only come from a broken client.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const TEXT: Rules = {
  problem: (value: string, { min = 1, max = Number.POSITIVE_INFINITY, required, pattern, check, invalid, problem }) => {
    // PostgreSQL counts code points; String.length counts an emoji twice.
    const length = min > 1 ? [...value].length : value.length;
    if (value === '' ? required : length < min) return required ?? invalid;
    if (value.length > max) return `No puede superar los ${max} caracteres`;
    if (!value.isWellFormed() || CONTROL.test(value)) return 'Contiene caracteres no permitidos';
    const isWrong = value !== '' && ((pattern && !pattern.test(value)) || (check && !check(value)));
    return isWrong ? (problem?.(value) ?? invalid ?? 'Valor no válido') : undefined;
  },
};
const METADATA_KEY = /^[a-z0-9_.-]{1,40}$/;
export const MAX_METADATA_KEYS = 20;
export const MAX_METADATA_VALUE = 500;
/** Metadata of a record; `max` limits the number of keys, and a change merges keys. */
export const METADATA = { label: 'Datos de programas', kind: 'metadata', max: MAX_METADATA_KEYS } as const;

/** Maximum for a single amount, in euros. */
export const MAX_EUROS = 1_000_000;

export const KINDS: Record<KindName, Rules> = {
  text: TEXT,
  multiline: TEXT,
  telephone: { ...TEXT, inputType: 'tel' },
  postcode: TEXT,
  country: TEXT,
  email: { ...TEXT, inputType: 'email' },
  password: {
    problem: (value: string, { min = 1, max = 200, required = 'Contraseña no válida' }) => {
      if (value.length < min) return required;
      if (value.length > max) return 'La contraseña es demasiado larga';
      return value.isWellFormed() && !value.includes('\0') ? undefined : 'Contiene caracteres no permitidos';
    },
  },
  integer: {
    problem: (value: number, { min = 0, max = Number.MAX_SAFE_INTEGER, invalid = 'Número no válido' }) =>
      Number.isInteger(value) && value >= min && value <= max ? undefined : invalid,
  },
  money: {
    problem: (value: number, { min = 0, max = MAX_EUROS, invalid = 'Importe no válido' }) => {
      if (!(value >= min && value <= max)) return invalid;
      return Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 ? undefined : 'Como máximo dos decimales';
    },
  },
  instant: TEXT,
  id: TEXT,
  metadata: {
    problem: (value: Record<string, unknown>, { max = Number.POSITIVE_INFINITY }) => {
      const entries = Object.entries(value);
      if (entries.length > max) return `Como máximo ${max} claves`;
      for (const [key, text] of entries) {
        if (!METADATA_KEY.test(key)) return 'Cada clave tiene de 1 a 40 letras minúsculas sin acentos, cifras, puntos o guiones';
        const problem = text === null ? undefined : TEXT.problem(text as never, { kind: 'text', min: 0, max: MAX_METADATA_VALUE });
        if (problem) return `${key}: ${problem}`;
      }
      return undefined;
    },
  },
  flag: { problem: (value: boolean, { invalid = 'Valor no válido' }) => (typeof value === 'boolean' ? undefined : invalid) },
  choice: { problem: (value: string, { options = [], invalid = 'Valor no válido' }) => (options.includes(value) ? undefined : invalid) },
};

/** Checks `value` (trimmed, of the field's wire type); returns a Spanish error sentence or undefined. */
export const problemOf = (field: Omit<Field, 'label'>, value: unknown): string | undefined =>
  KINDS[field.kind].problem(value as never, field);
