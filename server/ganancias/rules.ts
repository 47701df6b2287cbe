import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { GANA_POR, type Gana, isGana } from '../../contract/liquidaciones/fields.ts';
import type { Reglas, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, ROLE_LABEL, rolesOf } from '../../contract/policy/policy.ts';
import { ZONAS, type Zona } from '../../contract/zonas/zonas.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { DomainError, invalid, notFound, refuseStale } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { updatePerson } from '../session/sessions.ts';

export type Earner = { id: string; full_name: string; role: Gana; iban: string | null; titular: string | null; version: number };

/** Returns a reseller or carrier. Throws 404 for an unknown or deleted person, 422 for another role. */
export async function findEarner(db: Db | Tx, id: string, lock = false): Promise<Earner> {
  const found = db
    .selectFrom('users')
    .select(['id', 'full_name', 'role', 'iban', 'titular', 'version'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  const person = await (lock ? found.forNoKeyUpdate() : found).executeTakeFirst();
  if (!person) throw notFound();
  const { role } = person;
  if (!isGana(role)) throw new DomainError(422, `Un ${ROLE_LABEL[role].toLowerCase()} no gana nada por pedido`);
  return { ...person, role };
}

/** Returns the current rules of a person, in euros or per cent. Throws like `findEarner`. */
export async function readRules(db: Db | Tx, id: string): Promise<Reglas> {
  const { role, iban, titular, version } = await findEarner(db, id);
  const margen = await db.selectFrom('margenes').select(['tipo', 'valor']).where('user_id', '=', id).executeTakeFirst();
  const tarifas = await db.selectFrom('tarifas').select(['zona', 'entrega_cents', 'intento_cents']).where('user_id', '=', id).execute();
  const euros = (cents: number | null) => (cents === null ? null : toEuros(cents));
  return {
    role,
    iban,
    titular,
    version,
    margen: margen ? { ...margen, valor: toEuros(margen.valor) } : null,
    tarifas: (Object.keys(ZONAS) as Zona[]).flatMap((zona) => {
      const found = tarifas.find((tarifa) => tarifa.zona === zona);
      return found ? [{ zona, entrega: euros(found.entrega_cents), intento: euros(found.intento_cents) }] : [];
    }),
  };
}

/** Sets margin or fees, and the account; past earnings stay. Throws like `findEarner`, 422 for rules of the other role, 409 if stale. */
export async function setRules(db: Db, actor: Actor, id: string, input: BodyOut<typeof setGanancia>): Promise<Reglas> {
  const { margen, tarifas, iban, titular } = input;
  return transact(db, async (tx) => {
    const person = await findEarner(tx, id, true);
    refuseStale(person, input.version, 'lo que gana');
    if (GANA_POR[person.role] === 'margen') {
      if (tarifas !== undefined) throw invalid('tarifas', 'Un revendedor gana un margen, no tarifas');
      if (margen === undefined) throw invalid('margen', 'Indica el margen');
    } else {
      if (margen !== undefined) throw invalid('margen', 'Un transportista gana tarifas, no un margen');
      if (tarifas === undefined) throw invalid('tarifas', 'Indica las tarifas');
    }
    const antes = await readRules(tx, id);
    await tx.deleteFrom('margenes').where('user_id', '=', id).execute();
    if (margen)
      await tx
        .insertInto('margenes')
        .values({ ...margen, user_id: id, valor: toCents(margen.valor) })
        .execute();
    await tx.deleteFrom('tarifas').where('user_id', '=', id).execute();
    const cents = (euros: number | null) => (euros === null ? null : toCents(euros));
    const rows = (tarifas ?? [])
      .map(({ zona, entrega, intento }) => ({ user_id: id, zona, entrega_cents: cents(entrega), intento_cents: cents(intento) }))
      .filter(({ entrega_cents, intento_cents }) => entrega_cents !== null || intento_cents !== null);
    if (rows.length) await tx.insertInto('tarifas').values(rows).execute();
    await updatePerson(tx, id, {
      version: person.version + 1,
      ...(iban !== undefined && { iban }),
      ...(titular !== undefined && { titular }),
    });
    const despues = await readRules(tx, id);
    await audit(tx, actor, {
      type: person.role,
      action: 'update',
      entity_type: 'profile',
      entity_id: id,
      description: `Lo que gana ${person.full_name}, cambiado`,
      antes: asLogged(antes),
      despues: asLogged(despues),
    });
    emit(tx, { topic: 'users', roles: rolesOf('user:manage') });
    return despues;
  });
}

// Redacts the IBAN: more people read the log than should see a bank account.
export const asLogged = ({ role, margen, tarifas, iban, titular }: Reglas): Record<string, unknown> => ({
  iban: iban && `…${iban.slice(-4)}`,
  titular,
  ...(GANA_POR[role] === 'margen'
    ? { margen: margen && `${margen.valor} ${margen.tipo === 'pack' ? '€ por pack' : '%'}` }
    : { tarifas: tarifas.map(({ zona, entrega, intento }) => `${ZONAS[zona].label}: ${entrega ?? '—'} € / ${intento ?? '—'} €`) }),
});

/** Today in the business's time zone, as SQL. */
export const TODAY = sql<string>`dia_negocio(now())`;
