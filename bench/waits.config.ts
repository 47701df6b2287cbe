import { appendFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import config from '../playwright.config.ts';
import { watchPresses } from './watch-presses.ts';

/* The browser tests, with every window watched for how long a press shows nothing (bench/waits.ts). */

const launch = chromium.launch.bind(chromium);
chromium.launch = async (options) => {
  const browser = await launch(options);
  browser.on('context', (context) => {
    void context.addInitScript(watchPresses);
    context.on('console', (message) => {
      const [, wait] = /^enruta-wait (.*)$/.exec(message.text()) ?? [];
      if (wait) appendFileSync(process.env.WAITS ?? 'waits.jsonl', `${wait}\n`);
    });
  });
  return browser;
};

export default {
  ...config,
  testDir: '../e2e',
  outputDir: '../test-results',
  globalSetup: '../e2e/setup.ts',
  workers: 1,
  retries: 0,
  use: { ...config.use, reuseContext: false, trace: 'off' as const },
};
