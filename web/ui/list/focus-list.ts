/**
 * For when what has the focus is about to go, as the row that was deleted: the list takes it, which would
 * otherwise fall to the top of the page.
 */
export function focusList(): void {
  const watch = new MutationObserver(() => {
    // A dialog opened since then has its own places for the focus.
    if (document.activeElement !== document.body || document.querySelector('[aria-modal]')) return;
    watch.disconnect();
    const list = document.querySelector<HTMLElement>('main :is(table, ul[aria-label])') ?? document.querySelector('main');
    list?.setAttribute('tabindex', '-1');
    list?.focus({ preventScroll: true });
  });
  watch.observe(document.body, { childList: true, subtree: true });
  // The row leaves when the new list arrives; by then the person has long gone on.
  setTimeout(() => watch.disconnect(), 10_000);
}
