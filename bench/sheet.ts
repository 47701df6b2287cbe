import { join } from 'node:path';
import { createServer } from 'vite';

/* `npm run bench:sheet`: times the browser's reading of a sheet. Loads read-sheet.ts through Vite, because the browser's modules need Vite. */

const root = join(import.meta.dirname, '..');
const vite = await createServer({ root, server: { middlewareMode: true, watch: null }, appType: 'custom', logLevel: 'error' });
await vite.ssrLoadModule('/bench/read-sheet.ts');
await vite.close();
