import { join } from 'node:path';
import { createServer } from 'vite';

/* `npm run bench:sheet`: how long the browser's reading of a sheet takes (read-sheet.ts), whose modules are Vite's. */

const root = join(import.meta.dirname, '..');
const vite = await createServer({ root, server: { middlewareMode: true, watch: null }, appType: 'custom', logLevel: 'error' });
await vite.ssrLoadModule('/bench/read-sheet.ts');
await vite.close();
