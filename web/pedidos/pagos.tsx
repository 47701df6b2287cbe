import { Badge, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { devolverPago, type EstadoPago, listPagos, type Pago, POR_DEVOLVER } from '../../contract/payments.ts';
import { useApi, useMutate } from '../api.ts';
import { fechaHora, money } from '../ui/format/format.ts';
import { ErrorState } from '../ui/list/error-state.tsx';
import classes from './pagos.module.css';

const ESTADO: Record<EstadoPago, { label: string; color: string }> = {
  iniciado: { label: 'Iniciado', color: 'gray' },
  pagado: { label: 'Pagado', color: 'green' },
  rechazado: { label: 'Rechazado', color: 'gray' },
  tardio: { label: 'Pago tardío', color: 'orange' },
  duplicado: { label: 'Pago duplicado', color: 'orange' },
  devolucion_pendiente: { label: 'Devolución pendiente', color: 'orange' },
  devuelto: { label: 'Devuelto', color: 'gray' },
};
/** Why the payment must be returned. */
const REASON: Partial<Record<EstadoPago, string>> = {
  tardio: 'Llegó cuando el pedido ya estaba cancelado o eliminado: devuélvelo en el banco y anótalo aquí.',
  duplicado: 'El pedido ya estaba pagado: devuélvelo en el banco y anótalo aquí.',
  devolucion_pendiente: 'El pedido se canceló después de pagarse: devuélvelo en el banco y anótalo aquí.',
};

/** Payments of an order, newest first; those to return can be marked as returned. */
export function Pagos({ id }: { id: string }) {
  const heading = useId();
  const { data, error, refetch } = useApi(listPagos, { params: { id } });
  return (
    <section aria-labelledby={heading}>
      <Title order={3} id={heading} mb="sm">
        Pagos
      </Title>
      {error && !data && <ErrorState title="No se pudieron cargar los pagos" error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={44} role="status" aria-label="Cargando los pagos" />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          Todavía no se ha recibido ningún pago.
        </Text>
      )}
      {data && data.data.length > 0 && (
        <ul className={classes.list}>
          {data.data.map((pago) => (
            <li key={pago.id}>
              <PagoLine pago={pago} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function PagoLine({ pago }: { pago: Pago }) {
  const { label, color } = ESTADO[pago.estado];
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Badge color={color} maw="none">
          {label}
        </Badge>
        <Text fw={600} className={classes.amount}>
          {money(pago.importe)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" className={classes.words}>
        {pago.proveedor_nombre} · <time dateTime={pago.created_at}>{fechaHora(pago.created_at)}</time>
        {pago.referencia && ` · Ref. ${pago.referencia}`}
      </Text>
      {pago.estado === 'devuelto' && (
        <Text size="sm" className={classes.words}>
          Devuelto el <time dateTime={pago.updated_at}>{fechaHora(pago.updated_at)}</time>
          {pago.nota && `: «${pago.nota}»`}
        </Text>
      )}
      {POR_DEVOLVER.includes(pago.estado) && <MarkReturned pago={pago} />}
    </Stack>
  );
}

/** Records that a payment was returned, with a note. The refund itself happens at the bank. */
function MarkReturned({ pago }: { pago: Pago }) {
  const [asking, setAsking] = useState(false);
  const [nota, setNota] = useState('');
  const save = useMutate(devolverPago, { success: 'Pago marcado como devuelto', failure: 'No se pudo marcar el pago como devuelto' });

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate({ params: { id: pago.id }, body: { nota: nota.trim() || null } });
  }

  return (
    <>
      <Text size="sm">{REASON[pago.estado]}</Text>
      {asking ? (
        <form onSubmit={submit} className={classes.form} aria-label="Marcar como devuelto">
          <TextInput
            label="Nota (opcional)"
            placeholder="Cómo y cuándo se ha devuelto"
            value={nota}
            onChange={(event) => setNota(event.currentTarget.value)}
            error={save.error?.errors.nota?.[0]}
            maxLength={200}
            autoComplete="off"
            autoFocus
          />
          <Group gap="xs">
            <Button type="submit" size="sm" disabled={save.isPending}>
              {save.isPending ? 'Guardando...' : 'Marcar como devuelto'}
            </Button>
            <Button variant="default" size="sm" disabled={save.isPending} onClick={() => setAsking(false)}>
              Cancelar
            </Button>
          </Group>
        </form>
      ) : (
        <Button variant="light" size="sm" className={classes.start} onClick={() => setAsking(true)}>
          Marcar como devuelto
        </Button>
      )}
    </>
  );
}
