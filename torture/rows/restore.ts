import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey, revokeApiKey } from '../../contract/api-keys/api-keys.ts';
import { listClientes, unirCliente } from '../../contract/clientes/clientes.ts';
import { addComentario } from '../../contract/comentarios/comentarios.ts';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { createPedido, deletePedido, listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { listProducts } from '../../contract/products/products.ts';
import { createVista } from '../../contract/vistas/vistas.ts';
import { connect, connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import { tablesOnRestore } from '../../server/backups/tables.ts';
import { FEATURES } from '../../server/features.ts';
import { dumpOf } from '../dump.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, verdict } from '../row.ts';
import { runCommand, startInstance } from '../server.ts';
import type { Member, Shop, World } from '../world.ts';

const ORDERS = 40;
/** Tables that a restore changes on purpose (an audit entry, no waiting messages, no keys), with the column to compare. */
const OWN: Record<string, string> = { audit_logs: 'id', outbox: 'id', api_keys: 'id' };

/** A restored backup gives back every row of the shop, but no earlier session or API key. */
export const row: Row = {
  name: 'restore',
  what: 'a filled shop backed up, changed, restored in its place and over another shop; damaged files; keys and sessions afterwards',
  seconds: 150,
  run: async (world) => {
    const { expect, outcome } = verdict();
    const shop = await world.open({ instances: 2 });
    const [admin] = (await shop.crew('superadmin', 1)) as [Member];
    const pack = await shop.pack();
    await fill(shop, admin, pack.id);
    const [kept, revoked] = [await key(shop), await key(shop)];
    expect((await open(shop, kept.clave)) === 200, () => 'a new key does not open');
    await stop(shop);
    const file = join(world.folder('copias'), 'copia.jsonl.gz.enc');
    const command = async (...args: string[]) => runCommand(shop.env, args);
    const saved = await shop.inspect(dumpOf);
    const made = await command('backup', file);
    expect(made.code === 0, () => `backup ended with ${made.code}: ${made.output}`);

    await shop.again(0);
    const ada = await shop.signIn(SUPERADMIN);
    await ada.call(revokeApiKey, { params: { id: revoked.id } });
    for (const { id } of (await ada.call(listPedidos, { query: { per_page: 20 } })).body.data)
      await ada.call(deletePedido, { params: { id } });
    for (const n of range(5))
      await ada.call(createPedido, { body: { cliente_nombre: `Nueva ${n}`, cliente_direccion: 'Calle 9', pack_id: pack.id } });
    await stop(shop);

    const changed = await shop.inspect(dumpOf);
    for (const [how, damaged] of damagedOf(readFileSync(file))) {
      const path = join(world.folder('danada'), 'copia.jsonl.gz.enc');
      writeFileSync(path, damaged);
      const { code } = await command('restore', path, '--sobrescribir');
      expect(code === 1, () => `a file that is ${how} is restored: ${code}`);
    }
    expect(differing(changed, await shop.inspect(dumpOf)).length === 0, () => 'a damaged file changed something');

    const elsewhere = await otherShop(world);
    for (const [where, env] of [
      ['elsewhere', elsewhere],
      ['in its place', shop.env],
    ] as const) {
      const { code, output } = await runCommand(env, ['restore', file, '--sobrescribir']);
      expect(code === 0, () => `${where}: ended with ${code}: ${output}`);
      for (const line of differing(saved, await world.lookInto(env, dumpOf))) expect(false, () => `${where}: ${line}`);
      for (const line of await world.lookInto(env, recount)) expect(false, () => `${where}: ${line}`);
      const instance = await startInstance(env);
      world.atEnd(() => instance.stop('SIGKILL'));
      await instance.ready();
      const there = { ...shop, url: () => instance.url };
      expect((await copyAt(admin, instance.url)) === 401, () => `${where}: a session of before is still open`);
      const back = await connectAs(instance.url, SUPERADMIN);
      const orders = await each(range(3), 3, (n) =>
        back.call(createPedido, { body: { cliente_nombre: `Después ${n}`, cliente_direccion: 'Calle 1', pack_id: pack.id } }),
      );
      expect(
        orders.every(({ status }) => status === 201),
        () => `${where}: a new order: ${orders.map(({ status }) => status).join()}`,
      );
      for (const [what, { clave }] of [
        ['made before', kept],
        ['revoked since', revoked],
      ] as const) {
        const status = await open(there, clave);
        expect(status === 401, () => `${where}: a key ${what} the backup opens: ${status}`);
      }
      await instance.stop();
    }
    const rows = [...saved.values()].reduce((sum, { length }) => sum + length, 0);
    return outcome(`${rows} rows of ${saved.size} tables, restored twice`);
  },
  control: [
    {
      guard: 'the recount of what was loaded',
      edits: [
        {
          file: 'server/backups/write.ts',
          find: "lines.join(',')",
          replace: "lines.map((line) => line.replace('Nota 7', 'Nota 8')).join(',')",
        },
        {
          file: 'server/backups/write.ts',
          find: '  if (wrong) throw damagedBackup(',
          replace: '  if (wrong && !names) throw damagedBackup(',
        },
      ],
    },
    {
      guard: 'the revocation of every key by a restore',
      edits: [
        {
          file: 'server/backups/restore.ts',
          find: 'sendsWaiting ? [] : await revokeAllKeys(tx)',
          replace: 'sendsWaiting ? [] : ([] as string[])',
        },
      ],
    },
  ],
};

/** Creates another shop, whose order numbers are lower. */
async function otherShop(world: World): Promise<Record<string, string>> {
  const env = await world.database();
  const instance = await startInstance(env);
  world.atEnd(() => instance.stop('SIGKILL'));
  await instance.ready();
  const own = { producto: 'Otra cosa', precio_total: 1, cantidad: 1 };
  const admin = await connectAs(instance.url, SUPERADMIN);
  await admin.call(createPedido, { body: { cliente_nombre: 'Otra', cliente_direccion: 'Calle 1', ...own } });
  await instance.stop();
  return env;
}

async function stop(shop: Shop): Promise<void> {
  for (const instance of shop.instances) await instance.stop();
}

/** Creates orders in several estados, with their comments and returns. */
async function fill(shop: Shop, admin: Member, pack_id: string): Promise<void> {
  const [rita] = (await shop.crew('revendedor', 1)) as [Member];
  await each(range(ORDERS), 4, async (n) => {
    const { id } = await shop.pedido({ pack_id, cliente_nombre: `Copia ${n}`, cliente_telefono: `6000000${10 + (n % 20)}` }, rita);
    const params = { id };
    if (n % 4 === 0) return;
    await admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'x' } });
    await admin.call(addComentario, { params, body: { texto: `Nota ${n}` } });
    if (n % 4 === 1) return;
    await admin.call(setEstado, { params, body: { estado: n % 4 === 2 ? 'cancelado' : 'completado', metodo_entrega: 'mrw' } });
    if (n % 4 === 3)
      await admin.call(createDevolucion, { params, body: { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro' } });
  });
  const [a, b] = (await rita.call(listClientes)).body.data;
  await rita.call(unirCliente, { params: { id: a?.id ?? '' }, body: { cliente_id: b?.id ?? '' } });
  await admin.call(createVista, { body: { nombre: 'Las de Copia', lista: 'pedidos', consulta: { search: 'copia' }, compartida: true } });
}

async function key(shop: Shop) {
  await shop.prove();
  const { body } = await shop.admin.call(createApiKey, { body: { nombre: 'Almacén', acciones: ['product:manage'] } });
  return body.data;
}
const open = async (at: Pick<Shop, 'url'>, clave: string): Promise<number> =>
  (await connect(at.url()).call(listProducts, { headers: { authorization: `Bearer ${clave}` } })).status;

async function copyAt(of: Member, url: string): Promise<number> {
  const copy = connect(url);
  for (const [name, value] of of.cookies) copy.cookies.set(name, value);
  return (await copy.call(listProducts)).status;
}

function damagedOf(whole: Buffer): [string, Buffer][] {
  const changed = Buffer.from(whole);
  changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1;
  return [
    ['changed', changed],
    ['cut', whole.subarray(0, -100)],
    ['empty', Buffer.alloc(0)],
    ['longer', Buffer.concat([whole, Buffer.from('x')])],
  ];
}

/** Returns the tables with different rows. Ignores all columns but the id in tables that a restore changes on purpose. */
function differing(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  return Object.entries(tablesOnRestore(FEATURES)).flatMap(([table, keeping]) => {
    if (keeping !== 'kept') return [];
    const own = OWN[table];
    const rowsOf = (dump: Map<string, string[]>) => (dump.get(table) ?? []).map((line) => (own ? String(JSON.parse(line)[own]) : line));
    const [was, is] = [rowsOf(before), rowsOf(after)];
    const lost = was.filter((row) => !is.includes(row));
    const more = is.length - was.length + lost.length;
    return lost.length || (more && !own) ? [`${table}: ${lost.length} rows lost, ${more} more: ${lost[0]?.slice(0, 120) ?? ''}`] : [];
  });
}
