import type { Field } from '../kit/fields.ts';
import { ZONAS_FIELD } from '../zonas/reparto.ts';

export const MIN_PASSWORD = 6;

/** The server checks e-mail addresses more strictly than `pattern`. */
export const USER_FIELDS = {
  full_name: { label: 'Nombre completo', kind: 'text', min: 2, max: 120, required: 'El nombre debe tener al menos 2 caracteres' },
  email: {
    label: 'Email',
    kind: 'email',
    max: 254,
    required: 'Email inválido',
    pattern: /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/,
    invalid: 'Email inválido',
  },
  /** Without @, so that a user name is never taken for an e-mail address. */
  username: {
    label: 'Usuario',
    kind: 'text',
    max: 40,
    pattern: /^[a-z0-9._-]{3,}$/i,
    invalid: 'Usuario inválido: mínimo 3 letras, números, punto o guion',
  },
  /** For carriers only. */
  zonas: ZONAS_FIELD,
  password: {
    label: 'Contraseña',
    kind: 'password',
    min: MIN_PASSWORD,
    max: 200,
    required: 'La contraseña debe tener al menos 6 caracteres',
  },
} as const satisfies Record<string, Field>;
