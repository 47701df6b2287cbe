/*
 * Final acts: endpoints whose effect no other endpoint takes back, each with the words of the dialog or form that asks first. The fake
 * server compares them with what stands on the screen when the act is sent.
 */

const EUROS = /\d,\d\d\s€/;

export const FINAL: Record<string, readonly RegExp[]> = {
  anonimizar: [/\d+ pedidos?/, /No se puede deshacer/],
  cerrarMes: [/\d+ personas?/, EUROS, /no cambia nunca/],
  changeWebhookSecret: [/no aceptará los avisos/],
  cobroSinLlegar: [EUROS, /el cobro se anula/],
  comprobarCobros: [/Están \d+/, EUROS],
  confirmarCaja: [EUROS],
  deleteUser: [/no se puede deshacer/],
  deleteWebhook: [/No se puede deshacer/],
  descartarTienda: [/No se hará ningún pedido|^Visto$/],
  deshacerImport: [/\d+ pedidos?/],
  devolverPago: [EUROS],
  entregarCaja: [EUROS],
  hideLog: [/registro/],
  moverDevolucion: [EUROS, /lo que sobre sigue por reembolsar/],
  recibirCaja: [EUROS],
  reembolsarDevolucion: [/aquí se anota/],
  reembolsarSobra: [/\d,\d\d/],
  renewRecoveryCodes: [/diez códigos nuevos/],
  resolverPago: [EUROS],
  revokeApiKey: [/no se recupera/],
  separarVenta: [/queda en el historial/],
};

/** Text of the open dialogs and forms, with the values of their fields, and of the pressed button. */
function asked(): string {
  const open = [...document.querySelectorAll<HTMLElement>('[aria-modal=true], form')];
  const read = open.flatMap((part) => [part.innerText, ...[...part.querySelectorAll('input')].map(({ value }) => value)]);
  return [...read, document.activeElement?.textContent].join('\n');
}

/** Says why an act is sent without its question, or nothing. */
export function unasked(name: string): string | undefined {
  const missing = FINAL[name]?.filter((words) => !words.test(asked())) ?? [];
  return missing.length ? `${name} is final, and nothing on the screen says ${missing.join(' and ')}: «${asked()}»` : undefined;
}
