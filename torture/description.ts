import type { JSONSchema } from 'zod/v4/core';
import { getOpenapi } from '../contract/openapi/openapi.ts';
import { isAction, ROLES, type Role, rolesOf } from '../contract/policy/policy.ts';
import type { Client } from '../test/client.ts';

type Schema = JSONSchema.BaseSchema;
type Content = { content?: Record<string, { schema?: Schema }> };
type Parameter = { $ref?: string; name: string; in: 'path' | 'query'; schema: Schema };
type Described = {
  'x-action': string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
/** One operation of the running server, from its OpenAPI description. */
export type Operation = {
  /** Written as in the contract: «GET /api/pedidos/:id». */
  title: string;
  method: string;
  path: string;
  action: string;
  /** Roles that the policy allows; all roles if the policy has no such action. */
  roles: readonly Role[];
  /** Callable without a session. */
  open: boolean;
  query: Record<string, Schema>;
  body: Schema | undefined;
};

/** Returns all operations in the server's description. */
export async function operationsOf(admin: Client): Promise<Operation[]> {
  const { paths, components } = (await admin.call(getOpenapi)).body as {
    paths: Record<string, Record<string, Described>>;
    components: { parameters: Record<string, Parameter> };
  };
  const resolved = (parameter: Parameter) => components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
  return Object.entries(paths).flatMap(([described, methods]) =>
    // Skips the health checks, which have no action.
    Object.entries(methods)
      .filter(([, described]) => described['x-action'])
      .map(([name, { 'x-action': action, parameters = [], requestBody }]): Operation => {
        const [method, path] = [name.toUpperCase(), described.replace(/\{(\w+)\}/g, ':$1')];
        return {
          title: `${method} ${path}`,
          method,
          path,
          action,
          roles: isAction(action) ? rolesOf(action) : ROLES,
          open: action === 'public' || action === 'signed',
          query: Object.fromEntries(
            parameters
              .map(resolved)
              .filter((p) => p.in === 'query')
              .map((p) => [p.name, p.schema]),
          ),
          body: requestBody?.content?.['application/json']?.schema,
        };
      }),
  );
}
