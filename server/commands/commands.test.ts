import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, test } from 'vitest';
import { childEnv } from '../../test/child-env.ts';
import { copyFolder } from '../../test/copy-folder.ts';
import { openFolder } from '../../test/data-folder.ts';
import { copyOf } from '../../test/postgres.ts';
import { migrateDatabase, type OpenDb, openPostgres, transact } from '../db/open.ts';
import { queueMessages } from '../outbox/outbox.ts';

/* Runs commands in a child process, as operators do, and checks output and exit code. */

const SECRET_KEY = 'only for these tests: thirty-two characters';
const newFolder = () => mkdtempSync(join(tmpdir(), 'enruta-commands-'));
let folder: string;
/** Data folder with one person, Ana. Copied for each test, because creating a database takes seconds. */
let template: string;
let greeting: ReturnType<typeof enruta>;
beforeAll(() => {
  template = newFolder();
  greeting = enruta(ANA, { DATA_DIR: template });
});
afterAll(() => rmSync(template, { recursive: true, force: true }));
beforeEach(() => {
  folder = newFolder();
  copyFolder(template, data());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const data = (name = 'data') => join(folder, name);
function enruta(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/enruta.ts', ...args], {
    env: { ...childEnv(), SECRET_KEY, ...env, DATA_DIR: env.DATA_DIR ?? data() },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
async function inData<T>(work: (opened: OpenDb) => Promise<T>, name?: string): Promise<T> {
  const opened = await openFolder(data(name));
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
const ANA = ['user', 'add', 'ana@tienda.es', '--nombre', 'Ana Ruiz', '--rol', 'superadmin'];

describe('on the embedded database', () => {
  test('an unknown command lists all commands, and wrong arguments print the usage', () => {
    expect(enruta(['frobnicate'])).toEqual({ status: 2, output: expect.stringContaining('move postgres://…') });
    expect(enruta(['restore'])).toEqual({ status: 2, output: expect.stringMatching(/^Uso: npm run enruta -- restore ARCHIVO/) });
  });

  test('«user add» creates a usable shop, and «doctor» says what is left to do', async () => {
    expect(greeting).toEqual({
      status: 0,
      output: expect.stringMatching(/^ana@tienda\.es ya puede entrar con esta contraseña:\n {2}\S{22}\n/),
    });
    expect(enruta(ANA)).toEqual({ status: 1, output: 'El email ya está en uso\n' });
    const { status, output } = enruta(['doctor'], { PUBLIC_URL: 'https://nadie.invalid' });
    expect(status, 'something to do').toBe(3);
    expect(enruta(['migrate'])).toEqual({ status: 0, output: 'La base de datos está al día.\n' });
    for (const line of [
      '✓ PostgreSQL 18.4 propio',
      '✓ SECRET_KEY',
      '! PUBLIC_URL: nadie.invalid no se encuentra',
      '! TRUST_PROXY',
      '! Administradores activos: 1: alguno',
      '! Copias',
    ])
      expect(output).toContain(line);
    expect(enruta(['doctor'], { SECRET_KEY: 'another key, which is as long as that one' })).toEqual({
      status: 1,
      output: expect.stringContaining('✗ SECRET_KEY: no es la de esta base de datos'),
    });
    const found = JSON.parse(enruta(['doctor', '--json']).output) as { que: string; estado: string; hacer: string | null }[];
    expect(found).toContainEqual({ que: 'SECRET_KEY', estado: 'bien', hacer: null });
    expect(found.find(({ que }) => que === 'Copias de seguridad')).toMatchObject({ estado: 'aviso', hacer: expect.any(String) });
  });

  test('«doctor» and «backup» work beside an open shop; «restore» does not', async () => {
    await inData(async ({ db }) => {
      await db.updateTable('users').set({ full_name: 'Ana Open' }).execute();
      expect(enruta(['doctor'])).toMatchObject({ status: 3, output: expect.stringContaining('✓ PostgreSQL 18.4 propio') });
      const file = join(folder, 'open.enc');
      expect(enruta(['backup', file])).toMatchObject({ status: 0, output: expect.stringMatching(/^Copia comprobada: .*open\.enc/) });
      expect(enruta(['restore', file, '--sobrescribir'])).toMatchObject({
        status: 1,
        output: expect.stringContaining('ya la usa otro proceso de Enruta'),
      });
    });
  });

  test('«doctor» reports the last recount and its age', async () => {
    expect(enruta(['doctor']).output).toContain('✓ Cuentas: todavía no se han comprobado');
    const ended_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
    await inData(({ db }) => db.insertInto('cuadres').values({ ended_at, num_diferencias: 4 }).execute());
    expect(enruta(['doctor']).output).toContain('! Cuentas comprobadas hace 3 días: 4 diferencias: mira «Supervisión → Cuadre»');
    await inData(({ db }) => db.updateTable('cuadres').set({ num_diferencias: 0 }).execute());
    expect(enruta(['doctor']).output).toContain('! Cuentas comprobadas hace 3 días: se comprueban cada noche');
    await inData(({ db }) => db.deleteFrom('cuadres').execute());
  });

  test('«doctor» and «restore» warn that backups do not contain the files of proofs', async () => {
    const fichero = 'a/b.jpg';
    await inData(async ({ db }) => {
      const values = {
        numero_orden: 'ORD-1',
        cliente_nombre: 'Ana',
        cliente_direccion: 'Calle 1',
        cliente_pais: 'España',
        producto: 'Miel',
      };
      const more = {
        cantidad: 1,
        precio_unitario_cents: 1,
        precio_total_cents: 1,
        pago_token: 'x',
        estado: 'pendiente',
      } as const;
      const { id } = await db
        .insertInto('pedidos')
        .values({ ...values, ...more } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.insertInto('pruebas').values({ pedido_id: id, tipo: 'foto', sha256: 'x', bytes: 1, fichero }).execute();
    });
    expect(enruta(['doctor']).output).toMatch(
      /! Pruebas de entrega: 1 ficheros en .*pruebas, que no van en las copias de seguridad: 1 faltan/,
    );
    const file = join(folder, 'copias/pruebas.enc');
    enruta(['backup', file]);
    const there = { DATA_DIR: data('proofs') };
    expect(enruta(['restore', file], there).output).toMatch(
      /Aviso: .*La base de datos nombra 1, y de 1 leídos faltan 1: copia también .*pruebas\./,
    );
    expect(enruta(['doctor'], there).output).toContain('! Pruebas de entrega: 1 ficheros');
  });

  test('«doctor» does not create a database', () => {
    const DATA_DIR = data('none');
    expect(enruta(['doctor'], { DATA_DIR })).toEqual({
      status: 3,
      output: expect.stringContaining('! Base de datos: todavía no hay ninguna'),
    });
    expect(readdirSync(DATA_DIR)).not.toContain('postgres');
  });

  test('«backup» writes a file that «restore» loads elsewhere, but not over a database in use', () => {
    const file = join(folder, 'copias/hoy.enc');
    expect(enruta(['backup', file])).toEqual({
      status: 0,
      output: expect.stringMatching(/^Copia comprobada: .*hoy\.enc \(\d+ filas, \d+ KB\)/),
    });
    expect(readdirSync(join(folder, 'copias'))).toEqual(['hoy.enc']);
    expect(enruta(['restore', join(folder, 'copias')])).toEqual({
      status: 1,
      output: `${join(folder, 'copias')} es una carpeta: indica el archivo de la copia\n`,
    });
    const there = { DATA_DIR: data('there') };
    expect(enruta(['restore', file], there)).toEqual({
      status: 0,
      output: expect.stringMatching(/^Restaurada la copia del .*: \d+ filas, comprobadas una a una\.\n/),
    });
    expect(enruta(['restore', file], there)).toEqual({ status: 1, output: expect.stringContaining('añade --sobrescribir') });
    const password = /\n {2}(\S+)\n/.exec(enruta(['rescue', 'ana@tienda.es'], there).output)?.[1];
    expect(password).toHaveLength(22);
  });

  test('«restore» loads a backup made by version 0.1.0', () => {
    const there = { DATA_DIR: data('there'), SECRET_KEY: 'only for the tests: thirty-two characters' };
    expect(enruta(['restore', 'test/fixtures/copia-0.1.0.jsonl.gz.enc'], there)).toEqual({
      status: 0,
      output: expect.stringMatching(/: 37 filas, comprobadas una a una\.\n/),
    });
    expect(enruta(['doctor'], there)).toMatchObject({ status: 3, output: expect.stringContaining('✓ SECRET_KEY') });
  });

  test('«backup» refuses a database of an older version', async () => {
    await inData(({ db }) => migrateDatabase(db, '009-search-and-names'), 'old');
    expect(enruta(['backup'], { DATA_DIR: data('old') })).toEqual({
      status: 1,
      output: expect.stringContaining('La base de datos es de una versión anterior'),
    });
  });
});

describe('«move» to another PostgreSQL', () => {
  const filled = () =>
    inData(async ({ db }) => {
      await transact(db, (tx) =>
        queueMessages(tx, 'correo', [{ recipient: 'ana@b.es', payload: { asunto: 'Hola', texto: 'Hola', html: '' } }]),
      );
      await db.insertInto('products').values({ name: 'Aceite' }).execute();
    });

  it('«move» copies everything, including pending messages, but only into an empty database', async () => {
    await filled();
    const { url, drop } = await copyOf(inject('postgresTemplate'));
    const { db, close } = openPostgres(url, () => {}, 2);
    try {
      expect(enruta(['move', url])).toEqual({ status: 0, output: expect.stringMatching(/^Trasladadas \d+ filas: /) });
      expect(await db.selectFrom('users').select('email').execute()).toEqual([{ email: 'ana@tienda.es' }]);
      expect(await db.selectFrom('outbox').select(['recipient', 'error']).execute()).toEqual([{ recipient: 'ana@b.es', error: null }]);
      expect(readdirSync(data()).filter((name) => name.startsWith('traslado'))).toEqual([]);
      expect(enruta(['move', url])).toEqual({ status: 1, output: expect.stringContaining('ya tiene usuarios o pedidos') });
      expect(enruta(['move', url], { DATABASE_URL: url })).toEqual({ status: 1, output: expect.stringContaining('quita DATABASE_URL') });
    } finally {
      await close();
      await drop();
    }
  });
});
