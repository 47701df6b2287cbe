import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createPedido, getHistorial, listPedidos, setEstado } from '../contract/pedidos/pedidos.ts';
import { createPack, createProduct, listProducts } from '../contract/products/products.ts';
import { login } from '../contract/session/session.ts';
import { childEnv } from './child-env.ts';
import { createClient } from './client.ts';
import { migratedFolder as copyMigrated, openFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';
import { balance } from './ledger.ts';
import { ready, until } from './until.ts';

const SUPERADMIN = { email: 'duena@tienda.es', password: 'una buena clave' };
const running = new Set<ChildProcess>();
const folders: string[] = [];
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const AT_ONCE = 3;

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-durability-'));
  folders.push(folder);
  return join(folder, 'data');
}

/** Returns a new data folder with a copy of a migrated database, because migrating takes seconds. */
async function migratedFolder() {
  const dataDir = newFolder();
  await copyMigrated(dataDir);
  return dataDir;
}

const PROGRAM = [process.execPath, 'server/main.ts', '--dev'];

async function run(dataDir: string, env: Record<string, string> = {}, [command, ...args] = PROGRAM) {
  const port = await freePort();
  const child = spawn(command ?? '', args, {
    env: {
      ...childEnv(),
      DATA_DIR: dataDir,
      PORT: String(port),
      SUPERADMIN_EMAIL: SUPERADMIN.email,
      SUPERADMIN_PASSWORD: SUPERADMIN.password,
      ...env,
    },
  });
  running.add(child);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const exited = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const url = `http://127.0.0.1:${port}`;
  const start = () =>
    until(
      () => child.exitCode !== null || ready(url),
      () => `not ready: ${output}`,
    );
  return { child, url, exited, start, output: () => output };
}

async function signIn(url: string) {
  const client = createClient(async ({ method, path, headers, body }) => {
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return {
      status: response.status,
      headers: { 'set-cookie': response.headers.getSetCookie(), 'content-type': response.headers.get('content-type') ?? '' },
      text: await response.text(),
    };
  });
  expect((await client.call(login, { body: SUPERADMIN })).status).toBe(200);
  return client;
}

