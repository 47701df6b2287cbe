import { updateCliente } from '../../contract/clientes/clientes.ts';
import { addComentario } from '../../contract/comentarios/comentarios.ts';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { assignTransportista, createPedido, getPedido, type Pedido, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import { anonimizar, bloquear, desbloquear } from '../../contract/privacidad/privacidad.ts';
import { createVista } from '../../contract/vistas/vistas.ts';
import { createWebhook } from '../../contract/webhooks/webhooks.ts';
import { dayInMadrid } from '../../test/day.ts';
import { dumpOf } from '../dump.ts';
import { each } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

/** Personal data in words that occur nowhere else. */
const NAME = 'Begonia Zentinelez Quirogaz';
const PERSON = {
  cliente_nombre: NAME,
  cliente_telefono: '655 43 21 98',
  cliente_direccion: 'Calle Zurbaranek 8',
  cliente_direccion2: 'Puerta Zortzi',
  cliente_ciudad: 'Zarautzondo',
  cliente_provincia: 'Asturias',
  cliente_codigo_postal: '33997',
  instrucciones: 'Preguntar por zaguanera',
  franja_horaria: 'Tras la zortzikada',
};
const TRACKING = 'ZK77XQ';
const WORDS = [
  'zentinelez',
  'quirogaz',
  'zurbaranek',
  'zortzi',
  'zarautzondo',
  '33997',
  'zaguanera',
  'zortzikada',
  'zk77xq',
  '655432198',
  'zamakoa',
];
const MOTIVO = { motivo: 'Lo ha pedido' };

/** No row of any table contains a person's data after anonymisation, or during a block. */
export const row: Row = {
  name: 'personal-data',
  what: 'a customer with words of their own in every place; blocked, unblocked, anonymised at once; the database read row by row after each',
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ instances: 2, env: { WEBHOOKS_PRIVATE: '1' } });
    const admins = await shop.crew('superadmin', 4);
    const [admin] = admins as [Member];
    const { expect, outcome } = verdict();
    const url = 'http://127.0.0.1:9/avisos';
    await admin.call(createWebhook, { body: { url, eventos: ['pedido.creado', 'pedido.completado'], con_precios: true } });
    const pedidos = [await lived(shop, admin), await lived(shop, admin)];
    const neighbour = await lived(shop, admin, { cliente_nombre: 'Vecina Zapatero', cliente_telefono: '655 00 00 01' });
    const places = await placesOf(shop);
    expect(places.size > 10, () => `only in ${[...places.keys()].join(', ')}`);
    const read = async (id: string) => ({
      ...((await admin.call(getPedido, { params: { id } })).body.data as Pedido),
      version: 0,
      updated_at: '',
    });
    const before = await read(pedidos[0] ?? '');

    const none = async (when: string) => {
      for (const [place, found] of await placesOf(shop)) expect(false, () => `${when}: ${place} holds ${found.join(', ')}`);
      expect(
        shop.instances.every(({ log }) => !log().toLowerCase().includes('zentinelez')),
        () => `${when}: the log says the name`,
      );
    };
    const once = (statuses: readonly number[], what: string) =>
      expect(
        statuses.filter((status) => status === 200).length === 1 && statuses.every((status) => status < 500),
        () => `${what}: ${tally(statuses)}`,
      );
    // The neighbour lives in the same street, and anonymising the neighbour must not change the person's data.
    await admin.call(anonimizar, { body: { pedidos: [neighbour], ...MOTIVO, confirmacion: CONFIRMACION } });

    once(await each(admins, 4, async (who) => (await who.call(bloquear, { body: { pedidos, ...MOTIVO } })).status), 'blocked at once');
    await none('blocked');
    once(await each(admins, 4, async (who) => (await who.call(desbloquear, { body: { pedidos, ...MOTIVO } })).status), 'unblocked at once');
    const back = await read(pedidos[0] ?? '');
    expect(JSON.stringify(back) === JSON.stringify(before), () => 'the order is not as it was before it was blocked');
    const again = await placesOf(shop);
    expect(
      [...places.keys()].every((place) => again.has(place)),
      () => `unblocked, in ${[...again.keys()].join(', ')} of ${[...places.keys()].join(', ')}`,
    );

    const body = { pedidos, ...MOTIVO, confirmacion: CONFIRMACION } as const;
    once(await each(admins, 4, async (who) => (await who.call(anonimizar, { body })).status), 'anonymised at once');
    await none('anonymised');
    return outcome(`${WORDS.length} words in ${places.size} tables: ${[...places.keys()].join(', ')}; none left`);
  },
  control: [
    {
      guard: 'the writing of what is taken out',
      edits: [{ file: 'server/privacidad/redact.ts', find: '    await writeRows(tx, table, changed);\n', replace: '' }],
    },
    {
      guard: 'the encryption of what is blocked',
      edits: [
        {
          file: 'server/privacidad/block.ts',
          find: 'datos: encrypt(secretKey, JSON.stringify({ rows: kept.get(id) ?? [], card: cards.get(id) } satisfies Blocked)),',
          replace: 'datos: JSON.stringify({ rows: kept.get(id) ?? [], card: cards.get(id) } satisfies Blocked),',
        },
        { file: 'server/privacidad/block.ts', find: 'JSON.parse(decrypt(secretKey, datos))', replace: 'JSON.parse(datos)' },
      ],
    },
    {
      guard: 'the redaction of notices and mails that name an order',
      edits: [{ file: 'server/privacidad/redact.ts', find: '  await redactNamed(tx, orders, { redactors, store });\n', replace: '' }],
    },
    {
      guard: 'the deletion of customers without orders',
      edits: [
        {
          file: 'server/privacidad/block.ts',
          find: '  await redactOrders(tx, orders, ANONIMIZADO);\n  await deleteOrderlessClientes(tx);\n',
          replace: '  await redactOrders(tx, orders, ANONIMIZADO);\n',
        },
      ],
    },
  ],
};

