import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { getOpenapi } from '../../contract/openapi.ts';
import { route } from './route.ts';

/** Generates the OpenAPI description of every endpoint registered after it, from its schemas (design, section 5). */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Enruta', version: '0.1.0' } },
    transform: jsonSchemaTransform,
  });
  route(app, getOpenapi, async () => ({ ...app.swagger() }));
}
