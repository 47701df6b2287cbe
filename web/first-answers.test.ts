import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let page: typeof import('./first-answers.ts');
beforeEach(async () => {
  // The worker of the tests may be older than any page.
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  vi.resetModules();
  page = await import('./first-answers.ts');
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"/api/user":{"user":{"id":"1"}},"/api/vistas":{"data":[]}}' }) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the page’s answer of a call is taken once, because what comes later must be asked', () => {
  expect(page.takeFirstAnswer('/api/user')).toEqual({ user: { id: '1' } });
  expect(page.takeFirstAnswer('/api/user')).toBeUndefined();
  expect(page.takeFirstAnswer('/api/pedidos')).toBeUndefined();
});

test('after half a minute the page’s answers are too old', () => {
  vi.spyOn(performance, 'now').mockReturnValue(30_000);
  expect(page.takeFirstAnswer('/api/user')).toBeUndefined();
});

test('after a write nothing of the page is used any more', () => {
  page.forgetFirstAnswers();
  expect(page.takeFirstAnswer('/api/vistas')).toBeUndefined();
});

test('a page without answers asks for everything', () => {
  vi.stubGlobal('document', { getElementById: () => null });
  expect(page.takeFirstAnswer('/api/user')).toBeUndefined();
});