/* Tests the program as a separate process with its own database. */
describe('the program', () => {
  it('the program keeps every acknowledged order, movement and history row after kill -9', async () => {
    const dataDir = await migratedFolder();
    const acknowledged = new Set<string>();
    const cancelled = new Set<string>();
    let productId = '';
    for (let round = 0; round < 3; round += 1) {
      const program = await run(dataDir);
      await program.start();
      const client = await signIn(program.url);
      if (!productId)
        productId = (await client.call(createProduct, { body: { name: 'Aceite', stock: 100_000, min_stock: 0, is_active: true } })).body
          .data.id;
      const pack = await client.call(createPack, {
        body: { product_id: productId, name: `Caja ${round}`, alias: 'C', pack_quantity: 3, pack_price: 10 },
      });

      const enough = acknowledged.size + 8 * (round + 1);
      const order = async () => {
        for (;;) {
          const { status, body } = await client.call(createPedido, {
            body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.body.data.id, cantidad: 2 },
          });
          if (status === 201) acknowledged.add(body.data.id);
          if (acknowledged.size >= enough) program.child.kill('SIGKILL');
          if (
            acknowledged.size % 3 === 0 &&
            (await client.call(setEstado, { params: { id: body.data.id }, body: { estado: 'cancelado' } })).status === 200
          )
            cancelled.add(body.data.id);
        }
      };
      // Writes concurrently until the connection breaks, so that the kill interrupts some writes.
      await Promise.allSettled(Array.from({ length: AT_ONCE }, order));
      expect(acknowledged.size).toBeGreaterThanOrEqual(enough);
      await program.exited;
    }

    const program = await run(dataDir);
    await program.start();
    const client = await signIn(program.url);
    const { body } = await client.call(listPedidos, { query: { per_page: 1 } });
    // The last writes of a round may have been committed without their responses being sent.
    expect(body.total).toBeGreaterThanOrEqual(acknowledged.size);
    expect(body.total).toBeLessThanOrEqual(acknowledged.size + 3 * AT_ONCE);
    for (const id of acknowledged) {
      const { body: history } = await client.call(getHistorial, { params: { id } });
      expect(history.data.at(-1)?.accion).toBe('Pedido creado');
      if (cancelled.has(id)) expect(history.data[0]?.estado_nuevo).toBe('cancelado');
    }
    const shown = (await client.call(listProducts)).body.data[0]?.stock;
    program.child.kill('SIGTERM');
    expect(await program.exited).toBe(0);

    const { db, close } = await openFolder(dataDir);
    const { stock, ledger } = await balance(db, productId);
    const held = await db
      .selectFrom('pedidos')
      .select((eb) => eb.fn.sum<number>('unidades_retenidas').as('units'))
      .executeTakeFirstOrThrow();
    await close();
    expect({ stock: shown, ledger }).toEqual({ stock, ledger: stock });
    expect(stock).toBe(100_000 - Number(held.units));
  });

  it('a second process on the same folder is refused with the reason', async () => {
    const dataDir = await migratedFolder();
    const first = await run(dataDir);
    await first.start();
    const second = await run(dataDir);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/ya la usa otro proceso de Enruta \(pid \d+ de .+\)/);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  it('the program shuts down cleanly when the npm that started it gets SIGTERM', async () => {
    const dataDir = await migratedFolder();
    const program = await run(dataDir, {}, ['npm', 'start', '--', '--dev']);
    await program.start();
    program.child.kill('SIGTERM');
    await program.exited;
    // Only a clean shutdown removes the lock.
    await until(
      () => !existsSync(join(dataDir, 'enruta.lock')),
      () => `still running: ${program.output()}`,
      30,
    );
    expect(await ready(program.url)).toBe(false);
  });

  it('the program restarts on a socket held by systemd without refusing a request', async (context) => {
    if (spawnSync('perl', ['-e', '1']).status !== 0) return context.skip('no perl here');
    const port = await freePort();
    // Stands in for systemd: holds the socket as file descriptor 3 and restarts the program when it ends.
    const systemd = `use IO::Socket::INET; use POSIX; $^F = 10; $| = 1;
      my $s = IO::Socket::INET->new(Listen => 1024, LocalAddr => '127.0.0.1:${port}', ReuseAddr => 1) or die; POSIX::dup2(fileno($s), 3);
      for (1 .. 2) { my $pid = fork; if (!$pid) { @ENV{qw(LISTEN_FDS LISTEN_PID)} = (1, $$); exec @ARGV } print "pid $pid\\n"; waitpid $pid, 0 }`;
    const program = await run(await migratedFolder(), { PORT: String(port) }, ['perl', '-e', systemd, ...PROGRAM]);
    const started = (n: number) =>
      until(
        () => program.output().split('Enruta escucha').length > n,
        () => program.output(),
        60,
      );
    await started(1);
    const answers: (number | string)[] = [];
    const asked: Promise<unknown>[] = [];
    const ask = () =>
      new Promise<void>((done) => {
        const request = get(`http://127.0.0.1:${port}/healthz`, { agent: false }, (response) => {
          answers.push(response.statusCode ?? 0);
          response.resume().on('end', done);
        });
        request.on('error', ({ message }) => done(void answers.push(message)));
      });
    const timer = setInterval(() => asked.push(ask()), 20);
    process.kill(Number(/pid (\d+)/.exec(program.output())?.[1]), 'SIGTERM');
    await started(2);
    clearInterval(timer);
    await Promise.all(asked);
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((answer) => answer !== 200)).toEqual([]);
    process.kill(Number(/pid \d+[\s\S]*pid (\d+)/.exec(program.output())?.[1]), 'SIGTERM');
    await program.exited;
  });

  it('a start with a taken port, a wrong key or an unusable folder is refused with a sentence', async () => {
    const dataDir = await migratedFolder();
    const first = await run(dataDir);
    await first.start();
    const file = join(dataDir, 'archivo');
    writeFileSync(file, '');
    const refused = async (folder: string, env: Record<string, string>, status = 1) => {
      const program = await run(folder, env);
      expect(await program.exited).toBe(status);
      return program.output();
    };
    expect(await refused(await migratedFolder(), { PORT: new URL(first.url).port })).toMatch(
      /^PORT: el puerto \d+ de 127\.0\.0\.1 ya lo usa otro/,
    );
    expect(await refused(newFolder(), { BACKUP_DIR: file })).toMatch(/^BACKUP_DIR: .+ hay un archivo con ese nombre/);
    first.child.kill('SIGTERM');
    await first.exited;
    expect(await refused(dataDir, { SECRET_KEY: 'otra clave, de treinta y dos caracteres' }, 78)).toMatch(
      /^SECRET_KEY no es la de esta base de datos/,
    );
  });

  it('the program does not start with invalid variables, and names all of them', async () => {
    const program = await run(newFolder(), { PORT: 'abc', PUBLIC_URL: 'tienda' });
    expect(await program.exited, 'systemd does not start it again').toBe(78);
    expect(program.output()).toMatch(/PORT debe ser un número[\s\S]*PUBLIC_URL debe ser una dirección/);
  });
});
