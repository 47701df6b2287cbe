import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/*
 * Every act that changes something: undone by another endpoint, harmless, or final. A final act asks first, and says what becomes of
 * which order, amount or person.
 */

const ROOT = join(import.meta.dirname, '..');
const ENDPOINT = /export const (\w+) = endpoint<[^>]*>\(\)\(\s*'(?!GET)[A-Z]+'/g;
const acts = globSync('contract/**/*.ts', { cwd: ROOT })
  .flatMap((path) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(ENDPOINT)].map(([, name = '']) => name))
  .toSorted();

/** Acts with the endpoint that takes them back. */
const UNDONE: Record<string, string> = {
  acceptInvitation: 'updateUser',
  addComentario: 'anonimizar',
  ajustarStock: 'ajustarStock',
  anotarPago: 'anularPago',
  anularDevolucion: 'createDevolucion',
  anularPago: 'anotarPago',
  aplazarPedido: 'aplazarPedido',
  aplicarTienda: 'updatePedido',
  assignTransportista: 'assignTransportista',
  autoAsignar: 'setEstado',
  bloquear: 'desbloquear',
  bloquearCliente: 'bloquearCliente',
  cancelExport: 'createExport',
  cargarPedido: 'cargarPedido',
  changePassword: 'changePassword',
  closeOtherSessions: 'login',
  confirmSecondFactor: 'removeSecondFactor',
  corregirTienda: 'corregirTienda',
  crearAjuste: 'crearAjuste',
  createApiKey: 'revokeApiKey',
  createDevolucion: 'anularDevolucion',
  createEnvio: 'sacarDeEnvio',
  createFuente: 'updateFuente',
  createPack: 'updatePack',
  createPedido: 'deletePedido',
  createProduct: 'updateProduct',
  createUser: 'deleteUser',
  createVista: 'deleteVista',
  createWebhook: 'deleteWebhook',
  deleteForma: 'setForma',
  deletePareja: 'emparejarTienda',
  deletePedido: 'restorePedido',
  deletePrecio: 'setPrecio',
  deleteVista: 'createVista',
  desbloquear: 'bloquear',
  despagarLiquidacion: 'pagarLiquidacion',
  duplicatePedido: 'deletePedido',
  emparejarTienda: 'deletePareja',
  encenderWebhooks: 'updateFuente',
  firstAccess: 'changePassword',
  guardarRuta: 'guardarRuta',
  importPedidos: 'deshacerImport',
  inviteUser: 'withdrawInvitation',
  login: 'logout',
  logout: 'login',
  lotePedidos: 'lotePedidos',
  pagarLiquidacion: 'despagarLiquidacion',
  pagarLiquidaciones: 'despagarLiquidacion',
  patchPedido: 'patchPedido',
  pedirResto: 'deletePedido',
  ponerIntracomunitaria: 'ponerIntracomunitaria',
  ponerTipos: 'setLineas',
  preferVista: 'preferVista',
  recibirDevolucion: 'ajustarStock',
  registrarLoQuePaso: 'anularPago',
  removeSecondFactor: 'startSecondFactor',
  renewInvitation: 'withdrawInvitation',
  responderIncidencia: 'setEstado',
  retenerDevolucion: 'anularDevolucion',
  restorePedido: 'deletePedido',
  sacarDeEnvio: 'createEnvio',
  separarCliente: 'unirCliente',
  setEstado: 'setEstado',
  setForma: 'deleteForma',
  setGanancia: 'setGanancia',
  setLineas: 'setLineas',
  setLogo: 'setLogo',
  setPicture: 'setPicture',
  setPrecio: 'deletePrecio',
  soltarFacturables: 'tomarFacturables',
  startSecondFactor: 'removeSecondFactor',
  subscribePush: 'unsubscribePush',
  tomarFacturables: 'soltarFacturables',
  tomarPedidos: 'setEstado',
  unirCliente: 'separarCliente',
  unsubscribePush: 'subscribePush',
  updateCliente: 'updateCliente',
  updateFuente: 'updateFuente',
  updatePack: 'updatePack',
  updatePedido: 'updatePedido',
  updatePlantilla: 'updatePlantilla',
  updateProduct: 'updateProduct',
  updateSettings: 'updateSettings',
  updateUser: 'updateUser',
  updateVista: 'updateVista',
  updateWebhook: 'updateWebhook',
  withdrawInvitation: 'renewInvitation',
};

