import type { ReglasEntrega } from '../../contract/pruebas/pruebas.ts';

let rules: ReglasEntrega | undefined;

/** Keeps what completing asks for, so that a dialog knows it without a connection. */
export function adoptDeliveryRules(given: ReglasEntrega | undefined): void {
  rules = given;
}

export const deliveryRules = (): ReglasEntrega | undefined => rules;
