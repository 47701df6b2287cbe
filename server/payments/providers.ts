import type { Part } from '../kit/config.ts';
import type { Gateway, Provider } from './provider.ts';
import { redsys } from './redsys.ts';
import { stripe } from './stripe.ts';

/** Every provider, in the order of the public page. */
const LISTED = [stripe, redsys] as const;
export const PROVIDERS: readonly Provider[] = LISTED;

const MANUAL = [
  { id: 'manual', label: 'Confirmado a mano' },
  { id: 'simulador', label: 'Simulador' },
];
const LABELS = new Map([...MANUAL, ...PROVIDERS].map(({ id, label }) => [id, label]));
/** A provider's name for people; its id when it is no longer listed. */
export const providerLabel = (id: string): string => LABELS.get(id) ?? id;

/** The settings of each provider by id, undefined where it is not configured. */
export type PaymentsConfig = { [P in (typeof LISTED)[number] as P['id']]: ReturnType<P['config']> };
type Settings = Readonly<Record<string, unknown>>;

export const readProviders: Part<PaymentsConfig> = (env, problems) =>
  Object.fromEntries(PROVIDERS.map(({ id, config }) => [id, config(env, problems)])) as PaymentsConfig;

/** The configured providers, by id. */
export async function openProviders(config: Settings): Promise<ReadonlyMap<string, Gateway & Pick<Provider, 'methods'>>> {
  const opening = configured(config).map(async ({ id, methods, open }) => [id, { methods, ...(await open(config[id])) }] as const);
  return new Map(await Promise.all(opening));
}

/** Origins that the page may post a form to. */
export const formActions = (config: Settings): string[] =>
  configured(config).flatMap((provider) => provider.formAction?.(config[provider.id]) ?? []);

const configured = (config: Settings) => PROVIDERS.filter(({ id }) => config[id] !== undefined);
