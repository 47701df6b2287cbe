import { Alert, Button, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Pack } from '../../../contract/products.ts';
import { money, number } from '../../ui/format/format.ts';
import { packLabel } from '../pack-picker.tsx';
import classes from './new.module.css';
import type { Total } from './use-total.ts';

export type SummaryProps = {
  pack: Pack | undefined;
  cantidad: number | undefined;
  total: Total | undefined;
  saving: boolean;
  /** Label of the submit button. */
  submit: string;
  disabled?: boolean;
  onCancel?: () => void;
  /** Rendered above the button. */
  children?: ReactNode;
};

/** Contents and cost of the order, with the submit button. */
export function Summary({ pack, cantidad, total, saving, submit, disabled = false, onCancel, children }: SummaryProps) {
  const units = pack && cantidad ? pack.pack_quantity * cantidad : undefined;
  return (
    <Paper p="md" className={classes.summary}>
      <Title order={2} mb="sm">
        Resumen
      </Title>
      {pack ? (
        <dl className={classes.lines}>
          <dt>Producto</dt>
          <dd>{packLabel(pack)}</dd>
          <dt>Cantidad</dt>
          <dd>
            {number(cantidad)} {cantidad === 1 ? 'pack' : 'packs'}
            {units !== undefined && units !== cantidad && ` · ${number(units)} unidades`}
          </dd>
          <dt>Precio del pack</dt>
          <dd>{money(total?.unitPrice ?? pack.pack_price)}</dd>
        </dl>
      ) : (
        <Text size="sm" c="dimmed">
          Elige un pack para ver el total.
        </Text>
      )}
      <div className={classes.total} aria-live="polite" aria-busy={total?.status === 'pending'}>
        <span>{total?.status === 'estimated' ? 'Total estimado' : 'Total'}</span>
        <strong data-status={total?.status ?? 'pending'}>{money(total?.total)}</strong>
      </div>
      {total?.status === 'estimated' && (
        <Alert variant="light" color="orange" icon={<IconAlertTriangle size={18} />} title="No se pudo calcular el total" p="xs" mb="sm">
          El importe es una estimación: precio del pack por la cantidad. El definitivo se calcula al crear el pedido.
        </Alert>
      )}
      {children}
      <Button type="submit" size="md" fullWidth disabled={saving || disabled}>
        {saving ? 'Creando...' : submit}
      </Button>
      {onCancel && (
        <Button variant="default" size="md" fullWidth mt="xs" disabled={saving} onClick={onCancel}>
          Cancelar
        </Button>
      )}
    </Paper>
  );
}
