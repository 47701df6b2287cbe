import type { Field } from '../kit/fields.ts';

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
  /** Missing for a secret. */
  initial?: string | number | boolean;
  /** Marks a secret, never read. Changing a named setting deletes it, or it could be sent elsewhere and read there. */
  isFor?: readonly string[];
  matches?: (value: string) => boolean;
  /** Returns a Spanish error sentence for an invalid text, where one `invalid` cannot name what is wrong. */
  problem?: (value: string) => string | undefined;
  options?: Readonly<Record<string, string>>;
  hint?: string;
  /** E-mail providers that show the setting. */
  providers?: readonly ('smtp' | 'sendgrid' | 'mailgun')[];
  /** Shown disabled; the hint gives the reason. */
  unavailable?: true;
  /** A change requires the password again; other superadmins are notified with these words. */
  proof?: string;
};
