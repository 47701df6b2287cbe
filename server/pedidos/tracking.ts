import { sql } from 'kysely';
import type { MetodoEntrega } from '../../contract/pedidos.flow.ts';
import type { Settings } from '../../contract/settings.ts';
import { settingSql } from '../settings/setting-sql.ts';

/** The companies with a tracking page in the settings. */
const PAGE = { correos: 'trackingCorreos', mrw: 'trackingMrw', fedex: 'trackingFedex' } as const satisfies Partial<
  Record<MetodoEntrega, keyof Settings>
>;
const cases = Object.entries(PAGE).map(([company, setting]) => sql`WHEN ${sql.lit(company)} THEN ${settingSql(setting)}`);

/**
 * The tracking page from the settings for an order's delivery method or, failing that, its company; null without a
 * tracking number.
 */
export const trackingTemplate = sql<
  string | null
>`CASE WHEN pedidos.numero_seguimiento IS NOT NULL THEN CASE coalesce(nullif(pedidos.metodo_entrega, 'otro'), lower(trim(pedidos.empresa_transporte))) ${sql.join(cases, sql` `)} END END`.as(
  'seguimiento_plantilla',
);

/** The parcel's tracking address, always https; null without a number or a page for its company. */
export function trackingUrl(template: string | null, numero: string | null): string | null {
  if (!numero || !template?.startsWith('https://')) return null;
  return template.replaceAll('{numero}', () => encodeURIComponent(numero.toWellFormed()));
}
