import { Badge, Box, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { type EstadoPago, isByHand, POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { anularPago, devolverPago, listPagos, type Pago } from '../../../contract/payments/payments.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi, useMutate } from '../../api.ts';
import { fecha, fechaHora, money } from '../../ui/format/format.ts';
import classes from '../../ui/list/entries.module.css';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { Section } from '../../ui/page/section.tsx';
import { NotePago, StartNote } from './note-pago.tsx';
import { Overpaid } from './overpaid.tsx';
import { PaymentActions } from './payment-actions.tsx';

const ESTADO: Record<EstadoPago, { label: string; color: string }> = {
  iniciado: { label: 'Iniciado', color: 'gray' },
  pagado: { label: 'Pagado', color: 'green' },
  rechazado: { label: 'Rechazado', color: 'gray' },
  anulado: { label: 'Anulado', color: 'gray' },
  tardio: { label: 'Pago tardío', color: 'orange' },
  duplicado: { label: 'Pago duplicado', color: 'orange' },
  devolucion_pendiente: { label: 'Reembolso pendiente', color: 'orange' },
  devuelto: { label: 'Reembolsado', color: 'gray' },
};
/** Reason why a payment must be refunded. */
const REASON: Partial<Record<EstadoPago, string>> = {
  tardio: 'Llegó cuando el pedido ya estaba cancelado o eliminado: reembólsalo en el banco y anótalo aquí.',
  duplicado: 'El pedido ya estaba pagado: reembólsalo en el banco y anótalo aquí.',
  devolucion_pendiente: 'El pedido se canceló después de pagarse: reembólsalo en el banco y anótalo aquí.',
};

type Props = {
  pedido: Pedido;
  /** True to open the form of a refund at once. */
  start?: boolean;
  /** True if «Anotar pago» is already the order's next step. */
  noted?: boolean;
};

/** Payments of an order, newest first. Records, annuls and refunds payments, and offers the payment link for the amount due. */
export function Pagos({ pedido, start = false, noted = false }: Props) {
  const { data, error, refetch } = useApi(listPagos, { params: { id: pedido.id } });
  const [noting, setNoting] = useState(false);
  const due = pedido.deleted_at ? 0 : pedido.pendiente;
  return (
    <Section title="Pagos" order={3} mb="sm">
      {due > 0 && (
        <Stack gap="sm" mb="sm">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {pedido.pagado > 0 && `Pagado ${money(pedido.pagado)} de ${money(pedido.precio_total)}. `}
              Faltan por pagar <strong>{money(due)}</strong>.
            </Text>
            {!noting && !noted && <StartNote onClick={() => setNoting(true)} />}
          </Group>
          {pedido.transferencia_avisada_at && (
            <Text size="sm">
              El cliente dijo el {fechaHora(pedido.transferencia_avisada_at)} que ha hecho la transferencia. Comprueba que ha llegado y
              anótala.
            </Text>
          )}
          {noting && <NotePago pedido={pedido} onDone={() => setNoting(false)} />}
          {pedido.payment_link && <LinkActions pedido={pedido} link={pedido.payment_link} />}
        </Stack>
      )}
      <Overpaid key={`sobra ${pedido.por_reembolsar}`} pedido={pedido} start={start} />
      {error && !data && <ErrorState title="No se pudieron cargar los pagos" error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={44} role="status" aria-label="Cargando los pagos" />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          Todavía no se ha anotado ningún pago.
        </Text>
      )}
      {data && data.data.length > 0 && (
        <ul className={classes.list}>
          {data.data.map((pago) => (
            <li key={pago.id}>
              <PagoLine pago={pago} start={start} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Actions of the payment link, folded so that recording a payment stays the main button. */
function LinkActions({ pedido, link }: { pedido: Pedido; link: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Chevron size={16} stroke={1.8} aria-hidden />}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Enlace de pago
      </Button>
      <Box id={id} hidden={!open} mt="xs">
        {open && <PaymentActions pedido={pedido} link={link} quiet />}
      </Box>
    </div>
  );
}

function PagoLine({ pago, start }: { pago: Pago; start: boolean }) {
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
        {pago.proveedor_nombre} · <time dateTime={pago.fecha}>{fecha(pago.fecha)}</time>
        {pago.referencia && ` · Ref. ${pago.referencia}`}
      </Text>
      {pago.devuelto > 0 && (
        <Text size="sm" className={classes.words}>
          Reembolsados {money(pago.devuelto)} que sobraban{pago.estado === 'pagado' && pago.nota && `: «${pago.nota}»`}
        </Text>
      )}
      {pago.estado === 'anulado' && pago.nota && (
        <Text size="sm" className={classes.words}>
          Anulado: «{pago.nota}»
        </Text>
      )}
      {pago.estado === 'devuelto' && (
        <Text size="sm" className={classes.words}>
          Reembolsado el <time dateTime={pago.updated_at}>{fechaHora(pago.updated_at)}</time>
          {pago.nota && `: «${pago.nota}»`}
        </Text>
      )}
      {POR_DEVOLVER.includes(pago.estado) && <Close pago={pago} how="devolver" start={start} />}
      {pago.estado === 'pagado' && isByHand(pago.proveedor) && pago.devuelto === 0 && <Close pago={pago} how="anular" />}
    </Stack>
  );
}

const HOW = {
  devolver: {
    label: 'Marcar como reembolsado',
    field: 'Nota (opcional)',
    placeholder: 'Cómo y cuándo se ha reembolsado',
    success: 'Pago marcado como reembolsado',
    failure: 'No se pudo marcar el pago como reembolsado',
  },
  anular: {
    label: 'Anular',
    field: 'Motivo',
    placeholder: 'Por qué se anotó por error',
    success: 'Pago anulado',
    failure: 'No se pudo anular el pago',
  },
};

const LOOK = { devolver: { variant: 'light' }, anular: { variant: 'subtle', color: 'red' } };

/** Records that a payment was refunded, or recorded by mistake. The refund itself happens at the bank. */
function Close({ pago, how, start = false }: { pago: Pago; how: keyof typeof HOW; start?: boolean }) {
  const [asking, setAsking] = useState(start);
  const [nota, setNota] = useState('');
  const { label, field, placeholder, success, failure } = HOW[how];
  const giveBack = useMutate(devolverPago, { success, failure });
  const annul = useMutate(anularPago, { success, failure });
  const busy = giveBack.isPending || annul.isPending;
  const errors = giveBack.error?.errors.nota ?? annul.error?.errors.motivo;

  function submit(event: FormEvent) {
    event.preventDefault();
    const params = { id: pago.id };
    if (how === 'devolver') giveBack.mutate({ params, body: { nota: nota.trim() || null } });
    else annul.mutate({ params, body: { motivo: nota.trim() } });
  }

  return (
    <>
      {REASON[pago.estado] && <Text size="sm">{REASON[pago.estado]}</Text>}
      {asking ? (
        <form onSubmit={submit} className={classes.form} aria-label={label} noValidate>
          <TextInput
            label={field}
            placeholder={placeholder}
            value={nota}
            onChange={(event) => setNota(event.currentTarget.value)}
            error={errors?.[0]}
            withAsterisk={how === 'anular'}
            aria-required={how === 'anular' || undefined}
            maxLength={200}
            autoComplete="off"
            autoFocus
          />
          <Group gap="xs">
            <Button type="submit" size="sm" disabled={busy} color={how === 'anular' ? 'red' : undefined}>
              {busy ? 'Guardando...' : label}
            </Button>
            <Button variant="default" size="sm" disabled={busy} onClick={() => setAsking(false)}>
              {how === 'anular' ? 'Volver' : 'Cancelar'}
            </Button>
          </Group>
        </form>
      ) : (
        <Button {...LOOK[how]} size="sm" className={classes.start} onClick={() => setAsking(true)}>
          {label}
        </Button>
      )}
    </>
  );
}
