import { onCLS, onINP, onLCP } from 'web-vitals';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { UNATTENDED } from '../../contract/session/fields.ts';
import type { Measure } from '../../contract/vitals/fields.ts';
import { sendVitals } from '../../contract/vitals/vitals.ts';
import { findScreen } from '../access.ts';
import { antiForgery } from '../anti-forgery.ts';

const MOST_MS = 600_000;

/** Counts the waits of this page until it is hidden for the first time, and then reports them once. */
export function measureScreens(): void {
  const measured: BodyIn<typeof sendVitals> = { dispositivo: matchMedia('(pointer: coarse)').matches ? 'movil' : 'ordenador' };
  const opened = new URL(performance.getEntriesByType('navigation')[0]?.name ?? location.href).pathname;
  const put = (measure: Measure, path: string, value: number) => {
    const screen = findScreen(path)?.path;
    if (screen && value <= MOST_MS) measured[measure] = { pantalla: screen, valor: Math.round(value) };
  };
  const all = { reportAllChanges: true };
  onLCP(({ value }) => put('lcp', opened, value), all);
  onINP(({ value }) => put('inp', location.pathname, value), all);
  onCLS(({ value }) => put('cls', location.pathname, value * 1000), all);
  const report = () => {
    if (document.visibilityState !== 'hidden') return;
    document.removeEventListener('visibilitychange', report);
    // Rows that come after a press, or in a page that was never looked at, tell of no wait.
    const rows = performance.getEntriesByName('filas').find((mark) => (mark as PerformanceMark).detail === opened);
    const wasHidden = performance
      .getEntriesByType('visibility-state')
      .some(({ name, startTime }) => name === 'hidden' && startTime < (rows?.startTime ?? 0));
    if (rows && !wasHidden) put('filas', opened, rows.startTime);
    // By fetch, because a beacon cannot have the anti-forgery header.
    const headers = { 'content-type': 'application/json', 'x-xsrf-token': antiForgery() ?? '', [UNATTENDED]: '1' };
    const { method, path } = sendVitals;
    void fetch(path, { method, headers, body: JSON.stringify(measured), keepalive: true }).catch(() => undefined);
  };
  document.addEventListener('visibilitychange', report);
}
