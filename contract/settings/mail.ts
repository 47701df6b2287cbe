import { countSetting, type Setting } from './setting.ts';

/* How e-mail is sent, and who gets technical warnings. */

const MAIL = { kind: 'text', tab: 'integrations', initial: '', proof: 'el correo' } as const;
const SECRET = { kind: 'password', tab: 'integrations', max: 500, proof: 'el correo' } as const;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** E-mail addresses of a text, separated by commas, semicolons or spaces. */
export const splitAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

export const MAIL_SETTINGS = {
  emailProvider: {
    ...MAIL,
    kind: 'choice',
    initial: 'smtp',
    label: 'Proveedor de correo',
    options: { smtp: 'SMTP', sendgrid: 'SendGrid', mailgun: 'Mailgun' },
  },
  mailFrom: { ...MAIL, kind: 'email', max: 254, label: 'Remitente', hint: 'Si está vacío, el email de la empresa' },
  technicalMail: {
    ...MAIL,
    max: 500,
    label: 'Avisos técnicos a',
    hint: 'Uno o varios emails, separados por comas: quien lleva el servidor sabe así de copias fallidas, tareas con error, poco disco o un certificado que caduca',
    problem: (text) => {
      const wrong = splitAddresses(text).find((address) => !EMAIL.test(address));
      return wrong && `«${wrong}» no es un email`;
    },
  },
  smtpHost: { ...MAIL, max: 253, label: 'Servidor SMTP', hint: 'El que envía tus correos; te lo dice tu proveedor', providers: ['smtp'] },
  smtpPort: { ...MAIL, ...countSetting(1, 65_535, ''), initial: 587, label: 'Puerto SMTP', providers: ['smtp'] },
  smtpUser: { ...MAIL, max: 254, label: 'Usuario SMTP', providers: ['smtp'] },
  smtpPassword: {
    ...SECRET,
    isFor: ['emailProvider', 'smtpHost', 'smtpPort', 'smtpUser'],
    label: 'Contraseña SMTP',
    providers: ['smtp'],
  },
  apiKey: { ...SECRET, isFor: ['emailProvider', 'mailgunDomain'], label: 'Clave API', providers: ['sendgrid', 'mailgun'] },
  mailgunDomain: { ...MAIL, max: 253, label: 'Dominio de Mailgun', providers: ['mailgun'] },
} as const satisfies Record<string, Setting>;
