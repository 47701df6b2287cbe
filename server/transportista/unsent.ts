import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Actor, mayEver, rolesOf } from '../../contract/policy/policy.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import { plural } from '../../contract/text/plural.ts';
import type { SinEnviar } from '../../contract/transportista/transportista.ts';
import { type Db, transact } from '../db/open.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { ZONE } from '../settings/zone.ts';

/* Unsent steps on carriers' telephones, as each telephone reported with its last request (decision 064). */

/** Hour in the business's time zone from which carrier and office are notified. */
const EVENING = 20;

/** Reads the report in every request of a person with an outbox, after the response. */
export function listenUnsent(app: FastifyInstance, db: Db): void {
  app.addHook('onResponse', async ({ headers, actor, session, log }) => {
    const header = headers[UNSENT];
    if (typeof header !== 'string' || !session || !actor || !mayEver(actor, 'device:outbox')) return;
    await noteAll(db, session.id, header).catch((error: unknown) => log.error(error));
  });
}

/** Header value: «3;2026-…», plus «|id=1;2026-…» for each other carrier with waiting steps on the telephone. */
async function noteAll(db: Db, user_id: string, header: string): Promise<void> {
  const [own = '', ...others] = header.split('|').slice(0, 6);
  await noteUnsent(db, user_id, own);
  for (const other of others) {
    const [, id = '', waits = ''] = /^([0-9a-f-]{36})=(.+)$/i.exec(other) ?? [];
    if (id && id !== user_id && (await isCarrier(db, id))) await noteUnsent(db, id, waits);
  }
}

const isCarrier = async (db: Db, id: string): Promise<boolean> => {
  const found = await db
    .selectFrom('users')
    .select('role')
    .where(sql<string>`id::text`, '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return found !== undefined && mayEver({ id, role: found.role } as Actor, 'device:outbox');
};

/** Stores a telephone's report: «0», or the number of orders and since when. Ignores anything else. */
async function noteUnsent(db: Db, user_id: string, header: string): Promise<void> {
  const [, number = '', since = ''] = /^(\d{1,4})(?:;([\d:.TZ-]{1,30}))?$/.exec(header) ?? [];
  const pedidos = Number(number || Number.NaN);
  const at = Date.parse(since);
  if (Number.isNaN(pedidos) || (pedidos > 0 && Number.isNaN(at))) return;
  await transact(db, async (tx) => {
    const before = await tx.selectFrom('sin_enviar').select('pedidos').where('user_id', '=', user_id).forUpdate().executeTakeFirst();
    if (pedidos === (before?.pedidos ?? 0) && pedidos === 0) return;
    // A telephone's clock can be ahead. Writes once a minute while nothing changes. Keeps the row at 0, because it has the day of the last notice.
    const desde = new Date(pedidos === 0 ? Date.now() : Math.min(at, Date.now())).toISOString();
    await sql`
      INSERT INTO sin_enviar AS s (user_id, pedidos, desde) VALUES (${user_id}, ${pedidos}, ${desde})
      ON CONFLICT (user_id) DO UPDATE SET pedidos = excluded.pedidos, desde = excluded.desde, visto_at = now()
      WHERE s.pedidos <> excluded.pedidos OR s.visto_at < now() - interval '1 minute'`.execute(tx);
    if (pedidos !== before?.pedidos) emit(tx, { topic: 'sinEnviar', roles: rolesOf('pedido:assign') });
  });
}

/** Returns the unsent steps by carrier, longest wait first. */
export const listUnsent = async (db: Db): Promise<SinEnviar[]> =>
  db
    .selectFrom('sin_enviar as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.user_id as transportista_id', 'u.full_name as transportista_nombre', 's.pedidos', 's.desde', 's.visto_at'])
    .where('s.pedidos', '>', 0)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.desde')
    .execute();

/** Notifies each carrier and the office of unsent steps once a day, from the hour `evening` on. */
export async function notifyUnsent(db: Db, evening = EVENING): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ user_id: string; nombre: string; pedidos: number; cuando: string }>`
      UPDATE sin_enviar s SET avisado_dia = dia_negocio(now()) FROM users u
      WHERE u.id = s.user_id AND s.pedidos > 0 AND u.is_active AND u.deleted_at IS NULL AND s.avisado_dia IS DISTINCT FROM dia_negocio(now())
        AND extract(hour FROM now() AT TIME ZONE ${ZONE}) >= ${evening}
      RETURNING s.user_id, u.full_name AS nombre, s.pedidos, to_char(s.desde AT TIME ZONE ${ZONE}, '"el" DD/MM "a las" HH24:MI') AS cuando`.execute(
      tx,
    );
    for (const { user_id, nombre, pedidos, cuando } of rows) {
      const what = `${plural(pedidos, 'entrega')} sin enviar desde ${cuando}`;
      await notify(
        tx,
        { tipo: 'sin_enviar', texto: `${nombre}: ${what}`, enlace: '/entregas', roles: [...rolesOf('pedido:assign')], mail: true },
        {
          tipo: 'sin_enviar',
          texto: `En tu teléfono quedan ${what}. Abre Enruta donde haya cobertura, sin cerrar la sesión`,
          enlace: '/pedidos-asignados',
          users: [user_id],
          mail: true,
        },
      );
    }
  });
}
