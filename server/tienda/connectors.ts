import type { IncomingHttpHeaders } from 'node:http';
import type { Connector } from './connector.ts';
import { plano } from './plano/plano.ts';
import { woo } from './woo/woo.ts';

/** Kinds of shops; another one is a folder and a line here. The first whose signature header is there reads a message. */
export const CONNECTORS: readonly Connector[] = [woo, plano];

export const connectorOf = (id: string): Connector | undefined => CONNECTORS.find((connector) => connector.id === id);

export const connectorFor = (headers: IncomingHttpHeaders): Connector | undefined =>
  CONNECTORS.find((connector) => headers[connector.headers.signature] !== undefined);
