/* Personal data (RGPD art. 18, LOPDGDD art. 32). An order identifies the person, so that no URL holds personal data. */

export const MAX_PRIVACIDAD = 500;

export const CONFIRMACION = 'ANONIMIZAR';

export const personOrOrders = ({ persona, pedidos }: { persona?: string | undefined; pedidos?: string[] | undefined }) =>
  (persona === undefined) !== (pedidos === undefined);

export const WHICH = 'Indica una persona o unos pedidos';
