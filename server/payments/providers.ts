import { METODO_PAGO_LABEL } from '../../contract/payments.ts';
import type { Part } from '../kit/config.ts';
import type { Gateway, Provider } from './provider.ts';
import { redsys } from './redsys.ts';
import { stripe } from './stripe.ts';

/** Every provider, in the order of the public page. */
const LISTED = [stripe, redsys] as const;
export const PROVIDERS: readonly Provider[] = LISTED;

const LABELS = new Map([
  ['manual', 'Confirmado a mano'],
  ['simulador', 'Simulador'],
  ...Object.entries(METODO_PAGO_LABEL),
  ...PROVIDERS.map(({ id, label }): [string, string] => [id, label]),
]);
/** A provider's name for people; its id when it is no longer listed. */
export const providerLabel = (id: string): string => LABELS.get(id) ?? id;

/** The settings of each provider by id, undefined where it is not configured. */
export type PaymentsConfig = { [P in (typeof LISTED)[number] as P['id']]: ReturnType<P['config']> };
type Settings = Readonly<Record<string, unknown>>;

export const readProviders: Part<PaymentsConfig> = (env, problems) => {
  const settings = Object.fromEntries(PROVIDERS.map(({ id, config }) => [id, config(env, problems)])) as PaymentsConfig;
  const [first] = configured(settings);
  // The address of a request can be forged, and the bank would notify whoever forged it.
  if (first && !env.PUBLIC_URL)
    problems.push(`PUBLIC_URL: hace falta para cobrar con ${first.label}, que avisa de los pagos a esa dirección.`);
  return settings;
};

/** The configured providers, by id. */
export async function openProviders(config: Settings): Promise<ReadonlyMap<string, Gateway & Pick<Provider, 'methods'>>> {
  const opening = configured(config).map(async ({ id, methods, open }) => [id, { methods, ...(await open(config[id])) }] as const);
  return new Map(await Promise.all(opening));
}

/** Origins that the page may post a form to. */
export const formActions = (config: Settings): string[] =>
  configured(config).flatMap((provider) => provider.formAction?.(config[provider.id]) ?? []);

const configured = (config: Settings) => PROVIDERS.filter(({ id }) => config[id] !== undefined);
