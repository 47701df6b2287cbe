import {
  BACKUP_FREQUENCIES,
  EMAIL_PROVIDERS,
  LANGUAGES,
  NOTIFICATION_FREQUENCIES,
  type SecretName,
  type Settings,
  THEMES,
  TIMEZONES,
} from '../../contract/settings.ts';

export type FieldName = keyof Settings | SecretName;
export type Field = {
  name: FieldName;
  label: string;
  kind: 'text' | 'number' | 'switch' | 'choice' | 'colour' | 'secret';
  hint?: string;
  options?: { value: string; label: string }[];
  required?: boolean;
  /** Shown off and disabled; the hint says why. */
  unavailable?: boolean;
};
export type Tab = { value: string; label: string; fields: Field[] };

const labelled = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

/** The six tabs of the specification with their fields, in the order they are shown. */
export const TABS: readonly [Tab, ...Tab[]] = [
  {
    value: 'general',
    label: 'General',
    fields: [
      { name: 'companyName', label: 'Nombre de la empresa', kind: 'text', required: true },
      { name: 'companyEmail', label: 'Email de la empresa', kind: 'text', required: true },
      { name: 'companyIban', label: 'IBAN', kind: 'text', hint: 'La cuenta que se muestra al cliente para pagar por transferencia' },
      { name: 'companyBic', label: 'BIC', kind: 'text' },
      {
        name: 'timezone',
        label: 'Zona horaria',
        kind: 'choice',
        hint: 'Decide cuándo empieza y acaba cada día en filtros y cifras',
        options: labelled(TIMEZONES, { 'Europe/Madrid': 'Madrid', UTC: 'UTC', 'America/New_York': 'Nueva York' }),
      },
      {
        name: 'language',
        label: 'Idioma',
        kind: 'choice',
        hint: 'De momento Enruta solo está en español',
        options: labelled(LANGUAGES, { es: 'Español' }),
      },
      { name: 'unpaidReminderHours', label: 'Recordar pedidos sin pagar (horas)', kind: 'number', hint: '0: no recordar' },
      {
        name: 'unpaidExpiryHours',
        label: 'Cancelar pedidos sin pagar (horas)',
        kind: 'number',
        hint: '0: no cancelar nunca; al cancelar, el stock vuelve',
      },
    ],
  },
  {
    value: 'notifications',
    label: 'Notificaciones',
    fields: [
      {
        name: 'emailNotifications',
        label: 'Notificaciones por email',
        kind: 'switch',
        hint: 'Necesita el correo configurado en Integraciones',
      },
      {
        name: 'pushNotifications',
        label: 'Notificaciones push',
        kind: 'switch',
        hint: 'Al momento, en los navegadores que cada persona active en Mi cuenta',
      },
      {
        name: 'smsNotifications',
        label: 'Notificaciones por SMS',
        kind: 'switch',
        hint: 'Enruta no tiene ningún proveedor de SMS, así que no envía ninguno',
        unavailable: true,
      },
      {
        name: 'notificationFrequency',
        label: 'Frecuencia',
        kind: 'choice',
        hint: 'De los emails',
        options: labelled(NOTIFICATION_FREQUENCIES, {
          immediate: 'Inmediata',
          hourly: 'Cada hora',
          daily: 'Diaria (a las 8:00)',
          weekly: 'Semanal (lunes a las 8:00)',
        }),
      },
    ],
  },
  {
    value: 'security',
    label: 'Seguridad',
    fields: [
      { name: 'sessionTimeout', label: 'Cerrar la sesión sin actividad (minutos)', kind: 'number' },
      { name: 'maxLoginAttempts', label: 'Intentos de acceso antes de esperar', kind: 'number' },
      { name: 'passwordExpiry', label: 'Caducidad de la contraseña (días)', kind: 'number', hint: '0: nunca' },
      { name: 'twoFactorAuth', label: 'Verificación en dos pasos', kind: 'switch', hint: 'Obligatoria para los superadmins' },
    ],
  },
  {
    value: 'appearance',
    label: 'Apariencia',
    fields: [
      {
        name: 'theme',
        label: 'Tema',
        kind: 'choice',
        hint: 'Para quien no haya elegido otro en su navegador',
        options: labelled(THEMES, { light: 'Claro', dark: 'Oscuro', auto: 'Como el sistema' }),
      },
      { name: 'primaryColor', label: 'Color principal', kind: 'colour' },
      { name: 'compactMode', label: 'Modo compacto', kind: 'switch', hint: 'Más filas en cada pantalla' },
    ],
  },
  {
    value: 'database',
    label: 'Base de datos',
    fields: [
      { name: 'autoBackup', label: 'Copias automáticas', kind: 'switch', hint: 'Cada copia se restaura aparte para comprobar que sirve' },
      {
        name: 'backupFrequency',
        label: 'Frecuencia de las copias',
        kind: 'choice',
        options: labelled(BACKUP_FREQUENCIES, { hourly: 'Cada hora', daily: 'Diaria', weekly: 'Semanal', monthly: 'Mensual' }),
      },
      { name: 'retentionDays', label: 'Conservar (días)', kind: 'number', hint: 'La última copia verificada se conserva siempre' },
    ],
  },
  {
    value: 'integrations',
    label: 'Integraciones',
    fields: [
      {
        name: 'emailProvider',
        label: 'Proveedor de correo',
        kind: 'choice',
        options: labelled(EMAIL_PROVIDERS, { smtp: 'SMTP', sendgrid: 'SendGrid', mailgun: 'Mailgun' }),
      },
      { name: 'mailFrom', label: 'Remitente', kind: 'text', hint: 'Si está vacío, el email de la empresa' },
      { name: 'smtpHost', label: 'Servidor SMTP', kind: 'text' },
      { name: 'smtpPort', label: 'Puerto SMTP', kind: 'number' },
      { name: 'smtpUser', label: 'Usuario SMTP', kind: 'text' },
      { name: 'smtpPassword', label: 'Contraseña SMTP', kind: 'secret' },
      { name: 'apiKey', label: 'Clave API', kind: 'secret', hint: 'De SendGrid o Mailgun' },
      { name: 'mailgunDomain', label: 'Dominio de Mailgun', kind: 'text' },
      { name: 'trackingCorreos', label: 'Seguimiento de Correos', kind: 'text', hint: '{numero} es el número de seguimiento' },
      { name: 'trackingMrw', label: 'Seguimiento de MRW', kind: 'text' },
      { name: 'trackingFedex', label: 'Seguimiento de FedEx', kind: 'text' },
    ],
  },
];
