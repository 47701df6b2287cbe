import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { getHistorial } from '../../../contract/pedidos/pedidos.ts';
import { admin, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import { tendUnpaid } from './unpaid.job.ts';

/* Reminders and cancellations of unpaid orders. */

worldForEachTest();

const HOURS = { unpaidReminderHours: 24, unpaidExpiryHours: 72, transferExpiryDays: 7 };
const set = (data: object) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', ...HOURS, ...data }) as never })
    .execute();
let pack: Awaited<ReturnType<typeof world.pack>>;
beforeEach(async () => {
  await set({});
  pack = await world.pack();
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const days = (n: number) => hoursAgo(24 * n + 1);
const OLD = { created_at: hoursAgo(73) };

type Given = Parameters<typeof world.pedido>[0];
type Pago = { estado: string; proveedor?: string; externo_id?: string | null; vence_at?: string | null; importe_cents?: number };
type Outcome = 'none' | 'reminded' | 'warned' | 'cancelled';

const make = async (fields: Given, { pago, shop }: { pago?: Pago; shop?: boolean } = {}) => {
  const { id, numero_orden } = await world.pedido({ estado: 'pendiente_pago', revendedor_id: reseller.user.id, pack, ...fields });
  if (pago)
    await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, proveedor: 'stripe', referencia: '', importe_cents: 100, ...pago } as never)
      .execute();
  if (shop) {
    const tienda = await world.db
      .insertInto('tiendas')
      .values({ conector: 'woocommerce', nombre: 'Tienda', secreto: 's' } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await world.db
      .insertInto('tienda_pedidos')
      .values({ tienda_id: tienda.id, externo_id: '1', numero: '1', modificado_at: hoursAgo(1), pedido_id: id } as never)
      .execute();
  }
  return { id, numero_orden };
};
const outcomeOf = async (id: string): Promise<Outcome> => {
  const row = await world.db
    .selectFrom('pedidos')
    .select(['estado', 'recordatorio_at', 'transferencia_recordada_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const isNew = (at: string | null) => at !== null && Date.parse(String(at)) > Date.now() - 60_000;
  if (row.estado === 'cancelado') return 'cancelled';
  return isNew(row.recordatorio_at) ? 'reminded' : isNew(row.transferencia_recordada_at) ? 'warned' : 'none';
};

const reported = (n: number, warned?: number) => ({
  created_at: hoursAgo(24 * n + 30),
  transferencia_avisada_at: days(n),
  ...(warned !== undefined && { transferencia_recordada_at: hoursAgo(warned) }),
});
const LATER = new Date(Date.now() + 3_600_000).toISOString();
const CASES: [string, Outcome, Given, { pago?: Pago; shop?: boolean }?][] = [
  ['not a day old', 'none', { created_at: hoursAgo(23) }],
  ['a day old', 'reminded', { created_at: hoursAgo(25) }],
  ['another, a day old', 'reminded', { created_at: hoursAgo(26) }],
  ['a day old, and reminded', 'none', { created_at: hoursAgo(49), recordatorio_at: hoursAgo(24) }],
  ['not three days old', 'reminded', { created_at: hoursAgo(71) }],
  ['three days old', 'cancelled', OLD],
  ['three days old, and reminded', 'cancelled', { ...OLD, recordatorio_at: hoursAgo(48) }],
  ['paid', 'none', { ...OLD, estado: 'pendiente' }],
  ['deleted', 'none', { ...OLD, deleted_at: hoursAgo(1) }],
  ['of a web shop', 'none', OLD, { shop: true }],
  ['paid in part', 'reminded', OLD, { pago: { estado: 'pagado' } }],
  ['at a provider', 'reminded', OLD, { pago: { estado: 'iniciado', vence_at: LATER } }],
  ['at a provider before', 'cancelled', OLD, { pago: { estado: 'iniciado', vence_at: hoursAgo(1) } }],
  ['refused by a provider', 'cancelled', OLD, { pago: { estado: 'rechazado', vence_at: LATER, externo_id: 'p1' } }],
  [
    'at a provider that answers',
    'reminded',
    OLD,
    { pago: { estado: 'iniciado', vence_at: hoursAgo(1), proveedor: 'redsys', externo_id: 'p2' } },
  ],
  ['unknown to that provider', 'cancelled', OLD, { pago: { estado: 'iniciado', vence_at: hoursAgo(1), proveedor: 'redsys' } }],
  ['at one that answers no more', 'cancelled', OLD, { pago: { estado: 'iniciado', vence_at: hoursAgo(1), externo_id: 'p3' } }],
  ['with a transfer of five days', 'none', reported(5)],
  ['with a transfer of six days', 'warned', reported(6)],
  ['with a transfer of six days, paid in part', 'warned', reported(6), { pago: { estado: 'pagado' } }],
  ['with a transfer of six days, and warned', 'none', reported(6, 3)],
  ['with a transfer of eight days, and warned', 'cancelled', reported(8, 25)],
  ['with a transfer of seven days, and warned', 'cancelled', reported(7, 25)],
  ['with a transfer of less, warned when the term was shorter', 'none', reported(6, 25)],
  ['with a transfer of eight days, warned not long ago', 'none', reported(8, 23)],
  ['with a transfer of eight days, without a warning', 'warned', reported(8)],
  ['with a transfer of eight days, warned, and paid in part', 'none', reported(8, 25), { pago: { estado: 'pagado' } }],
  ['with a transfer of eight days, warned, and at a provider', 'none', reported(8, 25), { pago: { estado: 'iniciado', vence_at: LATER } }],
];

it('each unpaid order gets what its age and its payments ask for', async () => {
  const ids = new Map<string, string>();
  for (const [name, , fields, more] of CASES) ids.set(name, (await make(fields, more)).id);
  const count = (wanted: Outcome) => CASES.filter(([, outcome]) => outcome === wanted).length;
  expect(await tendUnpaid(world.db, ['redsys'])).toEqual({
    reminded: count('reminded') + count('warned'),
    cancelled: count('cancelled'),
  });
  for (const [name, wanted] of CASES) expect([name, await outcomeOf(ids.get(name) ?? '')]).toEqual([name, wanted]);
  // No provider is asked any more.
  expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 1 });
  expect(await outcomeOf(ids.get('at a provider that answers') ?? '')).toBe('cancelled');
  expect(await tendUnpaid(world.db)).toEqual({ reminded: 0, cancelled: 0 });
});

it.each<[string, object, Outcome[]]>([
  ['reminders', { unpaidReminderHours: 0 }, ['none', 'cancelled', 'warned', 'cancelled']],
  ['cancellations', { unpaidExpiryHours: 0 }, ['reminded', 'reminded', 'warned', 'cancelled']],
  ['the end of transfers', { transferExpiryDays: 0 }, ['reminded', 'cancelled', 'none', 'none']],
])('a shop may switch off %s', async (_, data, wanted) => {
  await set(data);
  const made = [await make({ created_at: hoursAgo(25) }), await make(OLD), await make(reported(6)), await make(reported(8, 25))];
  await tendUnpaid(world.db);
  expect(await Promise.all(made.map(({ id }) => outcomeOf(id)))).toEqual(wanted);
});

it('the history says why an order was cancelled', async () => {
  const [unpaid, late] = [await make(OLD), await make(reported(8, 25))];
  await tendUnpaid(world.db);
  await set({ transferExpiryDays: 1 });
  const oneDay = await make(reported(2, 25));
  await tendUnpaid(world.db);
  const notes = await Promise.all(
    [unpaid, late, oneDay].map(async ({ id }) => (await admin.call(getHistorial, { params: { id } })).body.data[0]?.nota),
  );
  expect(notes).toEqual([
    'No se ha pagado en 72 horas',
    'La transferencia avisada no ha llegado en 7 días',
    'La transferencia avisada no ha llegado en un día',
  ]);
});

it('the reseller is reminded, and the office too warned, by bell and mail', async () => {
  const due = await make({ created_at: hoursAgo(25), cliente_nombre: 'Ana' });
  const late = await make({ ...reported(6), cliente_nombre: 'Luis' });
  const part = await make({ ...reported(6), cliente_nombre: 'Eva' }, { pago: { estado: 'pagado' } });
  await tendUnpaid(world.db);
  const seen = async (who: typeof admin) =>
    (await who.call(listNotifications)).body.data.map(({ tipo, texto, enlace }) => [tipo, texto, enlace]).sort();
  const texts = [
    `El pedido ${due.numero_orden} (Ana) sigue sin pagar`,
    `La transferencia del pedido ${late.numero_orden} (Luis) no ha llegado: mañana se cancelará`,
    `La transferencia del pedido ${part.numero_orden} (Eva) no ha llegado`,
  ];
  const own = ({ numero_orden }: typeof due) => `/mis-pedidos?estado=pendiente_pago&search=${numero_orden}`;
  expect(await seen(reseller)).toEqual(
    [
      ['pago_recordado', texts[0], own(due)],
      ['transferencia_por_vencer', texts[1], own(late)],
      ['transferencia_por_vencer', texts[2], own(part)],
    ].sort(),
  );
  expect(await seen(admin)).toEqual(
    [
      ['transferencia_por_vencer', texts[1], `/pedidos/${late.id}`],
      ['transferencia_por_vencer', texts[2], `/pedidos/${part.id}`],
    ].sort(),
  );
  const mails = await world.db.selectFrom('outbox').select('recipient').where('channel', '=', 'correo').execute();
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual(
    [admin, admin, reseller, reseller, reseller].map(({ user }) => user.email).sort(),
  );
  const linked = await world.db.selectFrom('notifications').select('pedido_id').distinct().orderBy('pedido_id').execute();
  expect(linked.map(({ pedido_id }) => pedido_id)).toEqual([due.id, late.id, part.id].sort());
});

it('orders that cannot be cancelled are named, and stop no others', async () => {
  const [first, second, other] = [
    await make({ ...OLD, cliente_nombre: 'Imposible' }),
    await make({ ...OLD, cliente_nombre: 'Imposible' }),
    await make(OLD),
  ];
  await sql`ALTER TABLE pedidos ADD CONSTRAINT imposible CHECK (cliente_nombre <> 'Imposible' OR estado <> 'cancelado')`.execute(world.db);
  try {
    const error = await tendUnpaid(world.db).then(
      () => undefined,
      (thrown: AggregateError) => thrown,
    );
    expect(error?.errors).toHaveLength(2);
    for (const { id } of [first, second]) expect(error?.message).toContain(id);
  } finally {
    await sql`ALTER TABLE pedidos DROP CONSTRAINT imposible`.execute(world.db);
  }
  expect(await outcomeOf(other.id)).toBe('cancelled');
});
