import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

// Headless shells come first: without windows to draw, the tests take two thirds of the time.
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const root = process.getuid?.() === 0;

/** Switches off what tests on 127.0.0.1 do not need; a container has no GPU and, as root, no sandbox. */
export const CHROMIUM_ARGS = [
  ...(root ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of a Chromium that starts. Installs one if none is found, and logs the command. */
export function findChromium(): string {
  const found = search();
  if (found) return found;
  for (const [title, command] of installers()) {
    console.log(`No Chromium here: ${title} (${command})`);
    spawnSync(command, { shell: true, stdio: 'inherit' });
    const installed = search();
    if (installed) return installed;
  }
  throw new Error(
    'No Chromium to test with. Install one with «npx playwright install --with-deps chromium» or «apt-get install chromium», ' +
      'or give the path of a Chrome or Chromium in CHROMIUM_PATH.',
  );
}

function search(): string | undefined {
  const path = process.env.CHROMIUM_PATH;
  return (path ? [path] : [HEADLESS_SHELL, ...playwrightsShell(), chromium.executablePath(), ...CANDIDATES]).find(starts);
}

/** Playwright's downloaded headless shell, if present. Playwright itself only gives the path of its full browser. */
function playwrightsShell(): string[] {
  const [, cache, revision] = /^(.+)[\\/]chromium-(\d+)[\\/]/.exec(chromium.executablePath()) ?? [];
  if (!cache) return [];
  return globSync(`chromium_headless_shell-${revision}/*/chrome-headless-shell{,.exe}`, { cwd: cache }).map((path) => join(cache, path));
}

// Runs the file, because a binary can lack system libraries or be Ubuntu's stub for a snap.
function starts(path: string): boolean {
  try {
    return /\d+\.\d+/.test(execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000, stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return false;
  }
}

function installers(): [title: string, command: string][] {
  const steps: [string, string][] = [["downloading Playwright's own", 'npx playwright install --only-shell chromium']];
  const sudo = root ? '' : spawnSync('sudo', ['-n', 'true']).status === 0 ? 'sudo -n ' : undefined;
  if (sudo !== undefined && spawnSync('apt-get', ['--version']).status === 0) {
    const install = `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends`;
    steps.push(
      ["installing Debian's", `${install} chromium-headless-shell || ${sudo}apt-get install -y --no-install-recommends chromium`],
      ["installing the libraries of Playwright's own", 'npx playwright install-deps chromium'],
    );
  }
  return steps;
}
