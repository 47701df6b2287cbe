import { addressOf } from '../../../contract/kit/address.ts';
import type { EndpointDef } from '../../../contract/kit/endpoint.ts';

/** Name of a write to the server: toasts about the same write replace one another, and its success removes them. */
export const writeName = (endpoint: EndpointDef, input: Parameters<typeof addressOf>[1] = {}): string =>
  `${endpoint.method} ${addressOf(endpoint.path, input)}`;
