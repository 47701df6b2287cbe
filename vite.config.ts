import { constants, brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;

/** Writes a .br beside every text file of the build: the server sends it to browsers that take it. */
function precompress(): Plugin {
  return {
    name: 'enruta-precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Vite itself still changes the chunks in this hook: after it.
      order: 'post',
      handler(_, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!TEXT.test(fileName)) continue;
          const content = file.type === 'chunk' ? file.code : file.source;
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(content, { params }) });
        }
      },
    },
  };
}

export default defineConfig({
  root: 'web',
  plugins: [react(), precompress()],
  // `npx vite` beside `npm run dev`: the screens with hot reload, the calls to the server.
  server: { proxy: { '^/api/': process.env.API ?? 'http://127.0.0.1:3000' } },
  resolve: { alias: { zod: new URL('./web/zod-stub.ts', import.meta.url).pathname } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The policy of the server allows no data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the entry needs is one file; what several screens share is few, by who shares it.
            { name: 'app', tags: ['$initial'], priority: 2 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 24_000, priority: 1 },
          ],
        },
      },
    },
  },
});
