import { z } from 'zod';

export const TIMEZONES = ['Europe/Madrid', 'UTC', 'America/New_York'] as const;

/** Settings of the business with their defaults (specification, sections 3 and 9). */
export const settings = z.object({
  companyName: z.string().default(''),
  companyEmail: z.string().default(''),
  /** Account shown on the payment page for bank transfers. */
  companyIban: z.string().default(''),
  companyBic: z.string().default(''),
  timezone: z.enum(TIMEZONES).default('Europe/Madrid'),
  /** Minutes without activity after which a session ends. */
  sessionTimeout: z.number().default(30),
  maxLoginAttempts: z.number().default(5),
});
export type Settings = z.infer<typeof settings>;
