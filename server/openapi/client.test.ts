import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../contract/api-keys/api-keys.ts';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Compiles the example of docs/api.md against the types that openapi-typescript generates, and runs the example. */

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let world: World;
let admin: Person;
let folder: string;
beforeAll(async () => {
  world = await createWorld();
  admin = await world.as('superadmin');
  folder = mkdtempSync(join(tmpdir(), 'enruta-client-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), (await admin.call(getOpenapi)).text);
  const hook = ['--import', join(ROOT, 'test/typescript-5.ts')];
  const generate = [join(ROOT, 'node_modules/openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'enruta.d.ts'];
  await run(process.execPath, [...hook, ...generate, '--default-non-nullable', 'false'], { cwd: folder });
  return async () => {
    rmSync(folder, { recursive: true });
    await world.close();
  };
});

const OPTIONS = '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target esnext --module nodenext --types node';
/** Compiles programs against the generated types; returns the compiler's output, empty without errors. */
async function compile(programs: Record<string, string>): Promise<string> {
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, name), program);
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...OPTIONS.split(' '), '--allowImportingTsExtensions'];
  return run(process.execPath, [...tsc, ...Object.keys(programs)], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}
const [, PROGRAM = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/api.md'), 'utf8')) ?? [];

test('the example of docs/api.md compiles strictly, and creates one order even when run twice', async () => {
  expect(await compile({ 'first-order.ts': PROGRAM })).toBe('');
  await world.pack({ pack_price_cents: 5390 });
  const { clave } = (
    await admin.call(createApiKey, { body: { nombre: 'Tienda', acciones: ['pedido:create', 'pedido:read', 'pedido:prices', 'pack:read'] } })
  ).body.data;
  const ENRUTA_URL = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const start = () => run(process.execPath, ['first-order.ts'], { cwd: folder, env: { ENRUTA_URL, ENRUTA_KEY: clave } });
  const [first, second] = [await start(), await start()];
  expect(first.stdout).toMatch(/^\S+ 107.8\n$/);
  expect(second.stdout).toBe(first.stdout);
  expect((await admin.call(listPedidos)).body).toMatchObject({ total: 1, data: [{ cliente_nombre: 'Pilar Lozano', precio_total: 107.8 }] });
});

const WRONG: [name: string, from: string, to: string, says: RegExp][] = [
  ['missing', "cliente_nombre: 'Pilar Lozano', ", '', /cliente_nombre/],
  ['text', 'cantidad: 2', "cantidad: 'dos'", /number/],
  ['address', '/api/product-packs', '/api/paquetes', /\(7,\d+\): error/],
  ['property', 'pedido.numero_orden', 'pedido.number', /'number'/],
  ['amount', 'pedido.precio_total', 'pedido.precio_total.trim()', /trim/],
  ['choice', 'pedido.numero_orden', "pedido.estado === 'done'", /no overlap/],
];

test('wrong uses of the generated types do not compile', async () => {
  const programs = WRONG.map(([name, from, to]) => [`${name}.ts`, PROGRAM.replace(from, to)]);
  expect(programs.filter(([, program]) => program === PROGRAM)).toEqual([]);
  const errors = (await compile(Object.fromEntries(programs))).split('\n');
  for (const [name, , , says] of WRONG)
    expect(
      errors.find((line) => line.startsWith(`${name}.ts`)),
      name,
    ).toMatch(says);
});
