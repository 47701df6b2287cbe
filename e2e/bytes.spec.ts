import { expect, test } from './fixtures.ts';

/* Scripts and style sheets of a first visit, in KB as sent: at most. */
const MOST = [
  ['nobody', '/auth', 158],
  ['transportista', '/pedidos-disponibles', 304],
  ['transportista', '/pedidos-asignados', 324],
  ['revendedor', '/mis-pedidos', 323],
  ['revendedor', '/pedidos/nuevo', 334],
  ['superadmin', '/pedidos', 345],
] as const;

// A worker that fetches further screens would count too.
test.use({ serviceWorkers: 'block' });

for (const [who, path, most] of MOST) {
  test(`a first visit of ${path} loads at most ${most} KB of program`, async ({ page: nobody, openAs, api }) => {
    const page = who === 'nobody' ? nobody : await openAs(await api.user(who));
    if (who !== 'superadmin') await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(() =>
      new MutationObserver((_, observer) => {
        if (!document.querySelector('h1')) return;
        performance.mark('stands');
        observer.disconnect();
      }).observe(document, { subtree: true, childList: true }),
    );
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Leaves out dialogs, calendars and toasts, which load once the screen stands and is idle.
    const bytes = await page.evaluate(() => {
      const stands = performance.getEntriesByName('stands')[0]?.startTime ?? 0;
      return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < stands)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    });
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(most * 1000);
  });
}
