import { Alert, Button, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { fechaCercana, money, number } from '../../ui/format/format.ts';
import type { Ordered } from '../lineas/values.ts';
import classes from './new.module.css';
import type { Total } from './use-total.ts';

export type SummaryProps = {
  /** Lines that are filled in. */
  ordered: readonly Ordered[];
  total: Total | undefined;
  /** True if the order waits for its payment. */
  waits: boolean;
  saving: boolean;
  submit: string;
  disabled?: boolean;
  onCancel?: () => void;
  /** Rendered above the button. */
  children?: ReactNode;
};

export function Summary({ ordered, total, waits, saving, submit, disabled = false, onCancel, children }: SummaryProps) {
  const [first] = ordered;
  return (
    <Paper className={classes.summary}>
      <div className={classes.said}>
        <Title order={2} mb="sm">
          Resumen
        </Title>
        {!first ? (
          <Text c="dimmed">Elige un pack para ver el total.</Text>
        ) : (
          <dl className={ordered.length > 1 ? `${classes.lines} ${classes.several}` : classes.lines}>
            {ordered.length === 1 ? (
              <Only line={first} />
            ) : (
              ordered.map((line, i) => <One key={line.linea.key} line={line} amount={total?.lineas[i]} />)
            )}
            {!!total?.envio && (
              <>
                <dt>Envío</dt>
                <dd>{money(total.envio)}</dd>
              </>
            )}
            {total?.fecha_estimada && (
              <>
                <dt>Llega</dt>
                <dd>
                  El {fechaCercana(total.fecha_estimada)}
                  {waits && ', si se paga hoy'}
                </dd>
              </>
            )}
            {!!total?.descuento && (
              <>
                <dt>Descuento</dt>
                <dd>{money(-total.descuento)}</dd>
              </>
            )}
          </dl>
        )}
        {total?.status === 'estimated' && (
          <Alert color="orange" icon={<IconAlertTriangle size={18} />} title="No se pudo calcular el total" p="xs" mb="sm">
            {total.problem ?? 'El importe es una estimación con los precios de los packs. El definitivo se calcula al crear el pedido.'}
          </Alert>
        )}
        {children}
      </div>
      <div className={classes.foot}>
        <div className={classes.total} aria-live="polite" aria-busy={total?.status === 'pending'}>
          <span>{total?.status === 'estimated' ? 'Total estimado' : 'Total'}</span>
          <strong data-status={total?.status ?? 'pending'}>{money(total?.total)}</strong>
        </div>
        <Button type="submit" size="md" disabled={saving || disabled}>
          {saving ? 'Creando...' : submit}
        </Button>
        {onCancel && (
          <Button variant="default" size="md" disabled={saving} onClick={onCancel}>
            Cancelar
          </Button>
        )}
      </div>
    </Paper>
  );
}

function Only({ line: { words, unit, cantidad, pack } }: { line: Ordered }) {
  const units = pack && cantidad ? pack.pack_quantity * cantidad : undefined;
  return (
    <>
      <dt>Producto</dt>
      <dd>{words}</dd>
      <dt>Cantidad</dt>
      <dd>
        {number(cantidad)} {pack && (cantidad === 1 ? 'pack' : 'packs')}
        {units !== undefined && units !== cantidad && ` · ${number(units)} unidades`}
      </dd>
      <dt>{pack ? 'Precio del pack' : 'Precio unitario'}</dt>
      <dd>{money(unit)}</dd>
    </>
  );
}

const One = ({ line: { words, cantidad, total }, amount = total }: { line: Ordered; amount: number | undefined }) => (
  <Fragment>
    <dt>
      {number(cantidad)} × {words}
    </dt>
    <dd>{money(amount)}</dd>
  </Fragment>
);
