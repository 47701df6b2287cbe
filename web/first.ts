import { addressOf } from '../contract/address.ts';
import { FIRST } from '../contract/first.ts';
import { fetchApi } from './api.ts';

/** Takes in what the server has named in the head of the page, so that the screen has it when it is first drawn. */
export function takeFirst(): void {
  const first = FIRST[location.pathname];
  if (!first) return;
  const address = addressOf(first.endpoint.path, first);
  const named = [...document.querySelectorAll('link[as="fetch"]')].some((link) => link.getAttribute('href') === address);
  if (named) fetchApi(first.endpoint, { query: first.query });
}
