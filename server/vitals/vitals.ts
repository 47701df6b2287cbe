import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person, Role } from '../../contract/policy/policy.ts';
import { type DEVICES, MEASURES, type Measure } from '../../contract/vitals/fields.ts';
import type * as schemas from '../../contract/vitals/schemas.ts';
import type { ScreenSpeed } from '../../contract/vitals/vitals.ts';
import { type Db, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { VERSION } from '../kit/release.ts';
import { limitRate, VITALS } from '../repeats/bounds.ts';
import { readSettings } from '../settings/settings.ts';

/** Width of a bucket: each begins a tenth above the one before, so a fifth is two buckets. */
const RATIO = 1.1;
const bucketOf = (value: number): number => (value < 1 ? 0 : 1 + Math.floor(Math.log(value) / Math.log(RATIO)));
/** Middle of a bucket. */
const middleOf = (bucket: number): number => (bucket === 0 ? 0 : Math.round(RATIO ** (bucket - 0.5)));

/** Days that the figures cover, and days that counts are kept, so that a version has one before it to be compared with. */
const [DAYS, KEPT_DAYS] = [28, 90];

/** Counts what a browser measured, unless the setting is off. Throws 429 beyond the bound. */
export async function countVitals(
  db: Db,
  { id, role }: Person,
  { dispositivo, ...measured }: z.output<typeof schemas.sendVitals.body>,
  version = VERSION,
): Promise<void> {
  if (!(await readSettings(db)).measureSpeed) return;
  // In a fixed order, so that concurrent counts lock their rows in the same order.
  const rows = MEASURES.flatMap((medida) => {
    const { pantalla, valor } = measured[medida] ?? {};
    return pantalla === undefined || valor === undefined ? [] : [{ medida, pantalla, cubo: bucketOf(valor) }];
  });
  if (!rows.length) return;
  await transact(db, async (tx) => {
    await limitRate(tx, VITALS, id, 'Demasiadas medidas seguidas');
    await tx
      .insertInto('velocidad')
      .values(rows.map((row) => ({ ...row, dia: sql<string>`current_date`, version, rol: role, dispositivo })))
      .onConflict((oc) =>
        oc
          .columns(['dia', 'version', 'pantalla', 'rol', 'dispositivo', 'medida', 'cubo'])
          .doUpdateSet((eb) => ({ veces: eb('velocidad.veces', '+', 1) })),
      )
      .execute();
  });
}

type Quartile = {
  version: string;
  pantalla: string;
  rol: Role;
  dispositivo: keyof typeof DEVICES;
  medida: Measure;
  cubo: number;
  veces: number;
};

/** Returns the bucket of the third quartile of every cell since `days` ago; of each version, or of all together. */
async function quartiles(db: Db, days: number, byVersion: boolean): Promise<Quartile[]> {
  const cell = sql`version, pantalla, rol, dispositivo, medida`;
  const { rows } = await sql<Quartile>`
    WITH buckets AS (
      SELECT ${byVersion ? sql`version` : sql`''::text`} AS version, pantalla, rol, dispositivo, medida, cubo, sum(veces)::int AS n
      FROM velocidad WHERE dia > current_date - ${days}::int GROUP BY 1, 2, 3, 4, 5, 6
    ), running AS (
      SELECT *, sum(n) OVER (PARTITION BY ${cell} ORDER BY cubo) AS up_to, sum(n) OVER (PARTITION BY ${cell}) AS total FROM buckets
    )
    SELECT ${cell}, min(cubo)::int AS cubo, max(total)::int AS veces FROM running WHERE up_to >= 0.75 * total GROUP BY ${cell}`.execute(db);
  return rows;
}

/** Lists the third quartiles of 28 days; the most measured screen comes first. */
export async function listVitals(db: Db): Promise<ScreenSpeed[]> {
  const screens = new Map<string, ScreenSpeed>();
  for (const { pantalla, rol, dispositivo, medida, cubo, veces } of await quartiles(db, DAYS, false)) {
    const key = `${pantalla} ${rol} ${dispositivo}`;
    const known = screens.get(key) ?? { pantalla, rol, dispositivo, medidas: 0, lcp: null, inp: null, cls: null, filas: null };
    screens.set(key, { ...known, medidas: Math.max(known.medidas, veces), [medida]: middleOf(cubo) });
  }
  return [...screens.values()].sort((a, b) => b.medidas - a.medidas || a.pantalla.localeCompare(b.pantalla));
}

/** Third quartiles of 28 days for `/metrics`, by «screen role device measure»; ms, `cls` in thousandths. */
export const vitalsFigures = async (db: Db): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await quartiles(db, DAYS, false)).map(({ pantalla, rol, dispositivo, medida, cubo }) => [
      `${pantalla} ${rol} ${dispositivo} ${medida}`,
      middleOf(cubo),
    ]),
  );

const TIMES: Partial<Record<Measure, string>> = { lcp: 'en dibujar la pantalla', inp: 'en responder', filas: 'en mostrar los pedidos' };
/** Pages that a screen must have been measured on, in both versions, before it is compared. */
const ENOUGH = 50;

/** Throws if the running version takes a fifth longer than the one before, by the mean of its screens weighed by their use. */
export async function compareVersions(db: Db, version = VERSION): Promise<void> {
  const found = await quartiles(db, KEPT_DAYS, true);
  const { rows } = await sql<{ version: string }>`
    SELECT version FROM velocidad GROUP BY version
    HAVING min(dia) < (SELECT min(dia) FROM velocidad WHERE version = ${version}) ORDER BY min(dia) DESC, max(dia) DESC LIMIT 1`.execute(
    db,
  );
  const before = rows[0]?.version ?? '';
  const slower = Object.entries(TIMES).flatMap(([medida, words]) => {
    const cells = found.filter((cell) => cell.medida === medida && cell.veces >= ENOUGH);
    const key = ({ pantalla, rol, dispositivo }: Quartile) => `${pantalla} ${rol} ${dispositivo}`;
    const old = new Map(cells.filter((cell) => cell.version === before).map((cell) => [key(cell), cell.cubo]));
    const both = cells.filter((cell) => cell.version === version && old.has(key(cell)));
    const weight = both.reduce((sum, { veces }) => sum + veces, 0);
    const steps = both.reduce((sum, cell) => sum + (cell.cubo - (old.get(key(cell)) ?? 0)) * cell.veces, 0) / weight;
    const more = Math.round((RATIO ** steps - 1) * 100);
    return more >= 20 ? [`${more} % más ${words}`] : [];
  });
  if (slower.length) throw new DomainError(503, `la versión ${version} tarda un ${slower.join(', un ')} que la ${before}`);
}

export async function deleteOldVitals(db: Db): Promise<void> {
  await db.deleteFrom('velocidad').where('dia', '<', sql<string>`current_date - ${KEPT_DAYS}::int`).execute();
}
