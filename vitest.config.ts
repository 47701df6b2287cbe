import { defineConfig } from 'vitest/config';

const UNIT = [
  'contract/**/*.test.ts',
  'server/**/*.unit.test.ts',
  'web/**/*.test.ts',
  'test/{architecture,audit,controls,deploy,security-doc}.test.ts',
];
const API = ['server/**/*.test.ts', 'test/*.test.ts'];

// A test that is stuck fails, however slow the machine; how long something takes is measured in bench/.
const PATIENT = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

const api = {
  name: 'api',
  include: API,
  exclude: UNIT,
  globalSetup: 'test/postgres.ts',
  // Each file has a database and a program of its own; loading the modules again for each would take a third of the time.
  isolate: false,
  ...PATIENT,
};

export default defineConfig({
  test: {
    // Two cores: a third worker only makes the other two slower.
    maxWorkers: 2,
    allowOnly: false,
    expect: { requireAssertions: true },
    // As in the browser: on a machine nobody watches a test gets a second chance, and the report says so.
    retry: process.env.CI ? 1 : 0,
    restoreMocks: true,
    unstubEnvs: true,
    projects: [{ test: { name: 'unit', include: UNIT, ...PATIENT } }, { test: api }],
  },
});
