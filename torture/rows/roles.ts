import { live } from '../../contract/live/live.ts';
import { assignTransportista, deletePedido, getPedido, setEstado, WITHDRAWN } from '../../contract/pedidos/pedidos.ts';
import { ROLES, type Role } from '../../contract/policy/policy.ts';
import { logout } from '../../contract/session/session.ts';
import { updateUser } from '../../contract/users/users.ts';
import { connect } from '../../e2e/api.ts';
import { address, type Client } from '../../test/client.ts';
import { type OwnCase, ownCase } from '../../test/own-case.ts';
import { type Operation, operationsOf } from '../description.ts';
import { copyOfSession } from '../ends.ts';
import { headersOf } from '../held.ts';
import { type Row, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

type Caller = { url: string; client: Client };
const callerAt = (shop: Shop, of: Client, turn: number): Caller => ({ url: shop.url(turn), client: copyOfSession(of, shop.url(turn)) });

const MISSING = '00000000-0000-4000-8000-000000000000';
const ANY = { id: MISSING, token: MISSING, proveedor: MISSING, empresa: MISSING };
// Not called by this row: signing out needs no permission and ends the caller's session.
const ENDS = 'POST /api/logout';

/** Every described operation refuses callers without permission, on both instances. */
export const row: Row = {
  name: 'roles',
  what: 'roles × operations × ownership × {inactive, session ended, ended on the other instance}',
  seconds: 150,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const operations = await operationsOf(shop.admin);
    const { expect, outcome, broken } = verdict();
    let cells = 0;
    const cell = async (what: string, fine: (status: number) => boolean, reply: Promise<{ status: number }>) => {
      const { status } = await reply;
      cells += 1;
      expect(fine(status), () => `${what}: ${status}`);
    };

    for (const role of ROLES) {
      const [[alive] = [], dead] = [await shop.crew(role, 1), await signedOut(shop, role)];
      if (!alive) throw new Error('nobody');
      for (const o of operations.filter(({ action, title }) => action !== 'signed' && title !== ENDS)) {
        const may = o.roles.includes(role);
        await cell(
          `${o.title} as ${role}`,
          (status) => (status === 403) !== may && status !== 401 && status < 500,
          knock(callerAt(shop, alive, 0), o),
        );
        if (!o.open)
          for (const [how, caller] of dead) await cell(`${o.title} as ${role}, ${how}`, (status) => status === 401, knock(caller, o));
      }
    }
    const nobody = { url: shop.url(1), client: connect(shop.url(1)) };
    for (const o of operations.filter(({ action }) => action !== 'signed'))
      await cell(`${o.title} as nobody`, (status) => (status === 401) === !o.open && status < 500, knock(nobody, o));

    for (const o of operations.filter(({ path }) => /^\/api\/(transportista\/)?pedidos\/:id/.test(path)))
      for (const role of o.roles) for (const complaint of await ownership(shop, o, role, () => cells++)) broken.push(complaint);
    return outcome(`${operations.length} operations, ${cells} cells: ${broken.length} disagree`);
  },
  control: [
    {
      guard: 'the check of the role',
      edits: [
        {
          file: 'server/session/guard.ts',
          find: 'if (request.actor) refuseWithout(request.actor, endpoint);',
          replace: '',
        },
      ],
    },
    {
      guard: 'the row of the order in its scope',
      edits: [
        {
          file: 'contract/policy/policy.ts',
          find: '{ superadmin: ALWAYS, revendedor: SOLD, transportista: { any: [CARRIED, OPEN] } }',
          replace: '{ superadmin: ALWAYS, revendedor: ALWAYS, transportista: ALWAYS }',
        },
      ],
    },
  ],
};

/** Calls with made-up parameters and no body, because access is checked before the server reads either. */
async function knock({ url, client }: Caller, { method, path }: Operation): Promise<{ status: number }> {
  if (path !== live.path) {
    const { status, body } = await client.request(method, address(path, ANY));
    // The server asks for the password only after the permission check.
    return { status: codeOf(body) === 'step_up' ? 428 : status };
  }
  const controller = new AbortController();
  const { status } = await fetch(url + path, { headers: headersOf(client), signal: controller.signal });
  // Checks only that the stream opens, because it never ends.
  controller.abort();
  return { status };
}

const codeOf = (body: unknown) => (body as { code?: string } | undefined)?.code;

