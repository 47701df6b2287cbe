import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Movimiento } from '../../contract/products/products.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import classes from './ledger.module.css';

const MOTIVO: Record<string, string> = {
  inicial: 'Stock inicial',
  ajuste: 'Ajuste',
  pedido: 'Pedido',
  devolucion: 'Devolución al stock',
  restauracion: 'Pedido restaurado',
  retorno: 'Devolución de un cliente',
  retorno_anulado: 'Devolución anulada',
};

/** Formats units with their sign: `+12`, `−3`. */
const signed = (units: number) => `${units < 0 ? '−' : '+'}${number(Math.abs(units))}`;

export function MovimientoRow({ movimiento }: { movimiento: Movimiento }) {
  const { unidades, motivo, nota, actor_nombre, created_at, pedido_id, numero_orden } = movimiento;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Text size="sm" fw={600}>
          {MOTIVO[motivo] ?? motivo}
          {pedido_id && numero_orden && (
            <>
              {' '}
              <Anchor component={Link} to={`/pedidos/${pedido_id}`} inherit>
                {numero_orden}
              </Anchor>
            </>
          )}
        </Text>
        {nota && <Text size="sm">{nota}</Text>}
        <Text size="xs" c="dimmed">
          {actor_nombre} · {fechaHora(created_at)}
        </Text>
      </div>
      <Text fw={600} className={classes.amount} c={unidades < 0 ? 'var(--mantine-color-error)' : undefined}>
        {signed(unidades)}
      </Text>
    </li>
  );
}
