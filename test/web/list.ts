import { type Locator, locators, page } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Rows of a table without its head. For a `th` without scope the roles of locators and of clicks differ. */
    getBodyRows(): Locator;
  }
}
locators.extend({ getBodyRows: () => 'tbody > tr' });

/** What a list holds, without its head: rows of a table on a desk, cards on a telephone. */
export const rows = (within: Locator = page.getByRole('main')): Locator => within.getBodyRows().or(within.getByRole('listitem'));

/** The row or the card that says `text`. */
export const row = (text: string | RegExp, within?: Locator): Locator => rows(within).filter({ hasText: text });

/** The texts of what a locator finds, in order; for `expect.poll`. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(({ textContent }) => textContent ?? '');

/** The heading of a column, to press. */
export const head = (title: string, within: Locator = page.getByRole('main')): Locator =>
  within.getByRole('row').first().getByText(title, { exact: true });

/** How the column is sorted: `ascending`, `descending` or `none`. */
export const sortOf = (title: string, within?: Locator): string | undefined =>
  head(title, within).element().closest('th')?.getAttribute('aria-sort') ?? undefined;
