import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type Axe from 'axe-core';

declare global {
  var axe: typeof Axe | undefined;
}

// Half a megabyte, injected once per page rather than once per check.
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
// Best practices, which no WCAG tag includes.
const LANDMARKS = { 'landmark-no-duplicate-banner': { enabled: true }, 'landmark-unique': { enabled: true } };

/** Runs axe for WCAG 2.2 AA on the page or the element `within`, with all rules or only `rules`. Fails on any violation. */
export async function expectAccessible(page: Page, { within = 'html', rules }: { within?: string; rules?: string[] } = {}): Promise<void> {
  // Waits for transitions: axe would otherwise measure a colour halfway between two themes.
  const known = await page.evaluate(async () => {
    // In a folded part a transition stands still until it is opened.
    const isShown = ({ effect }: Animation) => effect instanceof KeyframeEffect && effect.target?.checkVisibility();
    const running = document.getAnimations().filter((animation) => animation instanceof CSSTransition && isShown(animation));
    await Promise.allSettled(running.map(({ finished }) => finished));
    return globalThis.axe !== undefined;
  });
  if (!known) await page.evaluate(SOURCE);
  // Without lists of passed rules axe takes a quarter of the time.
  const options: Axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : { runOnly: { type: 'tag', values: WCAG }, rules: LANDMARKS }),
  };
  const readable = await page.evaluate(
    async ([selector, how]) => {
      const found = await globalThis.axe?.run({ include: [[selector]] }, how);
      if (!found) throw new Error('axe is not on the page');
      return found.violations.map(
        ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((n) => `    ${n.target.join(' ')}  ${n.failureSummary}`).join('\n')}`,
      );
    },
    [within, options] as const,
  );
  expect(readable, `accessibility of ${page.url()}`).toEqual([]);
}
