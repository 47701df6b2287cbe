import { expect } from 'vitest';
import { type Locator, locators, page } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Rows of the table body. A custom locator, because locators and clicks disagree on the role of a `th` without scope. */
    getBodyRows(): Locator;
  }
}
locators.extend({ getBodyRows: () => 'tbody > tr' });

/** Entries of a list: table rows on a desktop, cards on a phone. */
export const rows = (within: Locator = page.getByRole('main')): Locator => within.getBodyRows().or(within.getByRole('listitem'));

export const row = (text: string | RegExp, within?: Locator): Locator => rows(within).filter({ hasText: text });

/** Texts of the matched elements, in order; for `expect.poll`. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(({ textContent }) => textContent ?? '');

/** Clickable heading of a column. */
export const head = (title: string, within: Locator = page.getByRole('main')): Locator =>
  within.getByRole('row').first().getByText(title, { exact: true });

export const sortOf = (title: string, within?: Locator): string | undefined =>
  head(title, within).element().closest('th')?.getAttribute('aria-sort') ?? undefined;

/** Value of a fact on the screen, by its label; undefined if the screen has no such fact. */
export const factOf = (label: string): string | undefined =>
  [...document.querySelectorAll('dt')].find(({ textContent }) => textContent === label)?.nextElementSibling?.textContent ?? undefined;

/** Takes a step of the open order, by its button or under «Más». */
export async function takeStep(name: string): Promise<void> {
  const steps = page.getByRole('group', { name: 'Acciones del pedido' });
  await expect.element(steps.getByRole('button').first()).toBeVisible();
  const direct = steps.getByRole('button', { name, exact: true });
  if (direct.query()) return direct.click();
  await steps.getByRole('button', { name: 'Más' }).click();
  await page.getByRole('menuitem', { name }).click();
}
