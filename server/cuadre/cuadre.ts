import { sql } from 'kysely';
import type { Cuadre, getCuadre } from '../../contract/cuadre/cuadre.ts';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { rolesOf } from '../../contract/policy/policy.ts';
import { type Db, onSnapshot, type Tx, transact } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { emitJob } from '../jobs/wake.ts';
import { conflict } from '../kit/errors.ts';
import { followProgress } from '../kit/follow.ts';
import { emit } from '../live/emit.ts';
import { CHECKS } from './checks.ts';
import { type OnPart, recountAccounts } from './run.ts';

const COLUMNS = ['id', 'started_at', 'ended_at', 'hechas', 'partes', 'pedidos', 'diferencias', 'num_diferencias'] as const;

/** Seconds after which a recount counts as dead; a million orders take minutes. */
export const EXPIRES = 7200;
const KEPT = sql`interval '90 days'`;

/** Returns the last finished recount; undefined before the first. */
export const lastCuadre = (db: Db): Promise<Cuadre | undefined> =>
  db.selectFrom('cuadres').select(COLUMNS).where('ended_at', 'is not', null).orderBy('ended_at', 'desc').limit(1).executeTakeFirst();

/** Returns the last result and the recount in progress. */
export async function readCuadre(db: Db): Promise<Answer<typeof getCuadre>['data']> {
  const [ultimo, running] = await Promise.all([
    lastCuadre(db),
    db.selectFrom('cuadres').select(COLUMNS).where('ended_at', 'is', null).executeTakeFirst(),
  ]);
  return { ultimo: ultimo ?? null, en_curso: running ?? null, comprobaciones: CHECKS.map(({ titulo }) => titulo) };
}

/** Requests a recount in the background. Throws 409 while a recount is in progress. */
export const startCuadre = async (db: Db): Promise<Cuadre> =>
  transact(db, async (tx) => {
    const begun = await begin(tx);
    if (!begun) throw conflict('Ya se están comprobando las cuentas: espera a que acabe', 'already_running');
    emitJob(tx, 'cuadre');
    return begun;
  });

// Starts a recount; undefined while a recount is in progress. First deletes a recount whose process died and that no retry resumed.
async function begin(tx: Tx): Promise<Cuadre | undefined> {
  await tx
    .deleteFrom('cuadres')
    .where('ended_at', 'is', null)
    .where('started_at', '<', sql<string>`now() - make_interval(secs => ${EXPIRES})`)
    .execute();
  const begun = await tx
    .insertInto('cuadres')
    .defaultValues()
    .onConflict((oc) => oc.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  announce(tx);
  return begun;
}

/** Recounts in one snapshot and saves the result; corrects nothing. Resumes a requested or interrupted recount, or starts a new one. */
export async function runCuadre(db: Db): Promise<void> {
  const id = await transact(db, async (tx) => {
    const begun = await begin(tx);
    if (begun) return begun.id;
    const { id } = await tx
      .updateTable('cuadres')
      .set({ started_at: sql`now()`, hechas: 0, partes: 0 })
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
  const { advance, stop } = followProgress((reached: Pick<Cuadre, 'hechas' | 'partes'>) =>
    transact(db, async (tx) => {
      await tx.updateTable('cuadres').set(reached).where('id', '=', id).where('ended_at', 'is', null).execute();
      announce(tx);
    }),
  );
  try {
    const counted = await count(db, (hechas, partes) => advance({ hechas, partes })).finally(stop);
    await store(db, id, counted);
  } catch (error) {
    // Lets the retry start a new recount. If the database is down, the row stays and the retry resumes this recount.
    await db
      .deleteFrom('cuadres')
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
      .catch(() => {});
    throw error;
  }
}

type Counted = Pick<Cuadre, 'pedidos' | 'diferencias'>;

const count = (db: Db, advance: OnPart): Promise<Counted> =>
  onSnapshot(db, (tx) =>
    withoutTimeout(tx, async () => {
      const { pedidos } = await tx
        .selectFrom('pedidos')
        .select((eb) => eb.fn.countAll<number>().as('pedidos'))
        .executeTakeFirstOrThrow();
      return { pedidos, diferencias: await recountAccounts(tx, { advance }) };
    }),
  );

async function store(db: Db, id: string, { pedidos, diferencias }: Counted): Promise<void> {
  const num_diferencias = diferencias.reduce((sum, { cuantas }) => sum + cuantas, 0);
  await transact(db, async (tx) => {
    await tx
      .updateTable('cuadres')
      .set({ pedidos, num_diferencias, diferencias: JSON.stringify(diferencias), ended_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
    await tx.deleteFrom('cuadres').where('ended_at', '<', sql<string>`now() - ${KEPT}`).execute();
    announce(tx);
  });
}

const announce = (tx: Tx): void => emit(tx, { topic: 'cuadre', roles: rolesOf('cuadre:manage') });

/** Returns two metrics, the differences of the last recount and its age in seconds; empty before the first recount. */
export async function cuadreFigures(db: Db): Promise<Record<string, number>> {
  const last = await lastCuadre(db);
  if (!last?.ended_at) return {};
  return { differences: last.num_diferencias, age_seconds: Math.round((Date.now() - Date.parse(last.ended_at)) / 1000) };
}
