import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { crearAjuste, Ganancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { DomainError, invalid } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { earnerOf } from './rules.ts';

/** Adds a manual line (euros) to the person's next statement. Throws 422 unless the person is a reseller or a carrier. */
export const adjust = async (db: Db, actor: Actor, { user_id, importe, nota }: BodyOut<typeof crearAjuste>): Promise<Ganancia> =>
  transact(db, async (tx) => {
    const person = await earnerOf(tx, user_id).catch((error: unknown) => {
      throw error instanceof DomainError ? invalid('user_id', 'Elige un revendedor o un transportista') : error;
    });
    const cents = toCents(importe);
    const { id, dia } = await tx
      .insertInto('ganancias')
      .values({ user_id, concepto: 'ajuste', cents, nota })
      .returning(['id', 'dia'])
      .executeTakeFirstOrThrow();
    await audit(tx, actor, {
      type: person.role,
      action: 'create',
      entity_type: 'liquidacion',
      description: `Ajuste de ${person.full_name}: ${nota}`,
      despues: { importe_cents: cents },
    });
    emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:manage'), users: [user_id] });
    const line = { numero_orden: null, pedido_id: null, ciudad: null, zona: null, detalle: null };
    return { id, dia, concepto: 'ajuste', ...line, nota, importe: toEuros(cents) };
  });
