import { type CanalAviso, MOMENTO_NAMES } from '../../contract/avisos-cliente/fields.ts';
import { ENTREGA_SETTINGS } from '../../contract/settings/entrega.ts';
import { SETTINGS } from '../../contract/settings/fields.ts';
import { type Setting, TABS, type TabName } from '../../contract/settings/setting.ts';
import type { ShownSettings } from '../../contract/settings/settings.ts';
import { type FieldName, tabFields } from '../../contract/settings/values.ts';
import { plural } from '../../contract/text/plural.ts';
import { fecha, money, number } from '../ui/format/format.ts';

/*
 * Cards of «Configuración»: which settings belong together, and a line with their state. The first card of a tab also has the settings
 * that no card names.
 */

export type CardName =
  | 'tienda'
  | 'cobros'
  | 'envios'
  | 'entrega'
  | 'pruebas'
  | 'iva'
  | 'equipo'
  | 'avisos'
  | 'accesos'
  | 'datos'
  | 'aspecto'
  | 'copias'
  | 'correo'
  | 'seguimiento'
  | 'enLinea';

type Card = {
  tab: TabName;
  title: string;
  /** Other words that find the card. */
  words: string;
  state: (settings: ShownSettings) => string;
  fields: readonly FieldName[];
  /** Folded under «Avanzado»: settings that few shops change. */
  advanced?: readonly FieldName[];
  /** True if the card opens automatically, because the shop lacks these settings. */
  missing?: (settings: ShownSettings) => boolean;
};

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & FieldName)[];
export const PROOFS = namesOf(ENTREGA_SETTINGS).filter((name) => name.startsWith('prueba_'));
const TEXTS = MOMENTO_NAMES.map((momento) => `aviso_${momento}` as const);
const CHANNELS = { whatsapp: 'WhatsApp', sms: 'SMS', llamada: 'llamada' } as const satisfies Record<CanalAviso, string>;
const SHIPPING = ['shippingPeninsula', 'shippingBaleares', 'shippingCanarias', 'shippingCeutaMelilla'] as const;
const TRACKING = ['trackingCorreos', 'trackingMrw', 'trackingFedex'] as const;

const join = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(' · ');
const wordsOf = (
  name: 'deliveryZones' | 'theme' | 'notificationFrequency' | 'backupFrequency' | 'emailProvider',
  { [name]: value }: ShownSettings,
) => (SETTINGS[name].options as Record<string, string>)[value] ?? '';
const sendsMail = ({ emailProvider, smtpHost, apiKeySet }: ShownSettings) => (emailProvider === 'smtp' ? smtpHost !== '' : apiKeySet);
const changed = (names: readonly FieldName[], settings: Record<string, unknown>) =>
  names.filter((name) => settings[name] !== (SETTINGS[name] as Setting).initial).length;

