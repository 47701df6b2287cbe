import { z } from 'zod';
import { doneWith, endpoint, integer, text } from './kit.ts';

export const TIMEZONES = ['Europe/Madrid', 'UTC', 'America/New_York'] as const;
/** Only finished languages are offered (design, section 4.27). */
export const LANGUAGES = ['es'] as const;
export const NOTIFICATION_FREQUENCIES = ['immediate', 'hourly', 'daily', 'weekly'] as const;
export const BACKUP_FREQUENCIES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export const THEMES = ['light', 'dark', 'auto'] as const;
export const EMAIL_PROVIDERS = ['smtp', 'sendgrid', 'mailgun'] as const;

const REQUIRED = 'Nombre de empresa y email son obligatorios.';
const CHOOSE = 'Elige una de las opciones';
const line = (max: number) => z.union([z.literal(''), text(max)]);

/** ISO 13616: the digits of a valid IBAN, letters as numbers, leave 1 when divided by 97. */
export function isIban(value: string): boolean {
  const iban = value.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

const template = line(300).refine(
  (url) => url === '' || (/^https:\/\//.test(url) && url.includes('{numero}')),
  'Una dirección https con {numero} donde va el número de seguimiento',
);

/**
 * Every setting with its rule (specification, sections 3 and 9; the last ones of each group are ours).
 * Units of time are given beside each setting.
 */
export const settingFields = {
  companyName: text(120, REQUIRED),
  companyEmail: text(254, REQUIRED).pipe(z.email('Email inválido')),
  /** Account shown on the payment page for bank transfers. */
  companyIban: line(42).refine((iban) => iban === '' || isIban(iban), 'El IBAN no es válido'),
  companyBic: line(11).refine((bic) => bic === '' || /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/i.test(bic), 'El BIC no es válido'),
  timezone: z.enum(TIMEZONES, CHOOSE),
  language: z.enum(LANGUAGES, CHOOSE),
  /** Tracking page URLs; `{numero}` is replaced by the tracking number. */
  trackingCorreos: template,
  trackingMrw: template,
  trackingFedex: template,
  /** Hours until an unpaid order gets a reminder, and until it is cancelled; 0 disables either. */
  unpaidReminderHours: integer(0, 720, 'Entre 0 y 720 horas'),
  unpaidExpiryHours: integer(0, 2160, 'Entre 0 y 2160 horas'),

  emailNotifications: z.boolean(),
  pushNotifications: z.boolean(),
  smsNotifications: z.boolean(),
  notificationFrequency: z.enum(NOTIFICATION_FREQUENCIES, CHOOSE),

  /** Minutes of inactivity before a session ends. */
  sessionTimeout: integer(5, 720, 'Entre 5 y 720 minutos'),
  maxLoginAttempts: integer(3, 20, 'Entre 3 y 20 intentos'),
  /** Days before a password must be changed; 0 means never. */
  passwordExpiry: integer(0, 730, 'Entre 0 y 730 días'),
  /** Requires a second factor of superadmins. */
  twoFactorAuth: z.boolean(),

  theme: z.enum(THEMES, CHOOSE),
  primaryColor: z.string(CHOOSE).regex(/^#[0-9a-f]{6}$/i, 'Un color como #3b82f6'),
  compactMode: z.boolean(),

  autoBackup: z.boolean(),
  backupFrequency: z.enum(BACKUP_FREQUENCIES, CHOOSE),
  /** Days a backup is kept. */
  retentionDays: integer(1, 3650, 'Entre 1 y 3650 días'),

  emailProvider: z.enum(EMAIL_PROVIDERS, CHOOSE),
  smtpHost: line(253),
  smtpPort: integer(1, 65535, 'Entre 1 y 65535'),
  smtpUser: line(254),
  /** Sender of the mails; the company's e-mail when empty. */
  mailFrom: line(254).refine((from) => from === '' || z.email().safeParse(from).success, 'Email inválido'),
  mailgunDomain: line(253),
};
/** Secrets are write-only: responses only tell whether each is set. */
export const secretFields = { smtpPassword: line(500), apiKey: line(500) };
export type SecretName = keyof typeof secretFields;

export const settings = z.object(settingFields);
export type Settings = z.infer<typeof settings>;

export const DEFAULT_SETTINGS: Settings = {
  companyName: '',
  companyEmail: '',
  companyIban: '',
  companyBic: '',
  timezone: 'Europe/Madrid',
  language: 'es',
  trackingCorreos: 'https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number={numero}',
  trackingMrw: 'https://www.mrw.es/seguimiento_envios/MRW_resultados_consultas.asp?modo=nacional&envio={numero}',
  trackingFedex: 'https://www.fedex.com/fedextrack/?trknbr={numero}',
  unpaidReminderHours: 24,
  unpaidExpiryHours: 72,
  emailNotifications: true,
  pushNotifications: false,
  smsNotifications: true,
  notificationFrequency: 'immediate',
  sessionTimeout: 30,
  maxLoginAttempts: 5,
  passwordExpiry: 90,
  twoFactorAuth: false,
  theme: 'light',
  primaryColor: '#3b82f6',
  compactMode: false,
  autoBackup: true,
  backupFrequency: 'daily',
  retentionDays: 30,
  emailProvider: 'smtp',
  smtpHost: '',
  smtpPort: 587,
  smtpUser: '',
  mailFrom: '',
  mailgunDomain: '',
};

const shown = z.object({
  ...z.object({ ...settingFields, companyName: z.string(), companyEmail: z.string() }).shape,
  smtpPasswordSet: z.boolean(),
  apiKeySet: z.boolean(),
  version: z.number(),
});
export type ShownSettings = z.infer<typeof shown>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  action: 'settings:manage',
  summary: 'All settings; of secrets only whether they are set',
  response: { 200: z.object({ data: shown }) },
});

/** Absent settings stay unchanged. An empty secret deletes the stored one. */
export const updateSettings = endpoint({
  method: 'PUT',
  path: '/api/settings',
  action: 'settings:manage',
  summary: 'Change settings; a stale version is refused with 409',
  body: z.strictObject({
    ...z.object({ ...settingFields, ...secretFields }).partial().shape,
    version: integer(1, 2_000_000_000, 'Versión no válida').optional(),
  }),
  response: { 200: doneWith(shown) },
});

const findings = z.object({ message: z.string(), data: z.array(z.object({ nombre: z.string(), valor: z.string() })) });
export const testDatabase = endpoint({
  method: 'POST',
  path: '/api/settings/probar-base-datos',
  action: 'settings:manage',
  summary: 'Ask the database what it is and how long it takes',
  response: { 200: findings },
});
export const testMail = endpoint({
  method: 'POST',
  path: '/api/settings/probar-correo',
  action: 'settings:manage',
  summary: 'Shake hands with the mail server of the stored settings; nothing is sent',
  response: { 200: findings },
});
