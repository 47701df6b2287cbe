import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Control, Row } from './row.ts';

const ROOT = join(import.meta.dirname, '..');

/** `red`: the row did not hold without its guard, as expected. */
export type Checked = { row: string; guard: string; red: boolean; why: string };

/** Runs `row` once for each of its controls, in a copy of the program without that guard. */
export async function checkControls(row: Row, patience: string): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const control of row.control) {
    console.error(`${row.name} without ${control.guard}`);
    const line = { row: row.name, guard: control.guard, ...(await runWithout(control, [row.name, '--patience', patience])) };
    console.error(`  ${line.red ? 'red' : 'STILL HOLDS'} · ${line.why}`);
    checked.push(line);
  }
  if (row.control.length === 0) checked.push({ row: row.name, guard: '', red: false, why: 'has no control' });
  return checked;
}

async function runWithout({ edits }: Control, args: string[]): Promise<Pick<Checked, 'red' | 'why'>> {
  const copy = mkdtempSync(join(tmpdir(), 'enruta-control-'));
  try {
    copyTree(copy);
    // Some rows run the program as other users, who must be able to read the copy.
    chmodSync(copy, 0o755);
    for (const { file, find, replace } of edits) {
      const path = join(copy, file);
      const parts = readFileSync(path, 'utf8').split(find);
      if (parts.length !== 2) return { red: false, why: `${file} holds «${find}» ${parts.length - 1} times` };
      writeFileSync(path, parts.join(replace));
    }
    // The program can print other lines before the result.
    const table = (await torture(copy, args)).trim().split('\n').at(-1) ?? '';
    const [found] = JSON.parse(table) as [{ held: boolean; why?: string; error?: string; skipped?: string }];
    // A row that could not run proves nothing about the guard.
    if (found.error || found.skipped) return { red: false, why: found.error ?? found.skipped ?? '' };
    return { red: !found.held, why: (found.why ?? '').slice(0, 200) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Copies the files that git tracks or would add, so that uncommitted work is tested too. */
function copyTree(to: string): void {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of list.split('\0').filter((name) => name && name !== 'node_modules' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(ROOT, file), join(to, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

function torture(cwd: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['torture/torture.ts', ...args, '--first', '--json'], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.once('exit', (code) => (output ? resolve(output) : reject(new Error(`The copy's torture ended with ${code} and said nothing`))));
  });
}
