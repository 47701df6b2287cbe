import { addressOf } from '../contract/address.ts';
import { FIRST } from '../contract/first.ts';
import { fetchApi } from './api.ts';

/** Prefetches the request that the server preloaded in the page's head, so that the first render has the data. */
export function takeFirst(): void {
  const first = FIRST[location.pathname];
  if (!first) return;
  const address = addressOf(first.endpoint.path, first);
  const named = [...document.querySelectorAll('link[as="fetch"]')].some((link) => link.getAttribute('href') === address);
  if (named) fetchApi(first.endpoint, { query: first.query });
}
