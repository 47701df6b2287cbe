import { expect, test } from './fixtures.ts';

/* Scripts and style sheets of a first visit, in KB as sent: at most. */
const MOST = [
  ['nobody', '/auth', 170],
  ['transportista', '/pedidos-disponibles', 340],
  ['transportista', '/pedidos-asignados', 360],
  ['revendedor', '/mis-pedidos', 360],
  ['revendedor', '/pedidos/nuevo', 360],
  ['superadmin', '/pedidos', 360],
] as const;

// A worker that fetches further screens would count too.
test.use({ serviceWorkers: 'block' });

for (const [who, path, most] of MOST) {
  test(`a first visit of ${path} loads at most ${most} KB of program`, async ({ page: nobody, openAs, api }) => {
    const page = who === 'nobody' ? nobody : await openAs(await api.user(who));
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (finished) => {
      if (['script', 'stylesheet'].includes(finished.resourceType())) sizes.push(finished.sizes().then((size) => size.responseBodySize));
    });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(most * 1000);
  });
}
