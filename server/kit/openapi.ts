import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { honoursKey, IDEMPOTENCY_KEY, UNRESTRICTED } from '../../contract/kit.ts';
import { getOpenapi } from '../../contract/openapi.ts';
import { endpoints } from './endpoints.ts';
import { VERSION } from './release.ts';
import { route } from './route.ts';

type Operation = (typeof endpoints)[number];
const OPERATIONS = new Map(endpoints.map((operation) => [`${operation.endpoint.method} ${operation.endpoint.path}`, operation]));

const ABOUT = `Amounts are euros, instants ISO 8601 in UTC, days yyyy-MM-dd in the business's time zone. A program sends its key as
\`Authorization: Bearer enr_…\`; \`x-action\` of an operation is the permission its key needs. Errors are
\`{ message, errors?, code? }\` with Spanish sentences; 429 and 503 say when to come back in \`Retry-After\`.`;

const SECURITY = {
  key: { type: 'http', scheme: 'bearer', description: 'A key made in «Configuración › Integraciones»' },
  session: { type: 'apiKey', in: 'cookie', name: 'enruta', description: 'A browser’s session; `__Host-enruta` over https' },
  xsrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN', description: 'Of a browser’s writes: the value of the cookie XSRF-TOKEN' },
} as const;

/** Generates the OpenAPI description of endpoints registered afterwards (design, section 5). */
export async function describeApi(app: FastifyInstance, publicUrl: string | undefined): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Enruta', version: VERSION, description: ABOUT },
      servers: [{ url: publicUrl ?? '/' }],
      components: { securitySchemes: SECURITY },
    },
    transform: (given) => {
      const described = jsonSchemaTransform(given);
      const operation = OPERATIONS.get(`${[given.route.method].flat()[0]} ${given.url}`);
      return operation ? { ...described, schema: { ...described.schema, ...factsOf(operation) } } : described;
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      const header = { description: 'Names the request in the server’s log', schema: { type: 'string' as const } };
      for (const path of Object.values(document.openapiObject.paths ?? {}))
        for (const operation of Object.values(path ?? {}))
          for (const answer of Object.values((operation as { responses?: object }).responses ?? {}))
            Object.assign(answer, { headers: { 'X-Request-Id': header } });
      return document.openapiObject;
    },
  });
  route(app, getOpenapi, async () => ({ ...app.swagger() }));
}

const ABOUT_KEY = {
  type: 'string',
  description: '8 to 200 visible characters; for two days the same key and request again do nothing more and get the same answer',
};

function factsOf({ name, module, endpoint }: Operation) {
  const { action, method, stepUp } = endpoint;
  const byBrowser = { session: [], ...(method === 'GET' ? {} : { xsrf: [] }) };
  const byKey = stepUp === true || UNRESTRICTED.some((open) => open === action) ? [] : [{ key: [] }];
  return {
    operationId: name,
    tags: [module],
    security: action === 'public' || action === 'signed' ? [] : [...byKey, byBrowser],
    ...(honoursKey(endpoint) ? { headers: { type: 'object', properties: { [IDEMPOTENCY_KEY]: ABOUT_KEY } } } : {}),
  };
}
