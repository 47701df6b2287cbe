import { z } from 'zod';
import { doneWith, endpoint, euros, integer, text, version } from './kit.ts';
import { whatsappNumber } from './whatsapp.ts';

const TIMEZONES = ['Europe/Madrid', 'UTC', 'America/New_York'] as const;
/** Only finished languages are offered (design, section 4.27). */
const LANGUAGES = ['es'] as const;
const NOTIFICATION_FREQUENCIES = ['immediate', 'hourly', 'daily', 'weekly'] as const;
const BACKUP_FREQUENCIES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
const THEMES = ['light', 'dark', 'auto'] as const;
const EMAIL_PROVIDERS = ['smtp', 'sendgrid', 'mailgun'] as const;

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

export const MAX_DELIVERY_DAYS = 30;

type Care = {
  /** A change asks for the password again, and the other superadmins are told of it in these words. */
  proof?: string;
};
const setting = <S extends z.ZodType>(rule: S, initial: z.output<S>, care: Care = {}) => ({ rule, initial, care });

const ACCOUNT = { proof: 'la cuenta para transferencias' };
const SECURITY = { proof: 'la seguridad' };
const ANONYMISING = { proof: 'cuándo se anonimizan los pedidos' };
const BACKUPS = { proof: 'las copias de seguridad' };
const MAIL = { proof: 'el correo' };

