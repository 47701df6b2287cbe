import { registerHooks } from 'node:module';

// Preloaded into the server: serves the screens of the folder E2E_WEB, as after an update.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/kit/build-web.ts')) return loaded;
    const source = String(loaded.source).replace("join(ROOT, 'dist/web')", JSON.stringify(process.env.E2E_WEB));
    return { ...loaded, source };
  },
});
