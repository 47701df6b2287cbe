import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { Actor } from '../../contract/policy.ts';
import type { Tables } from '../db/schema.ts';

type Where = (eb: ExpressionBuilder<Tables, 'pedidos'>) => ExpressionWrapper<Tables, 'pedidos', SqlBool>;

/** The rows an actor may read: the SQL twin of `can(actor, 'pedido:read', row)`. */
export function visible(actor: Actor): Where {
  return (eb) => {
    if (actor.role === 'superadmin' || actor.role === 'sistema') return eb.and([]);
    if (actor.role === 'revendedor') return eb.and([eb('pedidos.deleted_at', 'is', null), eb('pedidos.revendedor_id', '=', actor.id)]);
    return eb.and([eb('pedidos.deleted_at', 'is', null), eb.or([eb('pedidos.transportista_id', '=', actor.id), available(eb)])]);
  };
}

/** The rows of an actor's own lists: everybody's living orders, the reseller's own, or the carrier's own. */
export function own(actor: Actor): Where {
  return (eb) => {
    const alive = eb('pedidos.deleted_at', 'is', null);
    if (actor.role === 'revendedor') return eb.and([alive, eb('pedidos.revendedor_id', '=', actor.id)]);
    if (actor.role === 'transportista') return eb.and([alive, eb('pedidos.transportista_id', '=', actor.id)]);
    return eb.and([alive]);
  };
}

/** Pending and nobody's: what a carrier may take. */
export function available(eb: ExpressionBuilder<Tables, 'pedidos'>) {
  return eb.and([eb('pedidos.estado', '=', sql.lit('pendiente')), eb('pedidos.transportista_id', 'is', null)]);
}
