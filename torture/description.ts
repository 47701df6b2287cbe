import type { JSONSchema } from 'zod/v4/core';
import { getOpenapi } from '../contract/openapi.ts';
import { isAction, ROLES, type Role, rolesOf } from '../contract/policy.ts';
import type { Client } from '../test/client.ts';

type Schema = JSONSchema.BaseSchema;
type Content = { content?: Record<string, { schema?: Schema }> };
type Described = {
  'x-action': string;
  parameters?: { name: string; in: 'path' | 'query'; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
/** One operation of the running server, by its own description. */
export type Operation = {
  /** As in the contract: «GET /api/pedidos/:id». */
  title: string;
  method: string;
  path: string;
  action: string;
  /** Who may call it; null when that is not a matter of roles. */
  roles: readonly Role[];
  /** Open to whoever is not signed in. */
  open: boolean;
  query: Record<string, Schema>;
  body: Schema | undefined;
};

/** Every operation that the server describes to a superadmin. */
export async function operationsOf(admin: Client): Promise<Operation[]> {
  const { paths } = (await admin.call(getOpenapi)).body as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([described, methods]) =>
    // Those without an action are no part of the interface: whether the process is well.
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
          query: Object.fromEntries(parameters.filter((p) => p.in === 'query').map((p) => [p.name, p.schema])),
          body: requestBody?.content?.['application/json']?.schema,
        };
      }),
  );
}
