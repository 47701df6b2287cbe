import { METODO_PAGO_LABEL } from '../../contract/payments/fields.ts';
import type { Reader } from '../kit/config.ts';
import type { Gateway, Provider } from './provider.ts';
import { redsysProvider } from './redsys.ts';
import { stripeProvider } from './stripe.ts';

const LISTED = [stripeProvider, redsysProvider] as const;
export const PROVIDERS: readonly Provider[] = LISTED;

const LABELS = new Map([
  ['manual', 'Transferencia'],
  ['simulador', 'Pago de prueba'],
  ...Object.entries(METODO_PAGO_LABEL),
  ...PROVIDERS.map(({ id, label }): [string, string] => [id, label]),
]);
/** Display name of a provider, or the id if the provider is no longer listed. */
export const providerLabel = (id: string): string => LABELS.get(id) ?? id;

export type PaymentsConfig = { [P in (typeof LISTED)[number] as P['id']]: ReturnType<P['config']> };
type Settings = Readonly<Record<string, unknown>>;

export const readProviders: Reader<PaymentsConfig> = (env, problems) => {
  const settings = Object.fromEntries(PROVIDERS.map(({ id, config }) => [id, config(env, problems)])) as PaymentsConfig;
  const [first] = configured(settings);
  // Without PUBLIC_URL, a forged Host header could redirect the bank's notifications.
  if (first && !env.PUBLIC_URL)
    problems.push(`PUBLIC_URL: hace falta para cobrar con ${first.label}, que avisa de los pagos a esa dirección.`);
  return settings;
};

export async function openProviders(config: Settings): Promise<ReadonlyMap<string, Gateway & Pick<Provider, 'methods'>>> {
  const opening = configured(config).map(async ({ id, methods, open }) => [id, { methods, ...(await open(config[id])) }] as const);
  return new Map(await Promise.all(opening));
}

export const formActions = (config: Settings): string[] =>
  configured(config).flatMap((provider) => provider.formAction?.(config[provider.id]) ?? []);

const configured = (config: Settings) => PROVIDERS.filter(({ id }) => config[id] !== undefined);
