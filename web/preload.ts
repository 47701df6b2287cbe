import { addressOf } from '../contract/address.ts';
import { PRELOAD } from '../contract/preload.ts';
import { fetchApi } from './api.ts';

/** Prefetches the request that the server preloaded in the page's head, so that the first render has the data. */
export function takePreload(): void {
  const preload = PRELOAD[location.pathname];
  if (!preload) return;
  const address = addressOf(preload.endpoint.path, preload);
  const named = [...document.querySelectorAll('link[as="fetch"]')].some((link) => link.getAttribute('href') === address);
  if (named) fetchApi(preload.endpoint, { query: preload.query });
}
