import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGS, findChromium } from './e2e/chromium.ts';
import { SeededOrder } from './test/order.ts';
import { API, MACHINE, UNIT } from './test/projects.ts';
import { guides } from './web/ayuda/guide.plugin.ts';

// Generous timeouts, so that only stuck tests fail, even on slow machines. Performance is measured in bench/.
const PATIENT = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

const onPostgres = {
  globalSetup: 'test/postgres.ts',
  // Not isolated, because each file has a separate database and program. Loading the modules per file would take a third of the time.
  isolate: false,
  ...PATIENT,
};

/** Tests of screens and components in a real browser, with a fake server (test/web/fake-server.ts). */
const components = {
  name: 'components',
  include: ['web/**/*.browser.test.tsx'],
  setupFiles: ['test/web/setup.ts'],
  // Not isolated: loading the modules for each file would take a sixth of the time.
  isolate: false,
  // Generous, for busy machines.
  testTimeout: 150_000,
  hookTimeout: 150_000,
  expect: { poll: { timeout: 40_000 } },
  restoreMocks: true,
  browser: {
    enabled: true,
    headless: true,
    connectTimeout: 180_000,
    screenshotFailures: false,
    provider: playwright({
      // A click that is covered says by what, instead of waiting for the end of the test.
      actionTimeout: 30_000,
      launchOptions: { executablePath: findChromium(), args: CHROMIUM_ARGS },
      // Differs from the time zone of the business, so that code that uses the browser's time zone fails.
      contextOptions: { locale: 'es-ES', timezoneId: 'America/New_York', reducedMotion: 'reduce' },
    }),
    instances: [{ browser: 'chromium' as const, viewport: { width: 1440, height: 900 } }],
  },
};

export default defineConfig({
  test: {
    // A third worker on two cores only makes the other two slower.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: SeededOrder },
    allowOnly: false,
    expect: { requireAssertions: true },
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      // Not isolated: loading the modules for each file would take a third of the time.
      { test: { name: 'unit', include: UNIT, isolate: false, setupFiles: 'test/clean.ts', ...PATIENT } },
      { test: { name: 'api', include: API, exclude: [...UNIT, ...MACHINE], ...onPostgres } },
      { test: { name: 'machine', include: MACHINE, ...onPostgres } },
      {
        plugins: [react(), guides()],
        publicDir: 'web/public',
        // Finds all dependencies before the first test, because Vite reloads the page for a dependency found later.
        optimizeDeps: { entries: ['web/**/*.{ts,tsx}', 'test/web/*.{ts,tsx}', '!web/**/{*.test,*.plugin,make}.ts'] },
        test: components,
      },
    ],
  },
});
