import { z } from 'zod';
import { pictureInput } from '../kit/picture.ts';
import { doneWith, euros, integer, operation, ruledText, version } from '../kit/schemas.ts';
import { storedEmail } from '../text/email.ts';
import { SETTINGS } from './fields.ts';
import type { Setting } from './setting.ts';
import { SECRET_NAMES, SETTING_NAMES, type SecretName, type SettingName, type Settings } from './values.ts';

const CHOOSE = 'Elige una de las opciones';

/** Returns the schema of a setting; optional text can be empty, and so can an amount whose default is empty. */
function ruleOf({
  kind,
  min = 0,
  max = 0,
  invalid = 'Valor no válido',
  options = {},
  matches,
  problem,
  initial,
  ...rule
}: Setting): z.ZodType {
  if (kind === 'switch') return z.boolean();
  if (kind === 'choice') return z.enum(Object.keys(options), CHOOSE);
  if (kind === 'integer') return integer(min, max, invalid);
  if (kind === 'money') return initial === '' ? z.union([z.literal(''), euros(invalid)], { error: invalid }) : euros(invalid);
  const text = ruledText({ ...rule, min, max, invalid });
  if (kind === 'email')
    return text.overwrite(storedEmail).refine((from) => from === '' || z.email().safeParse(from).success, 'Email inválido');
  if (problem) {
    return text.superRefine((value, context) => {
      const message = problem(value);
      if (message) context.addIssue({ code: 'custom', message });
    });
  }
  return matches ? text.refine((value) => value === '' || matches(value), invalid) : text;
}

const describedRule = (setting: Setting) => ruleOf(setting).meta({ description: setting.label, default: setting.initial });
const rulesOf = <N extends keyof typeof SETTINGS, T extends Record<N, unknown>>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, describedRule(SETTINGS[name])])) as { [K in N]: z.ZodType<T[K], T[K]> };
const settingRules = rulesOf<SettingName, Settings>(SETTING_NAMES);
const secretRules = rulesOf<SecretName, Record<SecretName, string>>(SECRET_NAMES);

const secretsSet = Object.fromEntries(
  SECRET_NAMES.map((name) => [`${name}Set`, z.boolean().describe(`${SETTINGS[name].label}: set`)]),
) as Record<`${SecretName}Set`, z.ZodBoolean>;

export const shown = z.object({
  ...settingRules,
  // Empty until a superadmin names the business.
  companyName: z.string().describe(SETTINGS.companyName.label),
  companyEmail: z.string().describe(SETTINGS.companyEmail.label),
  mailFrom: z.string().describe(SETTINGS.mailFrom.label),
  ...secretsSet,
  logo: z.string().nullable().describe('URL of the logo, different for each image; null without a logo'),
  version: z.number(),
});

export const getSettings = operation('All settings; of secrets only whether they are set', { 200: z.object({ data: shown }) });

/**
 * Absent settings stay unchanged. `logo` and the flags of set secrets are ignored, so that a response can be sent back whole. A secret is
 * deleted when sent empty, or when a setting in its `isFor` changes and the secret is not sent again.
 */
export const updateSettings = operation('Change settings; a stale version is refused with 409', {
  body: z.strictObject({
    ...z.object({ ...settingRules, ...secretRules, ...secretsSet, logo: shown.shape.logo }).partial().shape,
    version,
  }),
  200: doneWith(shown),
});

export const setLogo = operation(
  'Give the business a logo, a JPEG or PNG in base64 of at most 30 KB and 480 pixels a side, or take it away',
  { body: z.strictObject({ logo: pictureInput('El logo no es una imagen') }), 200: doneWith(shown) },
);

export const getLogo = operation('The logo of the business, as papers and payment pages show it; 404 without one', {
  query: z.strictObject({ v: z.string().max(64).optional() }),
  file: 'application/octet-stream',
});

const findings = z.object({ message: z.string(), data: z.array(z.object({ nombre: z.string(), valor: z.string() })) });
export const testDatabase = operation('Ask the database what it is and how long it takes', { 200: findings });
export const testMail = operation('Shake hands with the mail server of the stored settings; nothing is sent', { 200: findings });

export const localNetwork = z.object({
  publica: z.string().nullable().describe('Public address of the installation; null without one'),
  abierta: z.boolean().describe('Devices of the local network reach the program'),
  siempre: z.boolean().describe('Opens to the local network again at each start'),
  puede: z
    .boolean()
    .describe('Can be opened and closed here; false with a public address or a proxy, or if it listens on the network anyway'),
  direcciones: z.array(z.string()).describe('Addresses in the local network, the likeliest first'),
});

export const getRed = operation('Where other devices reach the program', { 200: z.object({ data: localNetwork }) });

export const setRedBody = z.strictObject({ abierta: z.boolean(), siempre: z.boolean().default(false) });

export const setRed = operation('Open the program to the local network, or close it again; closes at the next start unless `siempre`', {
  body: setRedBody,
  200: doneWith(localNetwork),
});

/** What a public address lacks, in the order in which it is mended. */
const FALLOS = ['nombre', 'puerto', 'certificado', 'otro_programa', 'sin_respuesta'] as const;

export const comprobarDireccion = operation('Ask an https address, as a telephone would, whether it leads to this program', {
  body: z.strictObject({
    direccion: ruledText({ max: 200, invalid: 'Escribe la dirección, como https://pedidos.tienda.es', required: 'Escribe la dirección' }),
  }),
  200: z.object({ data: z.object({ direccion: z.string(), fallo: z.enum(FALLOS).nullable().describe('Null: it leads here') }) }),
});
