import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SUPERADMIN } from '../../e2e/server.ts';
import { copyFolder } from '../../test/copy-folder.ts';
import { type Row, verdict } from '../row.ts';
import { type Account, runCommand, startInstance } from '../server.ts';
import type { World } from '../world.ts';

const SECRET_KEY = 'only for the torture: thirty-two characters';
/** SERVICE owns the data folder, as systemd's user does; initdb needs a user with a name. ANYBODY has a login on the same machine. */
const [ROOT, SERVICE, ANYBODY]: Account[] = [
  { uid: 0, gid: 0 },
  { uid: 65_534, gid: 65_534 },
  { uid: 65_533, gid: 65_533 },
];
const KILLS = 4;

type Given = { env: Record<string, string>; dataDir: string; backup: string };
/** A command, or a shell line with `enruta` as the command; `kill` sends a signal during the run. */
type Case = {
  name: string;
  as: Account | undefined;
  args?: (where: Given) => string[];
  line?: string;
  kill?: NodeJS.Signals;
  /** Starts with an empty folder of the service, as on a new machine. */
  bare?: true;
  /** Expected exit codes; any if absent. */
  ends?: (number | null)[];
};

const PIPES = ['doctor', 'backup', 'restore', ''];
const CASES: Case[] = [
  { name: 'root restores on a new machine', as: ROOT, bare: true, args: ({ backup }) => ['restore', backup], ends: [0] },
  { name: 'root backs up before the folder of backups exists', as: ROOT, args: () => ['backup'], ends: [0] },
  { name: 'root asks for the state', as: ROOT, args: () => ['doctor'], ends: [0, 3] },
  { name: 'root lets the superadmin in', as: ROOT, args: () => ['rescue', SUPERADMIN.email], ends: [0] },
  { name: 'root restores over what is there', as: ROOT, args: ({ backup }) => ['restore', backup, '--sobrescribir'], ends: [0] },
  { name: 'the service backs up', as: SERVICE, args: () => ['backup'], ends: [0] },
  { name: 'anybody asks for the state', as: ANYBODY, args: () => ['doctor'], ends: [1] },
  { name: 'anybody restores', as: ANYBODY, args: ({ backup }) => ['restore', backup, '--sobrescribir'], ends: [1] },
  ...PIPES.map((command): Case => ({ name: `root reads the head of «${command}»`, as: ROOT, line: `enruta ${command} | head -c 1` })),
  ...(['SIGKILL', 'SIGHUP'] as const).flatMap((kill) => [
    { name: `root's restore ends by ${kill}`, as: ROOT, bare: true as const, kill, args: ({ backup }: Given) => ['restore', backup] },
    ...Array.from({ length: KILLS / 2 }, () => ({ name: `root's backup ends by ${kill}`, as: ROOT, kill, args: () => ['backup'] })),
  ]),
];

/** Commands of any user, however they end, leave no file of root in the service's folder, and the service starts afterwards. */
export const row: Row = {
  name: 'commands',
  what: `${CASES.length} commands by root, the service's user and anybody: to their end, into \`head\`, killed; the service starts after each`,
  seconds: 400,
  run: async (world) => {
    if (process.getuid?.() !== 0) return { figure: '', held: true, skipped: 'only root becomes other users' };
    const { expect, outcome } = verdict();
    const folder = mkdtempSync(join(tmpdir(), 'enruta-commands-'));
    world.atEnd(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const backup = await makeBackup(folder);
    const shop = newFolder(folder, 'shop', backup);
    await startService(world, shop);
    for (const [n, each] of CASES.entries()) {
      const where = newFolder(folder, String(n), backup);
      if (!each.bare) copyFolder(join(folder, 'shop'), where.dataDir);
      const { code, output } = await act(each, where);
      expect(!each.ends || each.ends.includes(code), () => `${each.name}: ended with ${code}: ${output.slice(-300)}`);
      expect(each.as !== ANYBODY || !/^\s+at /m.test(output), () => `${each.name}: no sentence: ${output.slice(-300)}`);
      const left = foreign(where.dataDir);
      expect(left.length === 0, () => `${each.name}: leaves of another user: ${left.join(', ')}`);
      const problem = await startService(world, where);
      expect(!problem, () => `${each.name}: the service does not start: ${problem}`);
    }
    return outcome(`${CASES.length} commands, the service started after each`);
  },
  control: [
    {
      guard: "that root's commands become the owner of the folder",
      edits: [
        {
          file: 'server/enruta.ts',
          find: "return becomeOwner(process.env.DATA_DIR ?? './data', { reads: true });",
          replace: 'return becomeOwner && undefined;',
        },
      ],
    },
  ],
};

/** Backup that only root may read, like a file from a mail or a USB stick. */
async function makeBackup(folder: string): Promise<string> {
  const closed = join(folder, 'of-root');
  mkdirSync(closed, { mode: 0o700 });
  const backup = join(closed, 'copia.jsonl.gz.enc');
  const env = { DATA_DIR: join(folder, 'origin'), SECRET_KEY };
  const person = ['user', 'add', SUPERADMIN.email, '--nombre', 'Ana', '--rol', 'superadmin'];
  for (const args of [person, ['backup', backup]]) {
    const { code, output } = await runCommand(env, args);
    if (code !== 0) throw new Error(output);
  }
  return backup;
}

function newFolder(folder: string, name: string, backup: string): Given {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, SERVICE?.uid ?? 0, SERVICE?.gid ?? 0);
  return { env: { DATA_DIR: dataDir, SECRET_KEY, HOME: folder }, dataDir, backup };
}

async function act({ args, line, as, kill }: Case, where: Given) {
  if (line) return runCommand(where.env, [line], as, { shell: true });
  if (!kill) return runCommand(where.env, args?.(where) ?? [], as);
  return runCommand(where.env, args?.(where) ?? [], as, {
    during: async (child) => {
      // Kills at a random moment, from before the database starts until after the database stops.
      await sleep(200 + Math.random() * 2500);
      child.kill(kill);
    },
  });
}

/** Names in the folder whose owner is not the service. */
const foreign = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return found && found.uid !== SERVICE?.uid;
  });

/** Starts and stops the program as the service's user. Returns the reason if the program does not become ready or has no database. */
async function startService(world: World, { env, dataDir }: Given): Promise<string | undefined> {
  const instance = await startInstance(env, SERVICE ? { as: SERVICE } : {});
  world.atEnd(() => instance.stop('SIGKILL'));
  try {
    await instance.ready();
    return existsSync(join(dataDir, 'postgres')) ? undefined : 'no database';
  } catch (error) {
    return (error as Error).message.slice(-300);
  } finally {
    await instance.stop();
  }
}
