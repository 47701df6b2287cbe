/** Runs heavy work once the browser has painted what a tap changed at once; at once in a hidden tab, which paints nothing. */
export function afterPaint(work: () => void): void {
  if (document.visibilityState === 'hidden') work();
  else requestAnimationFrame(() => setTimeout(work));
}
