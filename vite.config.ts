import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { guides } from './web/ayuda/guide.plugin.ts';
import { SCREENS } from './web/routes.ts';

const TEXT = /\.(?:js|css|html|svg|json|webmanifest|wasm)$/;

/** Writes a .br beside every text file of the build, and WebAssembly: the server sends it to browsers that take it. */
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

/** Fails the build when a schema of the contract, or Zod, is about to reach the browser: it gets their types alone. */
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

/** Names the script that goes before everything by its content, so that a second visit does not ask for it again. */
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

/** What a wide screen needs at once and a telephone later (`later` of web/lazy.ts). */
const WIDE = ['ui/overlay/parts.ts', 'ui/list/rows.tsx', 'shell/side.tsx'];

/**
 * Writes screens.json, the files of each screen by its path, and those that only a wide window needs with it: the server
 * names them in the page's head.
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
          // Screens of other roles are dynamic imports of the router; towns are for forms of orders.
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

/** What the payment page shares with others: a customer loads no more of theirs (e2e/pagar.spec.ts counts it). */
const PLAIN = new RegExp(
  [
    'contract/(?:pagar/|pedidos/(?:estados|metodos|attempts)\\.ts)',
    'web/live/offline',
    'web/ui/list/(?:empty-state|error-state|search-state)',
    'web/ui/format/(?:facts|tracking-link)',
    'web/ui/page/(?:copy|section)',
    '@mantine/core/esm/components/Skeleton/',
    'icons/Icon(?:BrandWhatsapp|Copy|CreditCard|Download|ExternalLink|Inbox|Mail|Phone|Refresh|Share)\\.mjs',
  ].join('|'),
);

/** The frame of every signed-in screen, and what a telephone shows of a list at first (e2e/transportista.spec.ts counts it). */
const FRAME = new RegExp(
  [
    'web/shell/shell',
    'web/ui/list/(?:data-table|filters|search-input|choice-bar)\\.tsx',
    'web/ui/(?:format/estado-badge|page/(?:page-header|stat-card))',
    // What the carrier's lists share with others.
    'contract/(?:pedidos/(?:pedidos|flow)\\.ts|transportista/|stats/)',
    'web/pedidos/(?:address|summary|table/(?:list-props|with-company)|actions/(?:icons|use-dialog-address|use-carrier-step|use-operations)|cliente/said|lineas/(?:use-lines|line-list))',
    'icons/Icon(?:Box|CalendarTime|CalendarWeek|Clock|ClockExclamation|DotsVertical|Eye|MapPin|Truck|TruckDelivery|TruckLoading|UserCheck|CircleCheck)\\.mjs',
  ].join('|'),
);

/**
 * Parts of other screens used by the lists of orders. The group `common` would bring forms and the table of wide screens
 * (e2e/transportista.spec.ts counts the bytes).
 */
const LISTS = new RegExp(
  [
    'web/ui/form/date-range\\.(?:tsx|presets)',
    'web/ui/list/(?:focus-list|use-count-all|local-list)',
    'web/ui/page/link',
    'web/zonas/lejos',
    'contract/(?:zonas/zonas|users/users|vistas/|etiquetas/|pedidos/(?:filters|whole|happened))',
  ].join('|'),
);

/**
 * Few files instead of a hundred small ones. Each group takes what its modules need and no earlier group has,
 * so a group only depends on those before it: signing in loads the first two.
 */
export const groups = [
  { name: 'app', tags: ['$initial' as const] },
  // What sign-in, payment page and toasts share: what one of them misses brings a whole later group with it.
  {
    name: 'marks',
    test: /web\/ui\/page\/logo|VisuallyHidden\/|create-safe-context\/|get-style-object\/|use-force-update|web\/ui\/page\/use-phone|icons\/Icon(?:AlertTriangle|Check|InfoCircle)\.mjs/,
  },
  { name: 'fields', test: /@mantine\/core\/esm\/components\/(?:TextInput|ActionIcon|CloseButton|Checkbox|Alert|Paper)\// },
  // How text is read: sign-in checks addresses of people with it, and every list writes telephones and postcodes.
  { name: 'text', test: /contract\/(?:text\/(?!iban)|users\/fields|zonas\/reparto)/, minShareCount: 2 },
  { name: 'entrance', test: /web\/session\/auth\.page/ },
  { name: 'plain', test: PLAIN, minShareCount: 2 },
  // For the office's lists and forms: a carrier's lists need none of it.
  { name: 'order-fields', test: /contract\/(?:pedidos\/(?:cliente\.)?fields|kit\/fields)\.ts/ },
  { name: 'frame', test: FRAME },
  { name: 'carrier', test: /web\/transportista\//, minShareCount: 2 },
  // What a telephone keeps for the time without coverage: read before the list is drawn.
  // What a telephone keeps for the time without coverage: read before the list is drawn.
  { name: 'kept', test: /contract\/(?:caja\/caja|comentarios\/comentarios|ruta\/ruta)\.ts/ },
  { name: 'grid', test: /@mantine\/core\/esm\/components\/SimpleGrid\// },
  { name: 'portals', test: /@mantine\/core\/esm\/(?:components\/Portal\/|core\/utils\/get-default-z-index\/)|react-remove-scroll/ },
  // Before those that a telephone loads later, which what is shared would bring.
  { name: 'lists', test: LISTS },
  { name: 'helpers', test: /create-scoped-keydown-handler|DirectionProvider/ },
  { name: 'icons', test: /@tabler\//, minShareCount: 2 },
  { name: 'toasts', test: /web\/ui\/page\/toasts/ },
  {
    name: 'overlays',
    test: /web\/(?:ui\/(?:overlay\/parts|dialog\/(?:dialog|confirm-dialog))|shell\/(?:side|person-menu)|notifications\/bell-panel)/,
  },
  { name: 'table', test: /web\/ui\/list\/rows/ },
  { name: 'forms', test: /@mantine\/form|web\/ui\/form\/form-/, minShareCount: 2 },
  { name: 'form-dialogs', test: /web\/ui\/dialog\/form-/, minShareCount: 2 },
  // With the calendar, which opens when it is asked for.
  { name: 'days', test: /node_modules\/dayjs\/|web\/ui\/form\/day-/ },
  {
    name: 'common',
    test: /contract\/(?!stats|products|pedidos\/lote|payments|clientes|settings|audit|ruta)|web\/ui\/(?!form\/(choice-tiles|thumb-form|day-)|list\/(?:use-view|view-menu)|page\/copy|format\/tracking-link)/,
    minShareCount: 2,
  },
  {
    name: 'pedidos',
    test: /web\/pedidos\/(?:actions\/(?:actions|action-icons|use-(?!proof|parts|step|operations))|detail\/use-|table\/(?!use-selection|filters|estado-filter)|address)/,
    minShareCount: 2,
  },
].map((group, i, all) => ({ ...group, priority: all.length - i }));

export default defineConfig({
  root: 'web',
  plugins: [react(), guides(), keepSchemasOut(), listScreens(), nameAppearance(), listShell(), precompress()],
  // `npx vite` beside `npm run dev`: the screens with hot reload, the calls to the server.
  server: { proxy: { '^/api/': process.env.API ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The policy of the server allows no data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['endpoint'], propertyReadSideEffects: false },
      output: { codeSplitting: { groups } },
    },
  },
});
