import type { Field } from '../kit/fields.ts';

/** A part of the program that is off by default. */
export const OFF = { kind: 'switch', tab: 'general', initial: false } as const;

export const countSetting = <const M extends number>(min: number, max: M, unit: string) =>
  ({ kind: 'integer', min, max, invalid: `Entre ${min} y ${max} ${unit}`.trim() }) as const;

export const TABS = {
  general: 'General',
  notifications: 'Notificaciones',
  security: 'Seguridad',
  appearance: 'Apariencia',
  database: 'Base de datos',
  integrations: 'Integraciones',
} as const;
export type TabName = keyof typeof TABS;

export type Setting = Omit<Field, 'options' | 'kind'> & {
  kind: Field['kind'] | 'switch';
  tab: TabName;
  /** Default value; absent for a secret. */
  initial?: string | number | boolean;
  /** Marks a secret, which is never returned. A change of a named setting deletes the secret, so that it is not sent to a new server. */
  isFor?: readonly string[];
  matches?: (value: string) => boolean;
  /** Returns a Spanish error sentence for an invalid text, where a fixed `invalid` cannot name the fault. */
  problem?: (value: string) => string | undefined;
  options?: Readonly<Record<string, string>>;
  hint?: string;
  /** E-mail providers that show the setting. */
  providers?: readonly ('smtp' | 'sendgrid' | 'mailgun')[];
  /** A change requires the password again; other superadmins are notified with these words. */
  proof?: string;
};
