import type { IncomingHttpHeaders } from 'node:http';
import type { Connector } from './connector.ts';
import { plano } from './reading/plano/plano.ts';
import { woo } from './reading/woo/woo.ts';

/** Kinds of shops. A message goes to the first kind whose signature header it has. */
export const CONNECTORS: readonly Connector[] = [woo, plano];

export const findConnector = (id: string): Connector | undefined => CONNECTORS.find((connector) => connector.id === id);

export const connectorFor = (headers: IncomingHttpHeaders): Connector | undefined =>
  CONNECTORS.find((connector) => headers[connector.headers.signature] !== undefined);
