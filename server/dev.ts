import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createBuilder, createServer } from 'vite';

// The server restarts when its sources change; the browser talks to Vite, which proxies /api and the customer's page.
const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT || 3000);
const configFile = join(root, 'vite.config.ts');

// The server draws the customer's page: its bundle is built before the server starts, and after each change.
const builder = await createBuilder({ root: join(root, 'web'), configFile, mode: 'development', logLevel: 'warn', build: { watch: {} } });
await builder.build(builder.environments.pagar!);

const server = spawn(
  process.execPath,
  [
    '--watch-path=server',
    '--watch-path=contract',
    '--watch-path=demo',
    '--watch-path=dist/pagar',
    '--watch-preserve-output',
    'server/main.ts',
    '--dev',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
// vite.config.ts reads this variable.
process.env.API = `http://127.0.0.1:${port}`;
const vite = await createServer({
  root: join(root, 'web'),
  configFile,
  server: { port: port + 1 },
});
await vite.listen();
vite.printUrls();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    server.kill(signal);
    await vite.close();
    process.exit(0);
  });
}
server.once('exit', (code) => process.exit(code ?? 1));
