import { AVISOS_SETTINGS } from './avisos.ts';
import { EMPRESA_SETTINGS } from './empresa.ts';
import { ENTREGA_SETTINGS } from './entrega.ts';
import { IVA_SETTINGS } from './iva.ts';
import { MAIL_SETTINGS } from './mail.ts';
import { REPARTO_SETTINGS } from './reparto.ts';
import { countSetting, OFF, type Setting } from './setting.ts';
import { TIENDA_SETTINGS } from './tienda.ts';

/* Every setting: rule, default, label and tab (specification, sections 3 and 9). Schemas, form, log and step-up derive from this table. */

export const MAX_DELIVERY_DAYS = 30;
export const MAX_REMEMBER_DAYS = 90;

const SHIPPING = { kind: 'money', tab: 'general', initial: 0, invalid: 'Entre 0 y 1.000.000 de euros' } as const;
const SECURITY = { tab: 'security', proof: 'la seguridad' } as const;
const BACKUP = { tab: 'database', proof: 'las copias de seguridad' } as const;
const TRACKING = {
  kind: 'text',
  tab: 'integrations',
  max: 300,
  matches: (url: string) => /^https:\/\//.test(url) && url.includes('{numero}'),
  invalid: 'Una dirección https con {numero} donde va el número de seguimiento',
} as const;

