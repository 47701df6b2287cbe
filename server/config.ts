import { type Config, readConfigWith } from './kit/config.ts';
import { type PaymentsConfig, readProviders } from './payments/providers.ts';

export type AppConfig = Config & PaymentsConfig;

/** Reads the environment once: the program's own variables and each payment provider's. */
export const readConfig = (env: NodeJS.ProcessEnv, demo = false): AppConfig => readConfigWith(readProviders, env, demo);
