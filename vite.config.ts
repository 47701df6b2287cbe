import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { ROLES, type Role } from './contract/policy/policy.ts';
import { writeBill } from './deploy/bill.ts';
import { guides } from './web/ayuda/guide.plugin.ts';
import { SCREENS } from './web/routes.ts';

/** Environment of the screens; the other one renders the customer's page on the server. */
const isBrowser = ({ name }: { name: string }) => name === 'client';
const TEXT = /\.(?:js|css|html|svg|json|webmanifest|wasm)$/;

/** Writes a Brotli copy (.br) of every text file and of WebAssembly, which the server sends to browsers that accept Brotli. */
function precompress(): Plugin {
  return {
    name: 'enruta-precompress',
    apply: 'build',
    applyToEnvironment: isBrowser,
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
    applyToEnvironment: isBrowser,
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
    applyToEnvironment: isBrowser,
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
 * Writes shell.html, the page, and shell.json: the paths of all screens, which the server answers with the page, by role the files of its
 * screens, which the service worker keeps (web/public/service-worker.js), and the script of the customer's page.
 */
function listShell(): Plugin {
  return {
    name: 'enruta-shell',
    apply: 'build',
    applyToEnvironment: isBrowser,
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = new Map(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
        const page = bundle['index.html'];
        const html = page?.type === 'asset' ? String(page.source) : '';
        const ofPage = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
        const pagar = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith('/web/pagar/start.ts'));
        const filesOf = (role: Role) => {
          const other = SCREENS.filter(({ roles }) => roles !== 'session' && !roles.includes(role)).map(
            ({ page }) => `/web/${page}.page.tsx`,
          );
          const files = new Set<string>();
          const add = (chunk: Rolldown.OutputChunk | undefined) => {
            // Skips screens of other roles, and towns, which only order forms need.
            const module = chunk?.facadeModuleId ?? '';
            if (!chunk || files.has(chunk.fileName) || module.includes('/poblaciones/') || other.some((name) => module.endsWith(name)))
              return;
            const { importedCss = [], importedAssets = [] } = chunk.viteMetadata ?? {};
            const faces = [...importedAssets].filter((name) => name.endsWith('.woff2'));
            for (const name of [chunk.fileName, ...importedCss, ...faces]) files.add(name);
            for (const name of [...chunk.imports, ...chunk.dynamicImports]) add(chunks.get(name));
          };
          for (const chunk of chunks.values()) if (chunk.isEntry && chunk !== pagar) add(chunk);
          return [...files, ...ofPage].map((name) => `/${name}`).toSorted();
        };
        const files = Object.fromEntries(ROLES.map((role) => [role, [...new Set(filesOf(role))]]));
        const version = createHash('sha256').update(html).update(JSON.stringify(files)).digest('hex').slice(0, 12);
        const list = { version, paths: SCREENS.map(({ path }) => path), files, pagar: `/${pagar?.fileName}` };
        this.emitFile({ type: 'asset', fileName: 'shell.html', source: html });
        this.emitFile({ type: 'asset', fileName: 'shell.json', source: JSON.stringify(list) });
      },
    },
  };
}

/** Writes licences and bill of materials of what both bundles contain. Shared by both builds, so that one list gathers the modules of both. */
function listParts(): Plugin {
  const modules = new Set<string>();
  return {
    name: 'enruta-parts',
    apply: 'build',
    sharedDuringBuild: true,
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
    },
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
      writeBill(modules);
    },
  };
}

/**
 * Files of the bundle beside the screens' own: the program, libraries, and parts that several screens share. Readers of files wait for a
 * file, tables for a wide window.
 */
const GROUPS = [
  { name: 'app', tags: ['$initial' as const], test: /^(?!.*\/web\/pagar\/)/, priority: 2 },
  { name: 'libraries', test: /node_modules\/(?!papaparse|saxen|fflate|mantine-datatable)/, minShareCount: 4, priority: 1 },
  { name: 'parts', minShareCount: 6 },
];

export default defineConfig({
  root: 'web',
  plugins: [react(), guides(), keepSchemasOut(), nameAppearance(), listShell(), listParts(), precompress()],
  // For `npx vite` beside `npm run dev`: Vite serves the screens with hot reload and forwards API requests to the server.
  server: { proxy: { '^/(?:api/|pagar/[\\w-]{20,})': process.env.API ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The server's Content-Security-Policy forbids data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['endpoint'], propertyReadSideEffects: false },
    },
  },
  builder: {},
  environments: {
    client: {
      build: {
        rolldownOptions: { input: ['web/index.html', 'web/pagar/start.ts'], output: { codeSplitting: { groups: GROUPS } } },
      },
    },
    pagar: {
      consumer: 'server',
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        outDir: '../dist/pagar',
        minify: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'web/pagar/page.tsx', output: { entryFileNames: 'page.js' } },
      },
    },
  },
});
