import type { Field } from './fields.ts';

/** The tabs of the screen, in order. */
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
  /**
   * Makes it a secret, which is written and never read. A change of a setting that it is for forgets it, or it could be read by
   * sending it elsewhere.
   */
  isFor?: readonly string[];
  /** Checks a text, besides its length. */
  matches?: (value: string) => boolean;
  /** The words for each value of a choice. */
  options?: Readonly<Record<string, string>>;
  hint?: string;
  /** Shown while one of these is the provider of the e-mail. */
  providers?: readonly ('smtp' | 'sendgrid' | 'mailgun')[];
  /** Shown off and disabled; the hint says why. */
  unavailable?: true;
  /** A change asks for the password again, and the other superadmins are told of it in these words. */
  proof?: string;
};
