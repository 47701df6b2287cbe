/** Focuses the list after the focused element, such as a deleted row, disappears. Otherwise the focus would fall to the top of the page. */
export function focusList(): void {
  const look = () => {
    // A dialog opened meanwhile manages its own focus.
    if (document.activeElement !== document.body || document.querySelector('[aria-modal]')) return;
    watch.disconnect();
    const list = document.querySelector<HTMLElement>('main :is(table, ul[aria-label])') ?? document.querySelector('main');
    list?.setAttribute('tabindex', '-1');
    list?.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  look();
  // Gives up after ten seconds: by then the person has moved on.
  setTimeout(() => watch.disconnect(), 10_000);
}
