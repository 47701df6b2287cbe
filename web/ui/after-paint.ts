/** Runs heavy work once the browser has painted the effect of a tap; immediately in a hidden tab, which paints nothing. */
export function afterPaint(work: () => void): void {
  if (document.visibilityState === 'hidden') work();
  else requestAnimationFrame(() => setTimeout(work));
}
