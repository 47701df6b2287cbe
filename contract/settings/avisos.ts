import {
  type AvisosCliente,
  CANAL_NAMES,
  type CanalAviso,
  MOMENTO_NAMES,
  MOMENTOS,
  type Momento,
  placeholderWords,
  problemOfTexto,
} from '../avisos-cliente/fields.ts';

/* Settings of the messages to customers (decision 077): the channels, and one text for each moment. */

const CHANNEL = { kind: 'switch', tab: 'notifications', initial: true } as const;

type TextRow = {
  kind: 'multiline';
  tab: 'notifications';
  initial: string;
  label: string;
  hint: string;
  required: string;
  max: number;
  problem: (texto: string) => string | undefined;
};
export type TextoSetting = `aviso_${Momento}`;

const texts = Object.fromEntries(
  MOMENTO_NAMES.map((momento): [TextoSetting, TextRow] => [
    `aviso_${momento}`,
    {
      kind: 'multiline',
      tab: 'notifications',
      initial: MOMENTOS[momento].texto,
      label: MOMENTOS[momento].label,
      hint: `Puedes usar ${placeholderWords(momento)}`,
      required: 'Escribe el texto, o vuelve al de Enruta',
      max: 600,
      problem: (texto) => problemOfTexto(momento, texto),
    },
  ]),
) as Record<TextoSetting, TextRow>;

export const AVISOS_SETTINGS = {
  canal_whatsapp: { ...CHANNEL, label: 'Avisar por WhatsApp', hint: 'Enruta deja el texto escrito; lo envía la persona desde su teléfono' },
  canal_sms: { ...CHANNEL, label: 'Avisar por SMS', hint: 'Desde el teléfono de quien lo escribe, con su tarifa' },
  canal_llamada: { ...CHANNEL, label: 'Avisar con una llamada' },
  ...texts,
} as const;

/** Returns the moment whose text this setting holds; undefined for other settings. */
export const settingMomento = (name: string): Momento | undefined => MOMENTO_NAMES.find((momento) => name === `aviso_${momento}`);

type Values = Record<TextoSetting, string> & Record<`canal_${CanalAviso}`, boolean> & { companyName: string };

/** Returns the messages in force; null if no channel is on. Without `seesLink`, omits texts that can hold the customer's link. */
export function avisosDe(settings: Values, seesLink: boolean): AvisosCliente | null {
  const canales = CANAL_NAMES.filter((canal) => settings[`canal_${canal}`]);
  if (canales.length === 0) return null;
  const mayUse = (momento: Momento) => seesLink || !MOMENTOS[momento].placeholders.some((name) => name === 'enlace');
  const changed = MOMENTO_NAMES.filter((momento) => mayUse(momento) && settings[`aviso_${momento}`] !== MOMENTOS[momento].texto);
  const textos = Object.fromEntries(changed.map((momento) => [momento, settings[`aviso_${momento}`]]));
  return { tienda: settings.companyName, canales, textos };
}
