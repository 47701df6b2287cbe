import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { KEY_REQUESTS } from '../../contract/api-keys/fields.ts';
import { DomainError } from '../kit/errors.ts';
import { bearsKey, hashKey, keyIn } from './find.ts';

/** Rate-limits each key on the endpoints registered after this call; browsers are not limited. */
export async function limitPrograms(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    max: KEY_REQUESTS,
    timeWindow: 60_000,
    allowList: (request) => !bearsKey(request.headers.authorization),
    keyGenerator: ({ headers: { authorization } }) => hashKey(keyIn(authorization ?? '')),
    errorResponseBuilder: () => new DomainError(429, `Como mucho ${KEY_REQUESTS} peticiones por minuto con una clave: espera un momento`),
  });
}