export const CARDS: Record<CardName, Card> = {
  tienda: {
    tab: 'general',
    title: 'Tu tienda',
    words: 'empresa nombre teléfono nif cif dirección logo papeles',
    state: ({ companyName, companyEmail }) => join(companyName, companyEmail) || 'Falta el nombre de tu empresa',
    fields: ['companyName', 'companyEmail', 'companyPhone', 'companyWhatsapp'],
    advanced: ['companyNif', 'companyAddress', 'timezone', 'language'],
    missing: ({ companyName, companyEmail }) => !companyName || !companyEmail,
  },
  cobros: {
    tab: 'general',
    title: 'Cobros',
    words: 'transferencia cuenta pagos reembolso',
    state: ({ companyIban, companyHolder, cashOnDelivery }) =>
      join(
        companyIban ? `IBAN …${companyIban.replace(/\s/g, '').slice(-4)}` : 'Sin IBAN',
        companyHolder && `titular: ${companyHolder}`,
        cashOnDelivery ? 'contra reembolso' : 'sin contra reembolso',
      ),
    fields: ['companyIban', 'companyHolder', 'cashOnDelivery', 'unpaidExpiryHours'],
    advanced: ['companyBic', 'unpaidReminderHours', 'transferExpiryDays'],
  },
  envios: {
    tab: 'general',
    title: 'Gastos de envío y plazo',
    words: 'portes península islas países extranjero tarifa festivos laborables',
    state: (settings) =>
      join(
        SHIPPING.every((name) => settings[name] === 0) ? 'Envío gratis' : `Península ${money(settings.shippingPeninsula)}`,
        `entrega en ${plural(settings.deliveryDays, 'día')} ${settings.deliveryDays === 1 ? 'laborable' : 'laborables'}`,
      ),
    fields: [...SHIPPING, 'shippingAbroad', 'deliveryDays'],
  },
  entrega: {
    tab: 'general',
    title: 'Entrega',
    words: 'reparto zonas ruta etiquetas parciales ficheros',
    state: ({ deliveryZones, dayRoute, shipmentFiles, labelsAndLoading, partialDeliveries }) => {
      const on = join(
        deliveryZones !== 'no' && 'por zonas',
        dayRoute && 'ruta del día',
        shipmentFiles && 'ficheros de envío',
        labelsAndLoading && 'etiquetas',
        partialDeliveries && 'entregas parciales',
      );
      return on ? on.charAt(0).toUpperCase() + on.slice(1) : 'Sin zonas, ruta, etiquetas ni entregas parciales';
    },
    fields: ['deliveryZones', 'dayRoute', 'routeMinutes', 'shipmentFiles', 'labelsAndLoading', 'partialDeliveries'],
    advanced: ['maxAttempts'],
  },
  pruebas: {
    tab: 'general',
    title: 'Pruebas de entrega',
    words: 'firma foto pin receptor',
    state: (settings) => {
      if (!settings.proofOfDelivery) return 'No se piden';
      const asked = PROOFS.filter((name) => settings[name] !== 'no').length;
      return asked === 0 ? 'Solo cómo se ha entregado' : `${number(asked)} de ${PROOFS.length} se piden`;
    },
    fields: ['proofOfDelivery', ...PROOFS],
    advanced: ['proofMonths'],
  },
  equipo: {
    tab: 'notifications',
    title: 'Avisos al equipo',
    words: 'notificaciones email push',
    state: (settings) =>
      join(
        !settings.emailNotifications
          ? 'Sin email'
          : sendsMail(settings)
            ? `Email: ${wordsOf('notificationFrequency', settings).toLowerCase()}`
            : 'Email: falta configurar el correo',
        settings.pushNotifications ? 'push' : 'sin push',
      ),
    fields: ['emailNotifications', 'notificationFrequency', 'endOfDayMail', 'pushNotifications'],
    advanced: ['smsNotifications'],
  },
  avisos: {
    tab: 'notifications',
    title: 'Avisos al cliente',
    words: 'whatsapp sms mensajes textos',
    state: (settings) => {
      const on = Object.entries(CHANNELS).flatMap(([canal, label]) => (settings[`canal_${canal as CanalAviso}`] ? [label] : []));
      const own = changed(TEXTS, settings);
      return on.length === 0
        ? 'No se avisa'
        : join(on.join(', '), own === 0 ? 'textos de Enruta' : plural(own, 'texto tuyo', 'textos tuyos'));
    },
    fields: ['canal_whatsapp', 'canal_sms', 'canal_llamada'],
    advanced: TEXTS,
  },
  accesos: {
    tab: 'security',
    title: 'Sesiones y contraseñas',
    words: 'caducidad intentos dos pasos sesión',
    state: ({ twoFactorAuth, sessionTimeout }) =>
      join(
        `Se cierra a los ${number(sessionTimeout)} minutos`,
        twoFactorAuth ? 'con verificación en dos pasos' : 'sin verificación en dos pasos',
      ),
    fields: ['twoFactorAuth', 'sessionTimeout', 'passwordExpiry'],
    advanced: ['rememberDays', 'maxLoginAttempts'],
  },
  datos: {
    tab: 'security',
    title: 'Datos de clientes',
    words: 'privacidad anonimizar rgpd',
    state: ({ anonymizeMonths }) =>
      anonymizeMonths === 0 ? 'No se anonimizan solos' : `Se anonimizan a los ${plural(anonymizeMonths, 'mes', 'meses')}`,
    fields: ['carrierContactDays', 'anonymizeMonths'],
  },
  iva: {
    tab: 'general',
    title: 'IVA y facturación',
    words: 'impuestos facturas factura gestor gestoría contabilidad verifactu nif base cuota',
    state: ({ iva, ivaDesde }) => (iva ? join('Encendido', ivaDesde && `desde el ${fecha(ivaDesde)}`) : 'Apagado'),
    fields: ['iva', 'ivaDesde'],
  },
  aspecto: {
    tab: 'appearance',
    title: 'Aspecto',
    words: 'tema color oscuro',
    state: (settings) => join(wordsOf('theme', settings), settings.primaryColor, settings.compactMode && 'compacto'),
    fields: ['theme', 'primaryColor', 'compactMode'],
    advanced: ['measureSpeed'],
  },
  copias: {
    tab: 'database',
    title: 'Cuándo se copia',
    words: 'copias automáticas frecuencia',
    state: (settings) =>
      join(
        settings.autoBackup ? wordsOf('backupFrequency', settings) : 'Solo a mano',
        `se conservan ${plural(settings.retentionDays, 'día')}`,
        settings.backupPassphraseSet ? 'con contraseña' : 'sin contraseña propia',
      ),
    fields: ['autoBackup', 'backupFrequency', 'retentionDays', 'backupPassphrase'],
    advanced: ['warnBackupsHere'],
  },
  correo: {
    tab: 'integrations',
    title: 'Correo',
    words: 'email smtp sendgrid mailgun avisos técnicos',
    state: (settings) =>
      sendsMail(settings)
        ? join(wordsOf('emailProvider', settings), settings.emailProvider === 'smtp' && settings.smtpHost)
        : 'Sin configurar: no se envía ningún email',
    fields: ['emailProvider', 'mailFrom', 'smtpHost', 'smtpPort', 'smtpUser', 'smtpPassword', 'apiKey', 'mailgunDomain'],
    advanced: ['technicalMail'],
  },
  seguimiento: {
    tab: 'integrations',
    title: 'Seguimiento de envíos',
    words: 'correos mrw fedex',
    state: (settings) => (changed(TRACKING, settings) === 0 ? 'Las páginas de Correos, MRW y FedEx' : 'Con direcciones tuyas'),
    fields: TRACKING,
  },
  enLinea: {
    tab: 'integrations',
    title: 'Tiendas en línea',
    words: 'tienda en línea woocommerce shopify prestashop web pedidos',
    state: ({ storeActive }) => (storeActive ? 'Encendidas: cada tienda está en «Tienda en línea»' : 'Apagadas'),
    fields: ['storeActive'],
    advanced: ['storeSecret'],
  },
};