/** Callers whose session has ended, each for a different reason. */
async function signedOut(shop: Shop, role: Role): Promise<[string, Caller][]> {
  const [inactive, here, elsewhere] = (await shop.crew(role, 3)) as [Member, Member, Member];
  const { full_name, email } = inactive.person;
  await shop.admin.call(updateUser, { params: { id: inactive.person.id }, body: { full_name, email, is_active: false } });
  await copyOfSession(here, shop.url(1)).call(logout);
  await copyOfSession(elsewhere, shop.url(0)).call(logout);
  // The copied cookies outlive the sessions.
  return [
    ['inactive', callerAt(shop, inactive, 1)],
    ['signed out', callerAt(shop, here, 1)],
    ['signed out on the other instance', callerAt(shop, elsewhere, 1)],
  ];
}

/** Complaints about an operation on one order: own orders succeed, foreign and deleted ones answer like missing ones. */
async function ownership(shop: Shop, o: Operation, role: Role, count: () => void): Promise<string[]> {
  const [me, other] = (await shop.crew(role, 2)) as [Member, Member];
  const { expect, broken } = verdict();
  const input = ownCase(o.title, role);
  const ask = (id: string) => me.request(o.method, address(o.path, { id }), { body: input.body });
  const where = `${o.title} as ${role}`;

  const own = await ask((await orderOf(shop, me, input)).id);
  count();
  expect(own.status < 300, () => `${where}: own is ${own.status}`);
  const missing = await ask(MISSING);
  count();
  expect(missing.status === 404, () => `${where}: missing is ${missing.status}`);
  if (role === 'superadmin') return broken;
  const takes = role === 'transportista' && input.estado === 'pendiente';
  const foreign = await orderOf(shop, other, takes ? { ...input, estado: 'asignado' } : input);
  const deleted = await orderOf(shop, me, { ...input, deleted: true });
  for (const [what, id] of [
    ['foreign', foreign.id],
    ['deleted', deleted.id],
    ['misspelt', 'no-es-un-id'],
  ] as const) {
    const before = await shop.admin.request('GET', `/api/pedidos/${id}`);
    const reply = await ask(id);
    count();
    // A 409 means that another carrier was faster. No other answer distinguishes a foreign order from a missing one (decision 003).
    if (what === 'foreign' && takes && reply.status === 409) continue;
    // The former carrier learns who withdrew the order.
    if (what === 'deleted' && role === 'transportista' && reply.status === 404 && codeOf(reply.body) === WITHDRAWN) continue;
    // Files announced by a refused step are accepted even for an order deleted meanwhile (decision 064).
    if (what === 'deleted' && o.title === 'POST /api/pedidos/:id/pruebas' && reply.status === 201) continue;
    expect(reply.text === missing.text && reply.status === 404, () => `${where}: ${what} is ${reply.status}, missing ${missing.status}`);
    const after = await shop.admin.request('GET', `/api/pedidos/${id}`);
    expect(before.text === after.text, () => `${where}: ${what} was changed`);
  }
  return broken;
}

/** Creates an order that belongs to the person by role, and moves it to `estado` through the usual steps. */
async function orderOf(shop: Shop, { person }: Member, { estado, deleted, ready }: OwnCase): Promise<{ id: string }> {
  const { role, id: owner } = person;
  const wanted = estado ?? (role === 'transportista' ? 'asignado' : 'pendiente');
  const { id } = await shop.pedido({
    estado: wanted === 'pendiente_pago' ? wanted : 'pendiente',
    ...(role === 'revendedor' ? { revendedor_id: owner } : {}),
  });
  if (wanted === 'asignado' || (wanted === 'completado' && role === 'transportista')) {
    const transportista_id = role === 'transportista' ? owner : (await shop.user('transportista')).id;
    await shop.admin.call(assignTransportista, { params: { id }, body: { transportista_id } });
  }
  if (wanted === 'completado') await shop.admin.call(setEstado, { params: { id }, body: { estado: wanted, metodo_entrega: 'manual' } });
  if (ready) await shop.inspect((db) => ready(db, id));
  if (deleted) await shop.admin.call(deletePedido, { params: { id } });
  const { status } = await shop.admin.call(getPedido, { params: { id } });
  if (status !== 200) throw new Error(`the order is not there: ${status}`);
  return { id };
}
