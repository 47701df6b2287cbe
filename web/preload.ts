import { addressOf } from '../contract/kit/address.ts';
import { PRELOAD } from '../contract/preload/preload.ts';
import { fetchApi } from './api.ts';

/** Prefetches the requests that the server preloaded in the page's head, so that the first render has the data. */
export function takePreload(): void {
  const named = new Set([...document.querySelectorAll('link[as="fetch"]')].map((link) => link.getAttribute('href')));
  for (const { endpoint, query } of PRELOAD[location.pathname]?.asks ?? [])
    if (named.has(addressOf(endpoint.path, { query }))) fetchApi(endpoint, { query });
}