/** Settings that are shown only while another setting is on. */
const NEEDS: Partial<Record<FieldName, FieldName>> = {
  routeMinutes: 'dayRoute',
  proofMonths: 'proofOfDelivery',
  ...Object.fromEntries(PROOFS.map((name) => [name, 'proofOfDelivery'])),
  notificationFrequency: 'emailNotifications',
  endOfDayMail: 'emailNotifications',
  backupFrequency: 'autoBackup',
  ivaDesde: 'iva',
  storeSecret: 'storeActive',
};

export const tabCards = (tab: TabName) => (Object.keys(CARDS) as CardName[]).filter((name) => CARDS[name].tab === tab);
const named = ({ fields, advanced = [] }: Card) => [...fields, ...advanced];
const PLACED = new Set(Object.values(CARDS).flatMap(named));

/** Returns the settings of a card; `advanced` are the settings under «Avanzado». */
export function fieldsIn(card: CardName, inTab: (tab: TabName) => [FieldName, Setting][] = tabFields) {
  const { tab, fields, advanced = [] } = CARDS[card];
  const unplaced = tabCards(tab)[0] === card ? inTab(tab).flatMap(([name]) => (PLACED.has(name) ? [] : [name])) : [];
  return { shown: [...fields, ...unplaced], advanced: [...advanced] };
}

export const settingCardOf = (field: FieldName): CardName =>
  (Object.keys(CARDS) as CardName[]).find((name) => named(CARDS[name]).includes(field)) ??
  (tabCards((SETTINGS[field] as Setting).tab)[0] as CardName);

/** True if the form shows `field` with these values. Hides fields of other e-mail providers and of features that are off. */
export function isAsked(field: FieldName, values: Partial<Record<FieldName, unknown>>): boolean {
  const { providers } = SETTINGS[field] as Setting;
  const needs = NEEDS[field];
  return (!providers || providers.some((name) => name === values.emailProvider)) && (!needs || values[needs] === true);
}

/** Cards of former tabs: «Entrega» and «Avisos al cliente» were tabs until version 0.2. */
const MOVED: Record<string, CardName> = { delivery: 'entrega', messages: 'avisos' };
export function settingPlace(tab: string, campo: string): { tab: TabName; card: CardName | undefined } {
  const card = campo in SETTINGS ? settingCardOf(campo as FieldName) : campo in CARDS ? (campo as CardName) : MOVED[tab];
  if (card) return { tab: CARDS[card].tab, card };
  return { tab: tab in TABS ? (tab as TabName) : 'general', card: undefined };
}
