import { expect, it } from 'vitest';
import { endpoints } from '../../test/endpoints.ts';
import { TOPICS, type Topic, topicConcerns } from './live.ts';

// Reads that need no live updates: public, of programs, short-lived, or changed only by the reader's own writes.
const STILL = [
  'buscarPersonas',
  'cambiosClientes',
  'cambiosPedidos',
  'cambiosProductos',
  'getAccount',
  'getCsrfToken',
  'getEmpresa',
  'getFirstAccess',
  'getInicio',
  'getInvitation',
  'getOpenapi',
  'getPago',
  'getRed',
  'getUser',
  'getVersion',
  'listEvents',
  'listFormats',
  'listSessions',
  'listVitals',
  'requireProof',
];
const READS = endpoints.filter(({ endpoint: { method }, schemas }) => method === 'GET' && !schemas.response.file);
const topics = Object.keys(TOPICS) as Topic[];
const asked = (topic: Topic) => READS.filter(({ endpoint }) => topicConcerns(topic, endpoint.path)).map(({ name }) => name);

it('every live endpoint is refetched on a change of at least one topic', () => {
  const deaf = READS.filter(({ endpoint: { path } }) => !topics.some((topic) => topicConcerns(topic, path)));
  expect(deaf.map(({ name }) => name).sort()).toEqual(STILL);
});

it('a topic refetches only the endpoints that it makes stale', () => {
  expect(asked('products')).toEqual([
    'listPrecios',
    'listProducts',
    'listPacks',
    'listPacksAlias',
    'listMovimientos',
    'atencionStats',
    'hoyStats',
    'finDelDiaStats',
  ]);
  expect(asked('pedidos')).not.toContain('listUsers');
  expect(asked('audit')).toEqual(['listAudit', 'listLogs']);
  expect(topicConcerns('audit', '/api/audit-logs-of-old')).toBe(false);
});
