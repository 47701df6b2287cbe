import { auditOf } from '../server/pedidos/historia/history.ts';
import { DAY, days, HOUR } from './calendar.ts';
import type { Sold } from './catalogue.ts';
import type { Row } from './insert.ts';
import type { Draft } from './life.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

const AUDITED = 30;

type Entry = Row<'audit_logs'>;
type Who = { id: string | null; role: string; full_name: string };

const instant = (at: number) => new Date(at).toISOString();

export const historyRows = ({ steps }: Draft): Row<'pedidos_historial'>[] =>
  steps.map(({ at, historial }) => ({ ...historial, created_at: instant(at) }));

export const paymentRows = ({ row, steps }: Draft): Row<'pagos'>[] =>
  steps.flatMap(({ at, historial, pago }) =>
    pago
      ? [
          {
            pedido_id: row.id,
            proveedor: pago,
            referencia: historial.nota ?? '',
            importe_cents: row.precio_total_cents,
            created_at: instant(at),
          },
        ]
      : [],
  );

export function offerRows({ row, steps }: Draft): Row<'notifications'>[] {
  if (row.estado !== 'pendiente') return [];
  const texto = `Pedido disponible: ${row.numero_orden} (${row.cliente_nombre})`;
  const at = steps.at(-1)?.at ?? Date.parse(row.fecha_pedido);
  return [
    { role: 'transportista', tipo: 'pedido_disponible', texto, enlace: '/pedidos-disponibles', pedido_id: row.id, created_at: instant(at) },
  ];
}

export const auditRows = ({ row, steps }: Draft, now: number): Entry[] =>
  steps
    .filter(({ at }) => at > now - AUDITED * DAY)
    .map(({ at, action, historial }) => {
      const { actor_user_id, actor_role, actor_nombre } = historial;
      return { ...auditOf(historial, action, row.numero_orden), created_at: instant(at), actor_user_id, actor_role, actor_nombre };
    });

export function officeRows(people: Person[], catalogue: Sold[], movements: Row<'stock_movements'>[], random: Random, now: number): Entry[] {
  const entries: Entry[] = [];
  for (const { start, weekday } of days(now - AUDITED * DAY, now)) {
    for (const { row, actor, from } of people) {
      if (!row.is_active || from > start || (weekday === 0 && row.role !== 'superadmin')) continue;
      entries.push(entry(start + random.between(7.2, 8) * HOUR, actor, { ...LOGIN, entity_id: row.id }));
      if (row.role === 'superadmin' && weekday === 1) entries.push(entry(start + random.between(10, 13) * HOUR, actor, EXPORT));
    }
  }
  const buyers = new Map(people.map((p) => [p.row.id, p.actor]));
  const names = new Map(catalogue.map(({ row }) => [row.id, row.name]));
  for (const { motivo, product_id, actor_user_id, created_at } of movements) {
    const buyer = buyers.get(actor_user_id ?? '');
    const at = Date.parse(created_at ?? '');
    if (motivo !== 'ajuste' || !buyer || at < now - AUDITED * DAY) continue;
    const description = `Producto actualizado: ${names.get(product_id)}`;
    entries.push(entry(at, buyer, { type: 'configuracion', action: 'update', entity_type: 'product', entity_id: product_id, description }));
  }
  return entries.filter(({ created_at }) => Date.parse(created_at ?? '') < now);
}

const LOGIN = { type: 'configuracion', action: 'login', entity_type: 'session', description: 'Inicio de sesión' } as const;
const EXPORT = {
  type: 'exportacion',
  action: 'export',
  entity_type: 'export',
  entity_id: null,
  description: 'Exportación de pedidos',
} as const;

type What = Pick<Entry, 'type' | 'action' | 'entity_type' | 'entity_id' | 'description'>;
const entry = (at: number, { id, role, full_name }: Who, what: What): Entry => ({
  ...what,
  created_at: instant(at),
  actor_user_id: id,
  actor_role: role,
  actor_nombre: full_name,
  antes: {},
  despues: {},
});