/** Acts that change nothing of the shop: computed, tried, read, asked anew; or made by a program or by the customer alone. */
const HARMLESS = [
  'aplazarEntrega',
  'avisarTransferencia',
  'calcularDevolucion',
  'calcularEnvio',
  'calcularTotal',
  'checkImport',
  'comprobarRespuesta',
  'contarNoAceptado',
  'createBackup',
  'createExport',
  'notifyPago',
  'permitirVecino',
  'probarArchivo',
  'proveIdentity',
  'readNotifications',
  'receiveTienda',
  'reenviarEntrega',
  'reintentarTienda',
  'resendGivenUp',
  'sendPrueba',
  'simularPago',
  'startCuadre',
  'startPago',
  'testDatabase',
  'testMail',
  'testWebhook',
  'traerProductos',
  'verIlegible',
];

/** Final acts: where they are asked, and what the question says. */
const FINAL: Record<string, [file: string, says: RegExp]> = {
  anonimizar: ['privacidad/block-dialog.tsx', /Anonimizar para siempre[\s\S]*pedidos/],
  cerrarMes: ['liquidaciones/liquidaciones.page.tsx', /confirm\(\{[\s\S]*summary\(month\)[\s\S]*no cambia nunca/],
  changeWebhookSecret: ['webhooks/webhooks.tsx', /confirm\(\{\s*title: 'Cambiar el secreto'/],
  cobroSinLlegar: ['caja/office-lists.tsx', /money\(cobro\.importe\)[\s\S]*el cobro se anula/],
  comprobarCobros: ['caja/office-lists.tsx', /Están \$\{chosen\.length\}: \$\{money\(sum\)\}/],
  confirmarCaja: ['caja/caja.page.tsx', /transportista_nombre[\s\S]*money\(due\)/],
  deleteUser: ['users/users.page.tsx', /confirm\(\{\s*title: 'Eliminar Usuario'[\s\S]*pedidos_abiertos/],
  deleteWebhook: ['webhooks/webhooks.tsx', /confirm\(\{\s*title: 'Eliminar el webhook'[\s\S]*No se puede deshacer/],
  descartarTienda: ['tienda/review.tsx', /No se hará ningún pedido/],
  deshacerImport: ['pedidos/import/importar.page.tsx', /ordersOf\(pedidos\)[\s\S]*confirm\(\{ title: 'Deshacer la importación'/],
  devolverPago: ['pedidos/pagos/pagos.tsx', /money\(pago\.importe\)/],
  entregarCaja: ['caja/caja.page.tsx', /money\(due\)/],
  hideLog: ['audit/logs-tab.tsx', /confirm\(\{\s*title: 'Eliminar registro'/],
  leerRespuesta: ['envios/answer-dialog.tsx', /\['no entregado', 'no entregados'\]/],
  moverDevolucion: ['devoluciones/refunds.tsx', /Los \{money\(owed\)\} pagan/],
  recibirCaja: ['caja/caja.page.tsx', /money\(due\)/],
  reembolsarDevolucion: ['devoluciones/refunds.tsx', /reembolso: showNumber\(owed, 2\)[\s\S]*aquí se anota/],
  reembolsarSobra: ['pedidos/pagos/note-pago.tsx', /money\(owed\)/],
  renewRecoveryCodes: ['account/second-factor-section.tsx', /confirm\(\{\s*title: 'Códigos de recuperación nuevos'/],
  resolverPago: ['payments/por-revisar.page.tsx', /money\(/],
  revokeApiKey: ['api-keys/api-keys.tsx', /confirm\(\{\s*title: 'Revocar clave'[\s\S]*no se recupera/],
  separarVenta: ['pedidos/actions/separate-dialog.tsx', /ReasonForm/],
};

test('every act is undone by another endpoint, harmless, or final', () => {
  expect([...Object.keys(UNDONE), ...HARMLESS, ...Object.keys(FINAL)].toSorted()).toEqual(acts);
  expect(Object.values(UNDONE).filter((name) => !acts.includes(name))).toEqual([]);
});

describe('a final act asks, and says what it will do', () => {
  test.each(Object.entries(FINAL))('%s', (name, [file, says]) => {
    const source = readFileSync(join(ROOT, 'web', file), 'utf8');
    expect(source).toMatch(new RegExp(`\\b${name}\\b`));
    expect(source).toMatch(says);
  });
});
