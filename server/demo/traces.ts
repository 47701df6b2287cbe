import { DAY, days, HOUR } from './calendar.ts';
import type { Sold } from './catalogue.ts';
import type { Row } from './insert.ts';
import type { Draft, Step } from './life.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

/** Days of which the audit log is written. */
const AUDITED = 30;

type Entry = Row<'audit_logs'>;
type Who = { id: string | null; role: string; full_name: string };

const by = ({ id, role, full_name }: Who) => ({ actor_user_id: id, actor_role: role, actor_nombre: full_name });

/** The history of an order: each step of its life. */
export function historyOf({ row, steps }: Draft): Row<'pedidos_historial'>[] {
  return steps.map(({ at, actor, accion, from, to, nota, cambios }) => ({
    pedido_id: row.id,
    created_at: new Date(at).toISOString(),
    ...by(actor),
    accion,
    estado_anterior: from,
    estado_nuevo: to,
    nota,
    cambios,
  }));
}

/** Its payments: none or one. */
export function paymentsOf({ row, steps }: Draft): Row<'pagos'>[] {
  return steps.flatMap(({ at, nota, pago }) =>
    pago
      ? [
          {
            pedido_id: row.id,
            proveedor: pago,
            referencia: nota ?? '',
            importe_cents: row.precio_total_cents,
            created_at: new Date(at).toISOString(),
          },
        ]
      : [],
  );
}

/** What the audit log has of an order: its recent steps, in the words of server/pedidos/history.ts. */
export function auditOf({ row, steps }: Draft, now: number): Entry[] {
  const side = ({ from, to, cambios }: Step, i: 0 | 1) => ({
    ...(to ? { estado: i ? to : from } : {}),
    ...Object.fromEntries(Object.entries(cambios).map(([field, pair]) => [field, pair[i]])),
  });
  return steps
    .filter(({ at }) => at > now - AUDITED * DAY)
    .map((step) => ({
      ...entry(
        step.at,
        step.actor,
        'pedido',
        step.accion === 'Pedido creado' ? 'create' : 'update',
        'pedido',
        row.id,
        `${step.accion}: ${row.numero_orden}`,
      ),
      antes: side(step, 0),
      despues: side(step, 1),
    }));
}

/** The rest of the audit log: people signing in, purchases, an export now and then. */
export function auditOfOffice(
  people: Person[],
  catalogue: Sold[],
  movements: Row<'stock_movements'>[],
  random: Random,
  now: number,
): Entry[] {
  const entries: Entry[] = [];
  for (const { start, weekday } of days(now - AUDITED * DAY, now)) {
    for (const { row, actor, from } of people) {
      // On Sundays only the administrators look in.
      if (!row.is_active || from > start || (weekday === 0 && row.role !== 'superadmin')) continue;
      entries.push(entry(start + random.between(7.2, 8) * HOUR, actor, 'configuracion', 'login', 'session', row.id, 'Inicio de sesión'));
      if (row.role === 'superadmin' && weekday === 1) {
        entries.push(
          entry(start + random.between(10, 13) * HOUR, actor, 'exportacion', 'export', 'export', null, 'Exportación de pedidos'),
        );
      }
    }
  }
  const buyers = new Map(people.map((p) => [p.row.id, p.actor]));
  const names = new Map(catalogue.map(({ row }) => [row.id, row.name]));
  for (const { motivo, product_id, actor_user_id, created_at } of movements) {
    const buyer = buyers.get(actor_user_id ?? '');
    const at = Date.parse(created_at ?? '');
    if (motivo !== 'ajuste' || !buyer || at < now - AUDITED * DAY) continue;
    entries.push(entry(at, buyer, 'configuracion', 'update', 'product', product_id, `Producto actualizado: ${names.get(product_id)}`));
  }
  return entries.filter(({ created_at }) => Date.parse(created_at ?? '') < now);
}

function entry(
  at: number,
  who: Who,
  type: Entry['type'],
  action: string,
  entity_type: string,
  entity_id: string | null,
  description: string,
): Entry {
  return { created_at: new Date(at).toISOString(), type, action, entity_type, entity_id, description, ...by(who), antes: {}, despues: {} };
}