export const SETTINGS = {
  ...EMPRESA_SETTINGS,
  timezone: {
    kind: 'choice',
    tab: 'general',
    initial: 'Europe/Madrid',
    label: 'Zona horaria',
    hint: 'Decide cuándo empieza y acaba cada día en filtros y cifras',
    options: { 'Europe/Madrid': 'Madrid', UTC: 'UTC', 'America/New_York': 'Nueva York' },
  },
  /** Only finished languages are offered (design, section 4.27). */
  language: {
    kind: 'choice',
    tab: 'general',
    initial: 'es',
    label: 'Idioma',
    hint: 'De momento Enruta solo está en español',
    options: { es: 'Español' },
  },
  deliveryDays: {
    ...countSetting(1, MAX_DELIVERY_DAYS, 'días'),
    tab: 'general',
    initial: 1,
    label: 'Plazo de entrega (días laborables)',
    hint: 'Desde el pago hasta la fecha estimada; sin fines de semana ni festivos nacionales',
  },
  maxAttempts: {
    ...countSetting(0, 20, 'intentos'),
    tab: 'general',
    initial: 3,
    label: 'Intentos de entrega antes de preguntar',
    hint: 'Después el pedido espera a que la tienda, el revendedor o el cliente digan qué hacer. Con 0 no se pregunta nunca',
  },
  undoDeliveryMinutes: {
    ...countSetting(0, 120, 'minutos'),
    tab: 'general',
    initial: 15,
    label: 'Minutos para deshacer una entrega',
    hint: 'En los que el transportista que la hizo la puede deshacer. La oficina puede siempre. Con 0 solo la oficina',
  },
  /** Shipping costs in euros, by zone (zonas.ts); an order can override the cost. */
  shippingPeninsula: {
    ...SHIPPING,
    label: 'Envío a la península (€)',
    hint: 'Se suma a cada pedido nuevo según su dirección; 0: gratis',
  },
  shippingBaleares: { ...SHIPPING, label: 'Envío a Baleares (€)' },
  shippingCanarias: { ...SHIPPING, label: 'Envío a Canarias (€)' },
  shippingCeutaMelilla: { ...SHIPPING, label: 'Envío a Ceuta y Melilla (€)' },
  shippingAbroad: {
    ...SHIPPING,
    initial: '',
    label: 'Envío al resto de países (€)',
    hint: 'Vacío: cada pedido pide que se escriba su envío',
  },
  cashOnDelivery: {
    ...OFF,
    label: 'Contra reembolso',
    hint: 'El cliente paga al transportista al recibir el pedido; cada revendedor necesita además su permiso',
  },
  unpaidReminderHours: {
    ...countSetting(0, 720, 'horas'),
    tab: 'general',
    initial: 24,
    label: 'Recordar pedidos sin pagar (horas)',
    hint: '0: no recordar',
  },
  unpaidExpiryHours: {
    ...countSetting(0, 2160, 'horas'),
    tab: 'general',
    initial: 72,
    label: 'Cancelar pedidos sin pagar (horas)',
    hint: '0: no cancelar nunca; al cancelar, el stock vuelve',
  },
  transferExpiryDays: {
    ...countSetting(0, 90, 'días'),
    tab: 'general',
    initial: 7,
    label: 'Esperar una transferencia avisada (días)',
    hint: 'Después el pedido se cancela, con un aviso el día antes; 0: esperar siempre',
  },

  ...REPARTO_SETTINGS,
  ...IVA_SETTINGS,
  ...TIENDA_SETTINGS,
  ...ENTREGA_SETTINGS,
  ...AVISOS_SETTINGS,

  emailNotifications: {
    kind: 'switch',
    tab: 'notifications',
    initial: true,
    label: 'Notificaciones por email',
    hint: 'Necesita el correo configurado en Integraciones',
  },
  pushNotifications: {
    kind: 'switch',
    tab: 'notifications',
    initial: false,
    label: 'Notificaciones push',
    hint: 'Al momento, en los navegadores que cada persona active en Mi cuenta',
  },
  smsNotifications: {
    kind: 'switch',
    tab: 'notifications',
    initial: true,
    label: 'Notificaciones por SMS',
    hint: 'Todavía no se envía ninguno: Enruta no tiene proveedor de SMS',
  },
  notificationFrequency: {
    kind: 'choice',
    tab: 'notifications',
    initial: 'immediate',
    label: 'Frecuencia',
    hint: 'Cada cuánto se envían los emails',
    options: { immediate: 'Inmediata', hourly: 'Cada hora', daily: 'Diaria (a las 8:00)', weekly: 'Semanal (lunes a las 8:00)' },
  },
  endOfDayMail: {
    kind: 'choice',
    tab: 'notifications',
    initial: 'no',
    label: 'Fin del día por email',
    hint: 'Lo entregado, lo cobrado y lo que queda, a los administradores',
    options: {
      no: 'No enviar',
      h18: 'A las 18:00',
      h19: 'A las 19:00',
      h20: 'A las 20:00',
      h21: 'A las 21:00',
      h22: 'A las 22:00',
      h23: 'A las 23:00',
    },
  },

  sessionTimeout: { ...SECURITY, ...countSetting(5, 720, 'minutos'), initial: 30, label: 'Cerrar la sesión sin actividad (minutos)' },
  rememberDays: {
    ...SECURITY,
    ...countSetting(1, MAX_REMEMBER_DAYS, 'días'),
    initial: 30,
    label: 'Recordar un dispositivo (días)',
    hint: 'Quien lo marca al entrar sigue dentro hasta entonces, aunque no haya actividad',
  },
  maxLoginAttempts: { ...SECURITY, ...countSetting(3, 20, 'intentos'), initial: 5, label: 'Intentos de acceso antes de esperar' },
  passwordExpiry: {
    ...SECURITY,
    ...countSetting(0, 730, 'días'),
    initial: 90,
    label: 'Caducidad de la contraseña (días)',
    hint: 'Con 0 no caduca nunca',
  },
  carrierContactDays: {
    ...SECURITY,
    ...countSetting(0, 365, 'días'),
    initial: 1,
    label: 'Contacto a la vista del transportista (días)',
    hint: 'Tras la entrega deja de ver teléfono, piso e instrucciones. Con 0, en cuanto entrega',
  },
  anonymizeMonths: {
    ...SECURITY,
    ...countSetting(0, 240, 'meses'),
    initial: 0,
    proof: 'cuándo se anonimizan los pedidos',
    label: 'Anonimizar los pedidos terminados (meses)',
    hint: 'Después de terminar quedan sin datos del cliente; importes, fechas y provincia se conservan. No se puede deshacer. Con 0 no se anonimizan nunca',
  },
  twoFactorAuth: {
    ...SECURITY,
    kind: 'switch',
    initial: false,
    label: 'Verificación en dos pasos',
    hint: 'Obligatoria para los superadmins',
  },

  theme: {
    kind: 'choice',
    tab: 'appearance',
    initial: 'light',
    label: 'Tema',
    hint: 'Para quien no haya elegido otro en su navegador',
    options: { light: 'Claro', dark: 'Oscuro', auto: 'Como el sistema' },
  },
  primaryColor: {
    kind: 'text',
    tab: 'appearance',
    initial: '#3b82f6',
    required: 'Un color como #3b82f6',
    max: 7,
    pattern: /^#[0-9a-f]{6}$/i,
    invalid: 'Un color como #3b82f6',
    label: 'Color principal',
  },
  measureSpeed: {
    kind: 'switch',
    tab: 'appearance',
    initial: true,
    label: 'Contar lo que tardan las pantallas',
    hint: 'Por pantalla, papel y tipo de aparato, sin personas ni direcciones. Se ve en Supervisión → Tareas',
  },
  compactMode: { kind: 'switch', tab: 'appearance', initial: false, label: 'Modo compacto', hint: 'Más filas en cada pantalla' },

  autoBackup: {
    ...BACKUP,
    kind: 'switch',
    initial: true,
    label: 'Copias automáticas',
    hint: 'Cada copia se restaura aparte para comprobar que sirve',
  },
  backupFrequency: {
    ...BACKUP,
    kind: 'choice',
    initial: 'daily',
    label: 'Frecuencia de las copias',
    options: { hourly: 'Cada hora', daily: 'Diaria', weekly: 'Semanal', monthly: 'Mensual' },
  },
  /** Encrypts the backups; without a passphrase, `SECRET_KEY` does. */
  backupPassphrase: {
    ...BACKUP,
    kind: 'password',
    isFor: [],
    min: 12,
    max: 500,
    invalid: 'Al menos 12 caracteres',
    label: 'Contraseña de las copias',
    hint: 'Cifra las copias que se hagan desde ahora; sin ella, las cifra la clave del servidor (SECRET_KEY). Apúntala fuera de Enruta: sin ella no se restauran',
  },
  warnBackupsHere: {
    ...BACKUP,
    kind: 'switch',
    initial: true,
    label: 'Avisar si las copias están solo en este servidor',
    hint: 'Si su disco muere, se van con él. Para que vayan también fuera, quien lleva el servidor pone las variables S3_… de un cubo; si las descargas tú, apaga este aviso: calla treinta días',
  },
  retentionDays: {
    ...BACKUP,
    ...countSetting(1, 3650, 'días'),
    initial: 30,
    label: 'Conservar (días)',
    hint: 'La última copia verificada se conserva siempre',
  },
  ...MAIL_SETTINGS,
  trackingCorreos: {
    ...TRACKING,
    initial: 'https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number={numero}',
    label: 'Seguimiento de Correos',
    hint: '{numero} es el número de seguimiento',
  },
  trackingMrw: {
    ...TRACKING,
    initial: 'https://www.mrw.es/seguimiento_envios/MRW_resultados_consultas.asp?modo=nacional&envio={numero}',
    label: 'Seguimiento de MRW',
  },
  trackingFedex: { ...TRACKING, initial: 'https://www.fedex.com/fedextrack/?trknbr={numero}', label: 'Seguimiento de FedEx' },
} as const satisfies Record<string, Setting>;
