import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './e2e/chromium.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/setup.ts',
  // Tests of a file share a server and run in order. Runs one file more than there are cores, because tests mostly wait.
  fullyParallel: false,
  workers: availableParallelism() + 1,
  // A failed test is retried once in a new browser, with a trace; the run names it (test/all.ts).
  retries: 1,
  forbidOnly: true,
  reporter: 'list',
  // Generous, because a busy machine is slow; a test that waits in vain still fails.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  use: {
    // Resets and reuses the browser context of the previous test, because creating one takes an eighth of a test.
    reuseContext: true,
    browserName: 'chromium',
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_ARGS },
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    // Without animations, no colour is measured and no button pressed in the middle of a transition.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 40_000,
    screenshot: 'only-on-failure',
    // Recording every test would cost a third of the time; `--trace on` records on demand.
    trace: 'on-first-retry',
  },
  // A test for only one project has @desktop or @phone in its title or tags. The customer's page is the same on both, so its tests
  // run on the phone, which customers use, and on the desktop only with @desktop.
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone|^desktop pagar\.spec\.ts (?!.*@desktop)/,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      grepInvert: /@desktop/,
      // Tests of the work done on phones, and of the fit of every screen; the other tests would run the same code again.
      testMatch: ['main-job', 'pantallas', 'transportista', 'sin-cobertura', 'camino', 'dia-sin-cobertura', 'revendedor', 'pagar'].map(
        (name) => `**/${name}.spec.ts`,
      ),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
});
