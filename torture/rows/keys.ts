import { sql } from 'kysely';
import { createApiKey, revokeApiKey } from '../../contract/api-keys/api-keys.ts';
import { KEY_ACTION_NAMES, KEY_NEEDS, type KeyAction } from '../../contract/api-keys/fields.ts';
import { isAction } from '../../contract/policy/policy.ts';
import { connect } from '../../e2e/api.ts';
import { address } from '../../test/client.ts';
import { type Operation, operationsOf } from '../description.ts';
import { type Row, verdict } from '../row.ts';
import type { Shop } from '../world.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';
const ANY = { id: MISSING, token: MISSING, proveedor: MISSING, empresa: MISSING };

/** A key allows the operations that it was made for, and none once revoked or expired. */
export const row: Row = {
  name: 'keys',
  what: 'keys: revoked, expired, altered, each permission by itself × operations, on two instances',
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2, env: { TRUST_PROXY: '127.0.0.1' } });
    const operations = (await operationsOf(shop.admin)).filter(({ action }) => action !== 'public' && action !== 'signed');
    const { expect, outcome } = verdict();
    let cells = 0;
    const knock = async (key: string, o: Operation, turn: number): Promise<number> => {
      cells += 1;
      // Uses a new network for each request, because wrong keys are rate-limited by network.
      const from = `203.${(cells >> 16) & 255}.${(cells >> 8) & 255}.${cells & 255}`;
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': from };
      return (await connect(shop.url(turn)).request(o.method, address(o.path, ANY), { headers, xsrf: false })).status;
    };

    const { clave } = await made(shop, KEY_ACTION_NAMES);
    for (const [how, key] of await dead(shop, clave))
      for (const [i, o] of operations.entries()) {
        const status = await knock(key, o, i);
        expect(status === 401, () => `${o.title} with a key that is ${how}: ${status}`);
      }
    for (const name of KEY_ACTION_NAMES) {
      const actions: readonly string[] = [name, ...(KEY_NEEDS[name] ?? [])];
      const key = (await made(shop, actions as KeyAction[])).clave;
      for (const [i, o] of operations.entries()) {
        const status = await knock(key, o, i);
        if (actions.includes(o.action)) expect(status !== 401 && status < 500, () => `${o.title} with «${name}»: ${status}`);
        else expect(status === 403, () => `${o.title} with «${name}», which needs «${o.action}»: ${status}`);
      }
    }
    const never = operations.filter(({ action }) => !isAction(action) || !KEY_ACTION_NAMES.includes(action as KeyAction));
    return outcome(`${operations.length} operations, ${never.length} of them closed to every key, ${cells} cells`);
  },
  control: [
    {
      guard: 'the revocation of a key',
      edits: [
        {
          file: 'server/api-keys/api-keys.ts',
          find: "selectFrom('api_keys').where('revocada_at', 'is', null)",
          replace: "selectFrom('api_keys')",
        },
      ],
    },
    {
      guard: 'the expiry of a key',
      edits: [{ file: 'server/api-keys/api-keys.ts', find: '`(caduca_at IS NULL OR caduca_at > now())`', replace: '`true`' }],
    },
    {
      guard: 'the permissions of a key',
      edits: [
        {
          file: 'contract/policy/policy.ts',
          find: "if (actor.role === 'programa' && !actor.scopes.some(",
          replace: "if (actor.role === 'programa' && actor.scopes.length === 0 && !actor.scopes.some(",
        },
      ],
    },
  ],
};

async function made(shop: Shop, acciones: readonly KeyAction[], dias?: number) {
  await shop.prove();
  const { status, text, body } = await shop.admin.call(createApiKey, { body: { nombre: 'Tienda', acciones: [...acciones], dias } });
  if (status !== 201) throw new Error(`A key was not made: ${status} ${text}`);
  return body.data;
}

/** Returns keys that open nothing, each for a different reason. */
async function dead(shop: Shop, alive: string): Promise<[string, string][]> {
  const [revoked, expired] = [await made(shop, KEY_ACTION_NAMES), await made(shop, KEY_ACTION_NAMES, 1)];
  await shop.admin.call(revokeApiKey, { params: { id: revoked.id } });
  await shop.inspect((db) => sql`UPDATE api_keys SET caduca_at = now() - interval '1 second' WHERE id = ${expired.id}`.execute(db));
  const last = alive.at(-1) === 'A' ? 'B' : 'A';
  return [
    ['revoked', revoked.clave],
    ['expired', expired.clave],
    ['altered', alive.slice(0, -1) + last],
    ['cut', alive.slice(0, -1)],
    ['in other capitals', alive.toUpperCase()],
  ];
}
