import { sql } from 'kysely';
import type { MetodoEntrega } from '../../../contract/pedidos/metodos.ts';
import type { Settings } from '../../../contract/settings/values.ts';
import { settingSql } from '../../settings/setting-sql.ts';

const PAGE = { correos: 'trackingCorreos', mrw: 'trackingMrw', fedex: 'trackingFedex' } as const satisfies Partial<
  Record<MetodoEntrega, keyof Settings>
>;
const cases = Object.entries(PAGE).map(([company, setting]) => sql`WHEN ${sql.lit(company)} THEN ${settingSql(setting)}`);

/** SQL for the URL template of the delivery method, or of the order's company if the method is missing or `otro`; null without a tracking number. */
export const trackingTemplate = sql<
  string | null
>`CASE WHEN pedidos.numero_seguimiento IS NOT NULL THEN CASE coalesce(nullif(pedidos.metodo_entrega, 'otro'), lower(trim(pedidos.empresa_transporte))) ${sql.join(cases, sql` `)} END END`.as(
  'seguimiento_plantilla',
);

/** Tracking URL, always https; null without a number or page. */
export function trackingUrl(template: string | null, numero: string | null): string | null {
  if (!numero || !template?.startsWith('https://')) return null;
  return template.replaceAll('{numero}', () => encodeURIComponent(numero.toWellFormed()));
}
