import { join } from 'node:path';
import { createServer } from 'vite';

/* `npm run bench:sheet`: times the browser's reading of a sheet and of a bank's statement. Loads them through Vite, because the browser's modules need Vite. */

const root = join(import.meta.dirname, '..');
const vite = await createServer({ root, server: { middlewareMode: true, watch: null }, appType: 'custom', logLevel: 'error' });
for (const work of ['read-sheet', 'read-statement']) await vite.ssrLoadModule(`/bench/${work}.ts`);
await vite.close();
