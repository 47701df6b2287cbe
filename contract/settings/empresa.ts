import { isIban } from '../text/iban.ts';
import { INVALID_NIF, isNif } from '../text/nif.ts';
import { whatsappNumber } from '../text/telephone.ts';

/* The business: its name for customers and on paper, and its account. */

const REQUIRED = 'Nombre de empresa y email son obligatorios.';
const COMPANY = { kind: 'text', tab: 'general', initial: '' } as const;
const ACCOUNT = { ...COMPANY, proof: 'la cuenta para transferencias' } as const;

export const EMPRESA_SETTINGS = {
  companyName: { ...COMPANY, max: 120, required: REQUIRED, label: 'Nombre de la empresa' },
  companyEmail: { ...COMPANY, kind: 'email', max: 254, required: REQUIRED, label: 'Email de la empresa' },
  companyPhone: {
    ...COMPANY,
    max: 40,
    pattern: /^\+?[\d\s().-]{6,}$/,
    invalid: 'El teléfono no es válido',
    label: 'Teléfono de la empresa',
    hint: 'Se muestra al cliente, con el email, en la página de su pedido',
  },
  companyWhatsapp: {
    ...COMPANY,
    max: 40,
    matches: (value: string) => whatsappNumber(value) !== '',
    invalid: 'El número de WhatsApp no es válido',
    label: 'WhatsApp de la empresa',
    hint: 'El número al que el cliente puede escribir desde ahí',
  },
  companyNif: {
    ...COMPANY,
    max: 20,
    matches: isNif,
    invalid: INVALID_NIF,
    label: 'NIF de la empresa',
    hint: 'Sale, con la dirección, en albaranes, hojas de ruta y liquidaciones',
  },
  companyAddress: {
    ...COMPANY,
    max: 200,
    label: 'Dirección de la empresa',
    hint: 'En una línea: calle, número, código postal y población',
  },
  companyIban: {
    ...ACCOUNT,
    max: 42,
    matches: isIban,
    invalid: 'El IBAN no es válido',
    label: 'IBAN',
    hint: 'La cuenta que se muestra al cliente para pagar por transferencia',
  },
  companyHolder: {
    ...ACCOUNT,
    max: 70,
    label: 'Titular de la cuenta',
    hint: 'Como lo tiene tu banco: el del cliente compara el nombre antes de cada transferencia. Vacío, el de la empresa',
  },
  companyBic: {
    ...ACCOUNT,
    max: 11,
    pattern: /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/i,
    invalid: 'El BIC no es válido',
    label: 'BIC',
    hint: 'El código de tu banco; casi nunca hace falta',
  },
} as const;
