import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FINAL } from '../test/web/final-acts.ts';

/*
 * Every act that changes something: undone by another endpoint, harmless, or final. A final act asks first, and says what becomes of
 * which order, amount or person (test/web/final-acts.ts).
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

test('every act is undone by another endpoint, harmless, or final', () => {
  expect([...Object.keys(UNDONE), ...HARMLESS, ...Object.keys(FINAL)].toSorted()).toEqual(acts);
  expect(Object.values(UNDONE).filter((name) => !acts.includes(name))).toEqual([]);
});

const COMPONENT_TESTS = globSync('web/**/*.browser.test.tsx', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));

// The fake server of the component tests refuses a final act that is sent while nothing on the screen asks.
test.each(Object.keys(FINAL))('a component test sends the final act %s', (name) => {
  expect(COMPONENT_TESTS.some((source) => new RegExp(`\\basked\\(${name}\\)|(?:reply|answer|askProof)\\(${name},`).test(source))).toBe(
    true,
  );
});
