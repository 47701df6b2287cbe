import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNDONE } from '../test/undone.ts';
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

/** Acts that change nothing of the shop: computed, tried, read, said, asked anew; or made by a program or by the customer alone. */
const HARMLESS = [
  'addComentario',
  'aplazarEntrega',
  'avisarTransferencia',
  'calcularDevolucion',
  'calcularEnvio',
  'calcularTotal',
  'checkImport',
  'comprobarDireccion',
  'comprobarRemesa',
  'comprobarRespuesta',
  'contarNoAceptado',
  'createBackup',
  'createExport',
  'encenderWebhooks',
  'firstAccess',
  'keepFormat',
  'notifyPago',
  'permitirVecino',
  'probarArchivo',
  'proveIdentity',
  'readNotifications',
  'receivePuerta',
  'receiveTienda',
  'reenviarEntrega',
  'reintentarTienda',
  'resendGivenUp',
  'sendPrueba',
  'sendVitals',
  'setRed',
  'simularPago',
  'startCuadre',
  'startPago',
  'startSecondFactor',
  'testDatabase',
  'testMail',
  'testWebhook',
  'traerProductos',
  'verDeshacerVarios',
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
