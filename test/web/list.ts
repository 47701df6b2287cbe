import { type Locator, locators, page } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Rows of a table without its head. Not by role: for a `th` without scope, locators and clicks see different roles. */
    getBodyRows(): Locator;
  }
}
locators.extend({ getBodyRows: () => 'tbody > tr' });

/** Entries of a list: rows of a table on a desk, cards on a telephone. */
export const rows = (within: Locator = page.getByRole('main')): Locator => within.getBodyRows().or(within.getByRole('listitem'));

/** The row or card with `text`. */
export const row = (text: string | RegExp, within?: Locator): Locator => rows(within).filter({ hasText: text });

/** Texts of a locator's elements, in order; for `expect.poll`. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(({ textContent }) => textContent ?? '');

/** The heading of a column, to press. */
export const head = (title: string, within: Locator = page.getByRole('main')): Locator =>
  within.getByRole('row').first().getByText(title, { exact: true });

/** Sort of the column: `ascending`, `descending` or `none`. */
export const sortOf = (title: string, within?: Locator): string | undefined =>
  head(title, within).element().closest('th')?.getAttribute('aria-sort') ?? undefined;
