import { declareConnector } from '../../connector.ts';
import { readPlain } from './read.ts';

/** Shops and programs that send the plain form of docs/api.md. Nothing is sent back: they read the API or take webhooks. */
export const plainConnector = declareConnector({
  id: 'plano',
  headers: { signature: 'x-enruta-signature', source: 'x-enruta-source' },
  read: readPlain,
});
