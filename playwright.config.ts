import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './e2e/chromium.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/setup.ts',
  // Tests of a file share its server and run in order; one file more than there are cores, as a test mostly waits.
  fullyParallel: false,
  workers: availableParallelism() + 1,
  // On a machine nobody watches a test gets a second chance, which the report calls flaky, and its trace.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: 'list',
  // Generous: a busy machine is slow, and a test that waits for nothing fails all the same.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    // A test gets its predecessor's window, emptied of all that it kept: making one anew takes an eighth of a test.
    reuseContext: true,
    browserName: 'chromium',
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_ARGS },
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    // Without animations a colour is never measured, nor a button pressed, halfway.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    screenshot: 'only-on-failure',
    // Recording every test would cost a third of the time; `--trace on` records one at will.
    trace: 'on-first-retry',
  },
  // A test that makes sense on one of them only has @desktop or @phone in its title or tags. The customer's page is one and the
  // same on both: it is tried on the phone, which customers use, and on the desk only where a test says so.
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone|^desktop pagar\.spec\.ts (?!.*@desktop)/,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      grepInvert: /@desktop/,
      // What people do on a phone, and that every screen fits one; the rest is the same code.
      testMatch: ['main-job', 'pantallas', 'transportista', 'sin-cobertura', 'camino', 'dia-sin-cobertura', 'revendedor', 'pagar'].map(
        (name) => `**/${name}.spec.ts`,
      ),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
});
