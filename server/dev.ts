import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

// The server restarts when its sources change; the browser talks to Vite, which proxies /api.
const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT || 3000);

const server = spawn(
  process.execPath,
  [
    '--watch-path=server',
    '--watch-path=contract',
    '--watch-path=demo',
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
  configFile: join(root, 'vite.config.ts'),
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
