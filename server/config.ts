import { type Config, readConfigWith } from './kit/config.ts';
import { type PaymentsConfig, readProviders } from './payments/providers.ts';

export type AppConfig = Config & PaymentsConfig;

/** Reads the variables of the program and of the payment providers. Throws like `readConfigWith`. */
export const readConfig = (env: NodeJS.ProcessEnv, demo = false): AppConfig => readConfigWith(readProviders, env, demo);
