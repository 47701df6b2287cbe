import { proveIdentity } from '../contract/account/account.ts';
import type { BodyIn } from '../contract/kit/endpoint.ts';
import { createPedido } from '../contract/pedidos/pedidos.ts';
import type { Role } from '../contract/policy/policy.ts';
import { createPack, createProduct } from '../contract/products/products.ts';
import { getCsrfToken, login } from '../contract/session/session.ts';
import { createUser } from '../contract/users/users.ts';
import { type Client, createClient, type Reply } from '../test/client.ts';
import { SUPERADMIN } from './server.ts';

export type Person = { id: string; full_name: string; email: string; password: string; role: Role };

let serial = 0;

/** Returns a client of the API at `url`, over HTTP and not signed in. */
export function connect(url: string): Client {
  return createClient(async ({ method, path, headers, body }) => {
    const response = await fetch(url + path, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
    return {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() },
      text: await response.text(),
    };
  });
}

/** Returns a client signed in as this person. */
export async function connectAs(url: string, { email, password }: { email: string; password: string }): Promise<Client> {
  const client = connect(url);
  await client.call(getCsrfToken);
  expectOk(await client.call(login, { body: { email, password } }));
  return client;
}

/** Prepares data for browser tests, as the superadmin and through the API. */
export function arranger(url: string, admin: Client) {
  const prove = async () => expectOk(await admin.call(proveIdentity, { body: { password: SUPERADMIN.password } }));
  return {
    admin,
    /** Confirms the superadmin's password, for endpoints with `stepUp`. */
    prove,

    as: (person: { email: string; password: string }) => connectAs(url, person),

    user: async (role: Role, fields: Partial<BodyIn<typeof createUser>> = {}): Promise<Person> => {
      const n = ++serial;
      const body = {
        role,
        full_name: `${NAMES[role]} ${n}`,
        email: `${role}${n}@enruta.test`,
        password: `clave de ${role} ${n}`,
        ...fields,
      };
      if (role === 'superadmin') await prove();
      const { data } = expectOk(await admin.call(createUser, { body }));
      return { id: data.id, full_name: data.full_name, email: data.email, password: body.password, role: data.role };
    },

    product: async (fields: Partial<BodyIn<typeof createProduct>> = {}) => {
      const body = { name: `Producto ${++serial}`, stock: 1000, min_stock: 0, is_active: true, ...fields };
      return expectOk(await admin.call(createProduct, { body })).data;
    },

    /** Creates a pack, and a product for the pack unless `product_id` is passed. */
    pack: async function (fields: Partial<BodyIn<typeof createPack>> = {}) {
      const product_id = fields.product_id ?? (await this.product()).id;
      const body = {
        name: `Pack ${++serial}`,
        alias: `P${serial}`,
        pack_quantity: 1,
        pack_price: 25,
        is_active: true,
        ...fields,
        product_id,
      };
      return expectOk(await admin.call(createPack, { body })).data;
    },

    /** Creates an order as `by` (default: the superadmin). The server chooses its estado. */
    pedido: async function (fields: Partial<BodyIn<typeof createPedido>> = {}, by: Client = admin) {
      const pack_id = fields.lineas ? null : (fields.pack_id ?? (await this.pack()).id);
      const body = { cliente_nombre: `Cliente ${++serial}`, cliente_direccion: `Calle Mayor ${serial}`, cantidad: 1, ...fields, pack_id };
      return expectOk(await by.call(createPedido, { body })).data;
    },
  };
}
export type Arranger = ReturnType<typeof arranger>;

const NAMES: Record<Role, string> = {
  superadmin: 'Ada Administradora',
  revendedor: 'Rita Revendedora',
  transportista: 'Tomás Transportista',
};

function expectOk<T>(reply: Reply<T>): T {
  if (reply.status >= 300) throw new Error(`Arranging failed with ${reply.status}: ${reply.text}`);
  return reply.body;
}