const iban = line(42).refine((value) => value === '' || isIban(value), 'El IBAN no es válido');
const bic = line(11).refine((value) => value === '' || /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/i.test(value), 'El BIC no es válido');
const phone = line(40).refine((value) => value === '' || /^\+?[\d\s().-]{6,}$/.test(value), 'El teléfono no es válido');
const whatsapp = line(40).refine((value) => value === '' || whatsappNumber(value) !== '', 'El número de WhatsApp no es válido');
const sender = line(254).refine((from) => from === '' || z.email().safeParse(from).success, 'Email inválido');
const template = line(300).refine(
  (url) => url === '' || (/^https:\/\//.test(url) && url.includes('{numero}')),
  'Una dirección https con {numero} donde va el número de seguimiento',
);

const shipping = euros('Entre 0 y 1.000.000 de euros');

/** Most days that a browser stays signed in. */
export const MAX_REMEMBER_DAYS = 90;

/** Most months that a finished order keeps its personal data by a term. */
const MAX_ANONYMIZE_MONTHS = 240;

/**
 * Every setting with its rule and its default (specification, sections 3 and 9; the last ones of each group are ours).
 * Units of time are given beside each setting.
 */
const SETTINGS = {
  companyName: setting(text(120, REQUIRED), ''),
  companyEmail: setting(text(254, REQUIRED).pipe(z.email('Email inválido')), ''),
  /** Shown to customers, with the e-mail, on the payment page. */
  companyPhone: setting(phone, ''),
  companyWhatsapp: setting(whatsapp, ''),
  /** Account shown on the payment page for bank transfers. */
  companyIban: setting(iban, '', ACCOUNT),
  companyBic: setting(bic, '', ACCOUNT),
  timezone: setting(z.enum(TIMEZONES, CHOOSE), 'Europe/Madrid'),
  language: setting(z.enum(LANGUAGES, CHOOSE), 'es'),
  /** Tracking page URLs; `{numero}` is replaced by the tracking number. */
  trackingCorreos: setting(template, 'https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number={numero}'),
  trackingMrw: setting(template, 'https://www.mrw.es/seguimiento_envios/MRW_resultados_consultas.asp?modo=nacional&envio={numero}'),
  trackingFedex: setting(template, 'https://www.fedex.com/fedextrack/?trknbr={numero}'),
  /** Hours until an unpaid order gets a reminder, and until it is cancelled; 0 disables either. */
  unpaidReminderHours: setting(integer(0, 720, 'Entre 0 y 720 horas'), 24),
  unpaidExpiryHours: setting(integer(0, 2160, 'Entre 0 y 2160 horas'), 72),
  /** Days that an order waits for the transfer that its customer says is made; 0 waits for ever. */
  transferExpiryDays: setting(integer(0, 90, 'Entre 0 y 90 días'), 7),
  /** Working days from an order's payment to its promised delivery. */
  deliveryDays: setting(integer(1, MAX_DELIVERY_DAYS, `Entre 1 y ${MAX_DELIVERY_DAYS} días`), 1),
  /** What an order's shipping costs unless it says otherwise, in euros, by the zone of its address (`zonas.ts`). */
  shippingPeninsula: setting(shipping, 0),
  shippingBaleares: setting(shipping, 0),
  shippingCanarias: setting(shipping, 0),
  shippingCeutaMelilla: setting(shipping, 0),
  /** Days after a delivery until its carrier no longer sees the customer's telephone, door and instructions. */
  carrierContactDays: setting(integer(0, 365, 'Entre 0 y 365 días'), 1, SECURITY),
  /** Months after an order's end until its personal data is anonymised; 0 means never. */
  anonymizeMonths: setting(integer(0, MAX_ANONYMIZE_MONTHS, `Entre 0 y ${MAX_ANONYMIZE_MONTHS} meses`), 0, ANONYMISING),

  emailNotifications: setting(z.boolean(), true),
  pushNotifications: setting(z.boolean(), false),
  smsNotifications: setting(z.boolean(), true),
  notificationFrequency: setting(z.enum(NOTIFICATION_FREQUENCIES, CHOOSE), 'immediate'),

  /** Minutes of inactivity before a session ends. */
  sessionTimeout: setting(integer(5, 720, 'Entre 5 y 720 minutos'), 30, SECURITY),
  /** Days for which a browser that its person has had remembered stays signed in. */
  rememberDays: setting(integer(1, MAX_REMEMBER_DAYS, `Entre 1 y ${MAX_REMEMBER_DAYS} días`), 30, SECURITY),
  maxLoginAttempts: setting(integer(3, 20, 'Entre 3 y 20 intentos'), 5, SECURITY),
  /** Days before a password must be changed; 0 means never. */
  passwordExpiry: setting(integer(0, 730, 'Entre 0 y 730 días'), 90, SECURITY),
  /** Requires a second factor of superadmins. */
  twoFactorAuth: setting(z.boolean(), false, SECURITY),

  theme: setting(z.enum(THEMES, CHOOSE), 'light'),
  primaryColor: setting(z.string(CHOOSE).regex(/^#[0-9a-f]{6}$/i, 'Un color como #3b82f6'), '#3b82f6'),
  compactMode: setting(z.boolean(), false),

  autoBackup: setting(z.boolean(), true, BACKUPS),
  backupFrequency: setting(z.enum(BACKUP_FREQUENCIES, CHOOSE), 'daily', BACKUPS),
  /** Days a backup is kept. */
  retentionDays: setting(integer(1, 3650, 'Entre 1 y 3650 días'), 30, BACKUPS),

  emailProvider: setting(z.enum(EMAIL_PROVIDERS, CHOOSE), 'smtp', MAIL),
  smtpHost: setting(line(253), '', MAIL),
  smtpPort: setting(integer(1, 65535, 'Entre 1 y 65535'), 587, MAIL),
  smtpUser: setting(line(254), '', MAIL),
  /** Sender of the mails; the company's e-mail when empty. */
  mailFrom: setting(sender, '', MAIL),
  mailgunDomain: setting(line(253), '', MAIL),
};
type Table = typeof SETTINGS;
/** One property of every setting. */
const eachSetting = <P extends 'rule' | 'initial'>(property: P) =>
  Object.fromEntries(Object.entries(SETTINGS).map(([name, given]) => [name, given[property]])) as { [K in keyof Table]: Table[K][P] };
export const settingFields = eachSetting('rule');
export const DEFAULT_SETTINGS: Settings = eachSetting('initial');

const PASSPHRASE = 12;
const passphrase = line(500).refine((typed) => typed === '' || typed.length >= PASSPHRASE, `Al menos ${PASSPHRASE} caracteres`);

/** Secrets are write-only: responses only tell whether each is set. */
const secret = <S extends z.ZodType>(rule: S, care: Care, isFor: readonly (keyof Settings)[]) => ({ rule, care, isFor });
const SECRETS = {
  smtpPassword: secret(line(500), MAIL, ['emailProvider', 'smtpHost', 'smtpPort', 'smtpUser']),
  apiKey: secret(line(500), MAIL, ['emailProvider', 'mailgunDomain']),
  /** Encrypts the backups; without one `SECRET_KEY` does. */
  backupPassphrase: secret(passphrase, BACKUPS, []),
};
export type SecretName = keyof typeof SECRETS;
const eachSecret = <P extends 'rule' | 'isFor'>(property: P) =>
  Object.fromEntries(Object.entries(SECRETS).map(([name, given]) => [name, given[property]])) as {
    [K in SecretName]: (typeof SECRETS)[K][P];
  };
export const secretFields = eachSecret('rule');
/** Whom a secret is for: a change forgets it, or it could be read by sending it elsewhere. */
export const SECRET_IS_FOR = eachSecret('isFor');

const careOf = (name: string): Care => ({ ...SETTINGS, ...SECRETS })[name as keyof Table | SecretName]?.care ?? {};
/** What the other superadmins are told has changed with these settings; none for those that anybody's open session may change. */
export const provenWords = (names: readonly string[]): string[] => [...new Set(names.flatMap((name) => careOf(name).proof ?? []))];
/** Terms after which something is deleted for good; 0 is never. A shorter one begins a day later. */
export const TERMS = ['anonymizeMonths', 'retentionDays'] as const satisfies (keyof Settings)[];

export const settings = z.object(settingFields);
export type Settings = z.infer<typeof settings>;

const shown = z.object({
  ...z.object({ ...settingFields, companyName: z.string(), companyEmail: z.string() }).shape,
  smtpPasswordSet: z.boolean(),
  apiKeySet: z.boolean(),
  backupPassphraseSet: z.boolean(),
  version: z.number(),
});
export type ShownSettings = z.infer<typeof shown>;

export const getSettings = endpoint('GET', '/api/settings', {
  action: 'settings:manage',
  summary: 'All settings; of secrets only whether they are set',
  response: { 200: z.object({ data: shown }) },
});

/**
 * Absent settings stay unchanged. An empty secret deletes the stored one, and so does a change of whom it is for
 * (`SECRET_IS_FOR`) that does not send it again.
 */
export const updateSettings = endpoint('PUT', '/api/settings', {
  action: 'settings:manage',
  stepUp: (body: object) => provenWords(Object.keys(body)).length > 0,
  summary: 'Change settings; a stale version is refused with 409',
  body: z.strictObject({
    ...z.object({ ...settingFields, ...secretFields }).partial().shape,
    version,
  }),
  response: { 200: doneWith(shown) },
});

const findings = z.object({ message: z.string(), data: z.array(z.object({ nombre: z.string(), valor: z.string() })) });
export const testDatabase = endpoint('POST', '/api/settings/probar-base-datos', {
  action: 'settings:manage',
  summary: 'Ask the database what it is and how long it takes',
  response: { 200: findings },
});
export const testMail = endpoint('POST', '/api/settings/probar-correo', {
  action: 'settings:manage',
  summary: 'Shake hands with the mail server of the stored settings; nothing is sent',
  response: { 200: findings },
});
