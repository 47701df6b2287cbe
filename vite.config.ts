import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { guides } from './web/ayuda/guide.plugin.ts';
import { chunkGroups, WIDE } from './web/chunks.ts';
import { SCREENS } from './web/routes.ts';

const TEXT = /\.(?:js|css|html|svg|json|webmanifest|wasm)$/;

/** Writes a Brotli copy (.br) of every text file and of WebAssembly, which the server sends to browsers that accept Brotli. */
function precompress(): Plugin {
  return {
    name: 'enruta-precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Must run last, because Vite itself still changes the chunks in this hook.
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

/** Fails the build if a schema of the contract, or Zod, would reach the browser, which needs only their types. */
function keepSchemasOut(): Plugin {
  return {
    name: 'enruta-no-schemas',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const found = chunk.type === 'chunk' && chunk.moduleIds.find((id) => /\/contract\/.*\bschemas\.ts$|\/node_modules\/zod\//.test(id));
        if (found) this.error(`${found} is for the server: import its types, or move what the browser needs beside it`);
      }
    },
  };
}

/** Adds a hash of the content to the name of appearance.js, so that a second visit takes the script from the cache. */
function nameAppearance(): Plugin {
  let file = '';
  return {
    name: 'enruta-appearance',
    apply: 'build',
    buildStart() {
      const source = readFileSync(new URL('./web/public/appearance.js', import.meta.url));
      file = this.emitFile({ type: 'asset', name: 'appearance.js', source });
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type === 'asset') page.source = String(page.source).replace('/appearance.js', `/${this.getFileName(file)}`);
      },
    },
  };
}

/**
 * Writes screens.json: the files of each screen by its path, and the additional files for wide windows. The server
 * preloads them in the page's head.
 */
function listScreens(): Plugin {
  return {
    name: 'enruta-screens',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const of = (module: string) => chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/${module}`)));
        const add = (chunk: Rolldown.OutputChunk | undefined, into: Set<string>) => {
          if (!chunk || into.has(chunk.fileName)) return;
          into.add(chunk.fileName);
          for (const name of chunk.imports)
            add(
              chunks.find(({ fileName }) => fileName === name),
              into,
            );
          for (const name of chunk.viteMetadata?.importedCss ?? []) into.add(name);
        };
        const always = new Set<string>();
        add(
          chunks.find(({ isEntry }) => isEntry),
          always,
        );
        const screens: Record<string, { files: string[]; wide: string[] }> = {};
        for (const { path, roles, page } of SCREENS) {
          const files = new Set<string>();
          if (roles !== 'public') add(of('shell/shell.tsx'), files);
          add(of(`${page}.page.tsx`), files);
          const all = new Set(files);
          const asked = chunks.filter(({ fileName }) => files.has(fileName)).flatMap(({ dynamicImports }) => dynamicImports);
          for (const module of WIDE) {
            const chunk = of(module);
            if (chunk && asked.includes(chunk.fileName)) add(chunk, all);
          }
          const own = [...all].filter((file) => !always.has(file));
          screens[path] = { files: own.filter((file) => files.has(file)), wide: own.filter((file) => !files.has(file)) };
        }
        this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(screens) });
      },
    },
  };
}

/**
 * Writes shell.html and shell.json: the page, and the files with which a carrier's screens open without a network
 * (web/public/service-worker.js).
 */
function listShell(): Plugin {
  return {
    name: 'enruta-shell',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = new Map(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
        const pages = SCREENS.map(({ page, roles }) => ({
          module: `/web/${page}.page.tsx`,
          kept: roles === 'session' || (roles !== 'public' && roles.includes('transportista')),
        }));
        const holds = (chunk: Rolldown.OutputChunk, module: string) => chunk.moduleIds.some((id) => id.endsWith(module));
        const roots = [...chunks.values()].filter(
          (chunk) =>
            chunk.isEntry || holds(chunk, '/web/shell/shell.tsx') || pages.some(({ module, kept }) => kept && holds(chunk, module)),
        );
        const files = new Set<string>();
        const add = (chunk: Rolldown.OutputChunk | undefined) => {
          if (!chunk || files.has(chunk.fileName)) return;
          files.add(chunk.fileName);
          for (const name of chunk.viteMetadata?.importedCss ?? []) files.add(name);
          for (const name of chunk.imports) add(chunks.get(name));
          // Skips screens of other roles, which the router imports dynamically, and towns, which only order forms need.
          for (const name of chunk.dynamicImports) {
            const found = chunks.get(name);
            const isTown = found?.facadeModuleId?.includes('/poblaciones/');
            if (found && !isTown && !pages.some(({ module, kept }) => !kept && found.facadeModuleId?.endsWith(module))) add(found);
          }
        };
        for (const root of roots) add(root);
        const page = bundle['index.html'];
        const html = page?.type === 'asset' ? String(page.source) : '';
        const all = [...files, ...[...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name = '']) => name)];
        const list = [...new Set(all)].toSorted().map((name) => `/${name}`);
        const version = createHash('sha256').update(html).update(list.join()).digest('hex').slice(0, 12);
        this.emitFile({ type: 'asset', fileName: 'shell.html', source: html });
        this.emitFile({ type: 'asset', fileName: 'shell.json', source: JSON.stringify({ version, files: list }) });
      },
    },
  };
}

export default defineConfig({
  root: 'web',
  plugins: [react(), guides(), keepSchemasOut(), listScreens(), nameAppearance(), listShell(), precompress()],
  // For `npx vite` beside `npm run dev`: Vite serves the screens with hot reload and forwards API requests to the server.
  server: { proxy: { '^/api/': process.env.API ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The server's Content-Security-Policy forbids data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['endpoint'], propertyReadSideEffects: false },
      output: { codeSplitting: { groups: chunkGroups(join(import.meta.dirname, 'web')) } },
    },
  },
});
