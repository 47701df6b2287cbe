import { DEFAULT_SETTINGS, type SecretName, type Settings } from '../../contract/settings.ts';

export type FieldName = keyof Settings | SecretName;
export type Field = {
  label: string;
  hint?: string;
  /** The words for each value of a choice. */
  options?: Record<string, string>;
  required?: boolean;
  /** Shown off and disabled; the hint says why. */
  unavailable?: boolean;
  /** Shown while one of these is the provider of the e-mail. */
  providers?: readonly Settings['emailProvider'][];
};
// A setting of few values says all of them.
type FieldOf<V> = V extends string ? (string extends V ? Field : Field & { options: Record<V, string> }) : Field;
type Fields = { [N in FieldName]?: N extends keyof Settings ? FieldOf<Settings[N]> : Field };
export type Tab = { value: string; label: string; fields: Fields };

/** The six tabs of the specification with their fields, in the order they are shown. */
export const TABS: readonly [Tab, ...Tab[]] = [
  {
    value: 'general',
    label: 'General',
    fields: {
      companyName: { label: 'Nombre de la empresa', required: true },
      companyEmail: { label: 'Email de la empresa', required: true },
      companyPhone: { label: 'Teléfono de la empresa', hint: 'Se muestra al cliente, con el email, en la página de su pedido' },
      companyWhatsapp: { label: 'WhatsApp de la empresa', hint: 'El número al que el cliente puede escribir desde ahí' },
      companyIban: { label: 'IBAN', hint: 'La cuenta que se muestra al cliente para pagar por transferencia' },
      companyBic: { label: 'BIC' },
      timezone: {
        label: 'Zona horaria',
        hint: 'Decide cuándo empieza y acaba cada día en filtros y cifras',
        options: { 'Europe/Madrid': 'Madrid', UTC: 'UTC', 'America/New_York': 'Nueva York' },
      },
      language: { label: 'Idioma', hint: 'De momento Enruta solo está en español', options: { es: 'Español' } },
      deliveryDays: {
        label: 'Plazo de entrega (días laborables)',
        hint: 'Desde el pago hasta la fecha estimada; sin fines de semana ni festivos nacionales',
      },
      shippingPeninsula: { label: 'Envío a la península (€)', hint: 'Se suma a cada pedido nuevo según su dirección; 0: gratis' },
      shippingBaleares: { label: 'Envío a Baleares (€)' },
      shippingCanarias: { label: 'Envío a Canarias (€)' },
      shippingCeutaMelilla: { label: 'Envío a Ceuta y Melilla (€)' },
      unpaidReminderHours: { label: 'Recordar pedidos sin pagar (horas)', hint: '0: no recordar' },
      unpaidExpiryHours: { label: 'Cancelar pedidos sin pagar (horas)', hint: '0: no cancelar nunca; al cancelar, el stock vuelve' },
      transferExpiryDays: {
        label: 'Esperar una transferencia avisada (días)',
        hint: 'Después el pedido se cancela, con un aviso el día antes; 0: esperar siempre',
      },
    },
  },
  {
    value: 'notifications',
    label: 'Notificaciones',
    fields: {
      emailNotifications: { label: 'Notificaciones por email', hint: 'Necesita el correo configurado en Integraciones' },
      pushNotifications: { label: 'Notificaciones push', hint: 'Al momento, en los navegadores que cada persona active en Mi cuenta' },
      smsNotifications: {
        label: 'Notificaciones por SMS',
        hint: 'Enruta no tiene ningún proveedor de SMS, así que no envía ninguno',
        unavailable: true,
      },
      notificationFrequency: {
        label: 'Frecuencia',
        hint: 'De los emails',
        options: { immediate: 'Inmediata', hourly: 'Cada hora', daily: 'Diaria (a las 8:00)', weekly: 'Semanal (lunes a las 8:00)' },
      },
    },
  },
  {
    value: 'security',
    label: 'Seguridad',
    fields: {
      sessionTimeout: { label: 'Cerrar la sesión sin actividad (minutos)' },
      rememberDays: {
        label: 'Recordar un dispositivo (días)',
        hint: 'Quien lo marca al entrar sigue dentro hasta entonces, aunque no haya actividad',
      },
      maxLoginAttempts: { label: 'Intentos de acceso antes de esperar' },
      passwordExpiry: { label: 'Caducidad de la contraseña (días)', hint: '0: nunca' },
      carrierContactDays: {
        label: 'Contacto a la vista del transportista (días)',
        hint: 'Tras la entrega deja de ver teléfono, piso e instrucciones; 0: en cuanto entrega',
      },
      anonymizeMonths: {
        label: 'Anonimizar los pedidos terminados (meses)',
        hint: 'Después de terminar quedan sin datos del cliente; importes, fechas y provincia se conservan. No se puede deshacer; 0: nunca',
      },
      twoFactorAuth: { label: 'Verificación en dos pasos', hint: 'Obligatoria para los superadmins' },
    },
  },
  {
    value: 'appearance',
    label: 'Apariencia',
    fields: {
      theme: {
        label: 'Tema',
        hint: 'Para quien no haya elegido otro en su navegador',
        options: { light: 'Claro', dark: 'Oscuro', auto: 'Como el sistema' },
      },
      primaryColor: { label: 'Color principal' },
      compactMode: { label: 'Modo compacto', hint: 'Más filas en cada pantalla' },
    },
  },
  {
    value: 'database',
    label: 'Base de datos',
    fields: {
      autoBackup: { label: 'Copias automáticas', hint: 'Cada copia se restaura aparte para comprobar que sirve' },
      backupFrequency: {
        label: 'Frecuencia de las copias',
        options: { hourly: 'Cada hora', daily: 'Diaria', weekly: 'Semanal', monthly: 'Mensual' },
      },
      backupPassphrase: {
        label: 'Contraseña de las copias',
        hint: 'Cifra las copias que se hagan desde ahora; sin ella, las cifra SECRET_KEY. Apúntala fuera de Enruta: sin ella no se restauran',
      },
      retentionDays: { label: 'Conservar (días)', hint: 'La última copia verificada se conserva siempre' },
    },
  },
  {
    value: 'integrations',
    label: 'Integraciones',
    fields: {
      emailProvider: { label: 'Proveedor de correo', options: { smtp: 'SMTP', sendgrid: 'SendGrid', mailgun: 'Mailgun' } },
      mailFrom: { label: 'Remitente', hint: 'Si está vacío, el email de la empresa' },
      smtpHost: { label: 'Servidor SMTP', providers: ['smtp'] },
      smtpPort: { label: 'Puerto SMTP', providers: ['smtp'] },
      smtpUser: { label: 'Usuario SMTP', providers: ['smtp'] },
      smtpPassword: { label: 'Contraseña SMTP', providers: ['smtp'] },
      apiKey: { label: 'Clave API', providers: ['sendgrid', 'mailgun'] },
      mailgunDomain: { label: 'Dominio de Mailgun', providers: ['mailgun'] },
      trackingCorreos: { label: 'Seguimiento de Correos', hint: '{numero} es el número de seguimiento' },
      trackingMrw: { label: 'Seguimiento de MRW' },
      trackingFedex: { label: 'Seguimiento de FedEx' },
    },
  },
];

export const fieldsOf = ({ fields }: Tab) => Object.entries(fields) as [FieldName, Field][];

/** What the browser may not be told: typed anew or left alone. */
export const isSecret = (name: FieldName): name is SecretName => !(name in DEFAULT_SETTINGS);
export const isSwitch = (name: FieldName): boolean => !isSecret(name) && typeof DEFAULT_SETTINGS[name] === 'boolean';
