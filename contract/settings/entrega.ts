import { EXIGENCIAS, FORMA_LABEL, FORMAS_ENTREGA, type FormaEntrega, PRUEBA_LABEL, PRUEBAS_DE } from '../pruebas/fields.ts';
import type { ReglasEntrega } from '../pruebas/pruebas.ts';
import { countSetting, OFF } from './setting.ts';

/* Settings of the proof of delivery (decision 057): one for each way and proof. */

type PruebasDe = typeof PRUEBAS_DE;
export type PruebaSetting = { [F in FormaEntrega]: `prueba_${F}_${PruebasDe[F][number]}` }[FormaEntrega];
type Row = { kind: 'choice'; tab: 'general'; initial: 'no'; label: string; options: typeof EXIGENCIAS };

const choices = Object.fromEntries(
  FORMAS_ENTREGA.flatMap((forma) =>
    PRUEBAS_DE[forma].map((prueba): [string, Row] => [
      `prueba_${forma}_${prueba}`,
      { kind: 'choice', tab: 'general', initial: 'no', label: `${FORMA_LABEL[forma]}: ${PRUEBA_LABEL[prueba]}`, options: EXIGENCIAS },
    ]),
  ),
) as Record<PruebaSetting, Row>;

export const ENTREGA_SETTINGS = {
  labelsAndLoading: {
    ...OFF,
    label: 'Etiquetas y carga',
    hint: 'Etiquetas con código para los paquetes; el transportista las escanea para cargar, abrir y completar',
  },
  partialDeliveries: {
    ...OFF,
    label: 'Entregas parciales',
    hint: 'Al completar se indica qué no se ha entregado; el stock, lo que se cobra o se reembolsa y las ganancias se ajustan solos',
  },
  proofOfDelivery: {
    ...OFF,
    label: 'Pruebas de entrega',
    hint: 'Al completar, el transportista indica cómo ha entregado, con las pruebas que elijas abajo',
  },
  ...choices,
  proofMonths: {
    ...countSetting(1, 120, 'meses'),
    tab: 'general',
    initial: 12,
    label: 'Conservar firmas y fotos (meses)',
    hint: 'Después se borran los ficheros; el nombre de quien recibió queda hasta que se anonimice el pedido',
  },
} as const;

type Values = Record<PruebaSetting, keyof typeof EXIGENCIAS> & { proofOfDelivery: boolean };

/** Rules in force; null if the shop asks for no proof. */
export function reglasDe(settings: Values): ReglasEntrega | null {
  if (!settings.proofOfDelivery) return null;
  return Object.fromEntries(
    FORMAS_ENTREGA.map((forma) => [
      forma,
      Object.fromEntries(PRUEBAS_DE[forma].map((prueba) => [prueba, settings[`prueba_${forma}_${prueba}` as PruebaSetting]])),
    ]),
  ) as ReglasEntrega;
}
