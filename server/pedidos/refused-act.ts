import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import { typedWords } from '../../contract/pedidos/typed.ts';
import type { Actor } from '../../contract/policy.ts';
import type { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { ZONE } from '../settings/zone.ts';
import { filesOf } from './entrega.ts';
import { withinBounds } from './happened.ts';
import { auditOf, historyOf } from './history.ts';
import { COLUMNS } from './row.ts';

/** Records in an order's history what its carrier, or a former one, did at the door and could not register; tells superadmins. Its files follow. Throws 404. */
export async function tellRefused(db: Db, actor: Actor, body: BodyOut<typeof contarNoAceptado>): Promise<void> {
  await transact(db, async (tx) => {
    // Outside the carrier's scope: the order is often in other hands by now.
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
    const { label } = TRANSITIONS[body.paso];
    // Typed words are personal data: not stored for an anonymised or blocked order.
    const isKept = !row.anonimizado_at && !row.bloqueado_at;
    const typed = isKept ? [body.sin_entregar, ...typedWords(body, (euros) => inEuros(toCents(euros)))] : [];
    const nota = [body.rechazo, ...typed].filter(Boolean).join(' · ') || null;
    const happened = withinBounds(Date.parse(body.ocurrido), Date.now(), 0);
    // Takes the order from no carrier, whatever its estado.
    const entry = {
      ...historyOf(actor, { accion: `${body.pendiente ? 'Aún sin registrar' : 'Sin registrar'}: ${label}`, nota, happened }, row, row),
      retirado_a: null,
    };
    // Still being sent: it may arrive by itself, and would count twice.
    const isCash = body.paso === 'completar' && !body.pendiente && !!body.cobrado && !!body.cobrado_metodo;
    const cobrado = isCash ? { cobrado_cents: toCents(body.cobrado ?? 0), cobrado_metodo: body.cobrado_metodo } : {};
    const files = isKept ? await filesOf(tx, body) : [];
    await tx
      .insertInto('pedidos_historial')
      .values({
        ...entry,
        ...cobrado,
        cambios: JSON.stringify(entry.cambios),
        ...(files.length > 0 && { anunciadas: JSON.stringify(files) }),
      })
      .execute();
    await audit(tx, actor, auditOf(entry, 'update', row.numero_orden));
    await notify(tx, {
      tipo: 'acto_no_aceptado',
      texto: `${actor.full_name} hizo «${label}» en ${row.numero_orden} sin cobertura (${row.hora}), pero ${body.pendiente ? 'aún no se ha registrado y se sigue intentando' : 'no se ha registrado'}: ${body.rechazo ?? 'error'}${isCash ? `. Cobró ${inEuros(toCents(body.cobrado ?? 0))}` : ''}`,
      enlace: `/pedidos/${row.id}`,
      roles: ['superadmin'],
      except: actor.id,
      pedido_id: row.id,
      mail: true,
    });
    emit(tx, { topic: 'pedidos', roles: ['superadmin'], users: [] });
  });
}

/** Marks an entry of the history whose money the office has booked. */
export const markRegistered = (tx: Tx, id: string) =>
  tx.updateTable('pedidos_historial').set({ registrado_at: sql<string>`now()` }).where('id', '=', id).execute();
