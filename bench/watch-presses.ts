/**
 * Runs in the browser before the page's own scripts. Logs, for each press and each opened page, the milliseconds until the first frame
 * that shows a change, whether it says that more comes (a skeleton, a busy part), and how many requests it had waited for.
 */
export function watchPresses(): void {
  const SAYS = '[aria-busy="true"], [data-loading], [role="status"][aria-label="Cargando..."]';
  let press: { at: number; what: string; requests: number } | undefined = { at: 0, what: `opens ${location.pathname}`, requests: 0 };
  const fetched = window.fetch;
  window.fetch = (...input) => {
    const asked = press;
    return fetched(...input).then((response) => {
      if (asked) asked.requests += 1;
      return response;
    });
  };
  const end = () => {
    const shown = press;
    press = undefined;
    if (!shown) return;
    const busy = document.querySelector(SAYS)?.checkVisibility() ?? false;
    const ms = Math.round(performance.now() - shown.at);
    console.debug(`enruta-wait ${JSON.stringify({ ...shown, at: undefined, ms, busy, path: location.pathname })}`);
  };
  new MutationObserver((changes) => {
    const isSeen = ({ target }: MutationRecord) => {
      const element = target instanceof Element ? target : target.parentElement;
      return !!element?.closest('#root, [data-portal]') && element.checkVisibility();
    };
    if (press && changes.some(isSeen)) requestAnimationFrame(() => setTimeout(end));
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['aria-busy', 'aria-checked', 'aria-expanded', 'aria-selected', 'data-active', 'data-loading', 'disabled', 'open'],
  });
  const pressed = ({ isTrusted, target, timeStamp }: Event) => {
    const control = target instanceof Element && target.closest('a, button, [role], input, tr, li');
    if (!isTrusted || !control) return;
    const name = control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 40) ?? '';
    press = { at: timeStamp, what: `${control.tagName.toLowerCase()} «${name}»`, requests: 0 };
  };
  addEventListener('click', pressed, { capture: true });
}
