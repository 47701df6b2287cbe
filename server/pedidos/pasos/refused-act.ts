import { sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { POR_EMPRESA } from '../../../contract/payments/fields.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { typedWords } from '../../../contract/pedidos/typed.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { plural } from '../../../contract/text/plural.ts';
import type { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { audit } from '../../audit/audit.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { notFound } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { emit } from '../../live/emit.ts';
import { type Notice, notify, withdrawUnlinked } from '../../notifications/notify.ts';
import { ACTS, countUse, limitRate, NOTICES } from '../../repeats/bounds.ts';
import { ZONE } from '../../settings/zone.ts';
import { type Happened, withinBounds } from '../historia/happened.ts';
import { auditEntry, historyRow } from '../historia/history.ts';
import { COLUMNS } from '../lectura/row.ts';
import { announcedFiles } from '../pruebas/entrega.ts';

/** Records a step that the order's carrier or a former carrier made at the door and could not register; notifies superadmins. Throws 404, 429. */
export async function notifyRefused(db: Db, actor: Actor, body: BodyOut<typeof contarNoAceptado>): Promise<void> {
  await transact(db, async (tx) => {
    // Ignores the carrier's scope: another carrier often has the order by now.
    const row = await tx
      .selectFrom('pedidos')
      .select([
        ...COLUMNS,
        sql<string>`to_char(${new Date(body.ocurrido).toISOString()}::timestamptz AT TIME ZONE ${ZONE}, 'DD/MM HH24:MI')`.as('hora'),
      ])
      .where('id', '=', body.pedido_id)
      .where((eb) =>
        eb.or([
          eb('transportista_id', '=', actor.id),
          eb.exists(
            eb.selectFrom('pedidos_historial').select('id').whereRef('pedido_id', '=', 'pedidos.id').where('retirado_a', '=', actor.id),
          ),
        ]),
      )
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    const accion = `${body.pendiente ? 'Aún sin registrar' : 'Sin registrar'}: ${TRANSITIONS[body.paso].label}`;
    const happened = withinBounds(Date.parse(body.ocurrido), Date.now(), 0);
    // Stores one row per step, even if reported again with another idempotency key.
    if (await isTold(tx, actor, row.id, accion, happened)) return;
    await limitRate(tx, ACTS, actor.id ?? row.id, 'Demasiados pasos sin registrar a la vez: se volverá a intentar');
    // Typed words are personal data, which is not stored for an anonymised or blocked order.
    const isKept = !row.anonimizado_at && !row.bloqueado_at;
    const typed = isKept ? [body.sin_entregar, ...typedWords(body, (euros) => inEuros(toCents(euros)))] : [];
    const nota = [body.rechazo, ...typed].filter(Boolean).join(' · ') || null;
    // A report never withdraws the order from its carrier, even if the order is cancelled or deleted.
    const entry = { ...historyRow(actor, { accion, nota, happened }, row, row), retirado_a: null };
    // Leaves out cash of a step still being retried: the step may yet be registered, and its cash would count twice.
    const isCash =
      body.paso === 'completar' && !body.pendiente && !!body.cobrado && !!body.cobrado_metodo && body.cobrado_metodo !== POR_EMPRESA;
    const cobrado = isCash ? { cobrado_cents: toCents(body.cobrado ?? 0), cobrado_metodo: body.cobrado_metodo } : {};
    const files = isKept ? await announcedFiles(tx, body) : [];
    await tx
      .insertInto('pedidos_historial')
      .values({
        ...entry,
        ...cobrado,
        cambios: JSON.stringify(entry.cambios),
        ...(files.length > 0 && { anunciadas: JSON.stringify(files) }),
      })
      .execute();
    await audit(tx, actor, auditEntry(entry, 'update', row.numero_orden));
    await notifyOffice(tx, actor, row, body, isCash ? `. Cobró ${inEuros(toCents(body.cobrado ?? 0))}` : '');
    emit(tx, { topic: 'pedidos', roles: ['superadmin'], users: [] });
  });
}

/** Marks a history entry whose money the office has booked. */
export const markRegistered = (tx: Tx, id: string) =>
  tx.updateTable('pedidos_historial').set({ registrado_at: sql<string>`now()` }).where('id', '=', id).execute();

/** True if the step is already in the order's history. Steps of the last minute cannot be recognised, because their own time is not stored. */
async function isTold(
  tx: Tx,
  actor: Actor,
  pedido_id: string,
  accion: string,
  { ocurrido_at, ocurrido_dicho }: Happened,
): Promise<boolean> {
  if (!ocurrido_at && !ocurrido_dicho) return false;
  const found = await tx
    .selectFrom('pedidos_historial')
    .select('id')
    .where('pedido_id', '=', pedido_id)
    .where('actor_user_id', '=', actor.id)
    .where('accion', '=', accion)
    .where(ocurrido_dicho ? 'ocurrido_dicho' : 'ocurrido_at', '=', ocurrido_dicho ?? ocurrido_at)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Notifies superadmins of an unregistered step. After two notices an hour, a third one counts all further steps of the carrier. */
async function notifyOffice(
  tx: Tx,
  actor: Actor,
  row: { id: string; numero_orden: string; hora: string },
  body: Pick<BodyOut<typeof contarNoAceptado>, 'paso' | 'pendiente' | 'rechazo'>,
  money: string,
): Promise<void> {
  const notice = { tipo: 'acto_no_aceptado', roles: ['superadmin'], except: actor.id, mail: true } satisfies Partial<Notice>;
  const times = await countUse(tx, NOTICES, actor.id ?? row.id);
  if (times < NOTICES.most) {
    const { label } = TRANSITIONS[body.paso];
    const state = body.pendiente ? 'aún no se ha registrado y se sigue intentando' : 'no se ha registrado';
    const texto = `${actor.full_name} hizo «${label}» en ${row.numero_orden} sin cobertura (${row.hora}), pero ${state}: ${body.rechazo ?? 'error'}${money}`;
    await notify(tx, { ...notice, texto, enlace: `/pedidos/${row.id}`, pedido_id: row.id, renews: true });
    return;
  }
  const isFirst = times === NOTICES.most;
  if (!isFirst) await withdrawUnlinked(tx, notice.tipo, actor.id, NOTICES.minutes);
  const more = times - NOTICES.most + 1;
  const what = plural(more, 'paso más no se ha registrado', 'pasos más no se han registrado');
  const texto = `${actor.full_name}: ${what}, el último en ${row.numero_orden} (${row.hora}). El historial de cada pedido los dice`;
  await notify(tx, { ...notice, texto, enlace: '/entregas', quiet: !isFirst, mail: isFirst });
}
