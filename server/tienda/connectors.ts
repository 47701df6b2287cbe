import type { IncomingHttpHeaders } from 'node:http';
import type { Connector } from './connector.ts';
import { plainConnector } from './reading/plano/plano.ts';
import { wooConnector } from './reading/woo/woo.ts';

/** Kinds of shops. A message goes to the first kind whose signature header it has. */
export const CONNECTORS: readonly Connector[] = [wooConnector, plainConnector];

export const findConnector = (id: string): Connector | undefined => CONNECTORS.find((connector) => connector.id === id);

export const connectorFor = (headers: IncomingHttpHeaders): Connector | undefined =>
  CONNECTORS.find((connector) => headers[connector.headers.signature] !== undefined);