/** Creates and delivers an order that leaves the person's data in every possible place. */
async function lived(shop: Shop, admin: Member, fields: Partial<typeof PERSON> = {}): Promise<string> {
  const [reseller] = (await shop.crew('revendedor', 1)) as [Member];
  const carriers = (await shop.crew('transportista', 2)) as [Member, Member];
  const person = { ...PERSON, ...fields };
  const name = person.cliente_nombre;
  const { id: pack_id } = await shop.pack();
  const made = await reseller.call(createPedido, { body: { ...person, pack_id } });
  const { id } = made.body.data;
  const at = { params: { id } };
  const done = [
    await admin.call(updatePedido, { ...at, body: { ...person, cliente_direccion: 'Avenida Zurbaranek 9' } }),
    await admin.call(anotarPago, { ...at, body: { metodo: 'bizum', importe: 1, fecha: dayInMadrid(), referencia: `Bizum ${name}` } }),
    await admin.call(setEstado, { ...at, body: { estado: 'pendiente', referencia: `Transferencia de ${name}` } }),
    await admin.call(assignTransportista, { ...at, body: { transportista_id: carriers[0].person.id } }),
    await carriers[0].call(setEstado, { ...at, body: { estado: 'en_ruta' } }),
    await carriers[0].call(setEstado, { ...at, body: { estado: 'asignado', motivo: 'La zamakoa no estaba' } }),
    await admin.call(assignTransportista, { ...at, body: { transportista_id: carriers[1].person.id } }),
    await reseller.call(addComentario, { ...at, body: { texto: `@${admin.person.full_name}, ${name} tiene otro teléfono, la zamakoa` } }),
    await admin.call(setEstado, { ...at, body: { estado: 'completado', metodo_entrega: 'correos', numero_seguimiento: TRACKING } }),
    await admin.call(createDevolucion, {
      ...at,
      body: {
        lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }],
        motivo: 'otro',
        nota: 'La zamakoa lo rompió',
        referencia: `TRF ${name}`,
      },
    }),
    await admin.call(createVista, { body: { nombre: `De ${name} ${id.slice(0, 4)}`, lista: 'pedidos', consulta: { search: name } } }),
  ];
  const { cliente_id } = (await admin.call(getPedido, at)).body.data as Pedido;
  done.push(
    (await admin.call(updateCliente, { params: { id: cliente_id ?? '' }, body: { nota: 'Es la zamakoa', avisar_antes: true } })) as never,
  );
  const refused = done.find(({ status }) => status >= 300);
  if (refused) throw new Error(`Arranging failed with ${refused.status}: ${refused.text}`);
  return id;
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\d)\s(?=\d)/g, '');

/** Returns the person's words found in each table. */
async function placesOf({ inspect }: Shop): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>();
  for (const [table, rows] of await inspect(dumpOf)) {
    const text = plain(rows.join('\n'));
    const found = WORDS.filter((word) => text.includes(word));
    if (found.length) places.set(table, found);
  }
  return places;
}
