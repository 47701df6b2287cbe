import { ActionIcon, Badge, Box, Button, Group, Menu, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { type EstadoPago, isByHand, POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { anularPago, devolverPago, listPagos, type Pago } from '../../../contract/payments/payments.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi, useMutate } from '../../api.ts';
import { fecha, fechaHora, money } from '../../ui/format/format.ts';
import classes from '../../ui/list/entries.module.css';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { FoldButton } from '../../ui/page/fold-button.tsx';
import { Section } from '../../ui/page/panel.tsx';
import { Overpaid } from './note-pago.tsx';
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
const REASON: Partial<Record<EstadoPago, string>> = {
  tardio: 'Llegó cuando el pedido ya estaba cancelado o eliminado: reembólsalo en el banco y anótalo aquí.',
  duplicado: 'El pedido ya estaba pagado: reembólsalo en el banco y anótalo aquí.',
  devolucion_pendiente: 'El pedido se canceló después de pagarse: reembólsalo en el banco y anótalo aquí.',
};

type Props = {
  pedido: Pedido;
  /** True to open the form of a refund at once. */
  start?: boolean;
};

/** Payments of an order, newest first. Annuls and refunds payments, and offers the payment link for the amount due. */
export function Pagos({ pedido, start = false }: Props) {
  const { data, error, refetch } = useApi(listPagos, { params: { id: pedido.id } });
  const linked = !pedido.deleted_at && pedido.pendiente > 0 && pedido.payment_link;
  // The order's sums say that nothing is paid.
  if (data?.data.length === 0 && !linked && pedido.por_reembolsar === 0) return null;
  return (
    <Section title="Pagos" order={3} mb="xs">
      <Overpaid key={`sobra ${pedido.por_reembolsar}`} pedido={pedido} start={start} />
      {error && !data && <ErrorState title="No se pudieron cargar los pagos" error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={44} role="status" aria-label="Cargando los pagos" />}
      {data && data.data.length > 0 && (
        <ul className={classes.list}>
          {data.data.map((pago) => (
            <li key={pago.id}>
              <PagoLine pago={pago} start={start} alone={pago.importe === pedido.pagado} />
            </li>
          ))}
        </ul>
      )}
      {linked && <LinkActions pedido={pedido} link={linked} />}
    </Section>
  );
}

/** Actions of the payment link, folded so that recording a payment stays the main button. */
function LinkActions({ pedido, link }: { pedido: Pedido; link: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <FoldButton label="Enlace de pago" open={open} controls={id} onClick={() => setOpen(!open)} />
      <Box id={id} hidden={!open} mt="xs">
        {open && <PaymentActions pedido={pedido} link={link} quiet />}
      </Box>
    </div>
  );
}

/** `alone`: the order's sums say the same amount. */
function PagoLine({ pago, start, alone }: { pago: Pago; start: boolean; alone: boolean }) {
  const { label, color } = ESTADO[pago.estado];
  const [annulling, setAnnulling] = useState(false);
  const annuls = pago.estado === 'pagado' && isByHand(pago.proveedor) && pago.devuelto === 0;
  return (
    <Stack gap={4}>
      <Group wrap="nowrap">
        <Text className={classes.words} flex={1}>
          {pago.proveedor_nombre} · <time dateTime={pago.fecha}>{fecha(pago.fecha)}</time>
          {pago.referencia && ` · Ref. ${pago.referencia}`}
        </Text>
        {pago.estado !== 'pagado' && (
          <Badge color={color} maw="none">
            {label}
          </Badge>
        )}
        {!alone && (
          <Text fw={600} className={classes.amount}>
            {money(pago.importe)}
          </Text>
        )}
        {annuls && !annulling && (
          <Menu>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Acciones del pago de ${money(pago.importe)}`}>
                <IconDotsVertical size={16} stroke={1.8} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item c="var(--mantine-color-error)" onClick={() => setAnnulling(true)}>
                Anular
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {pago.devuelto > 0 && (
        <Text className={classes.words}>
          Reembolsados {money(pago.devuelto)} que sobraban{pago.estado === 'pagado' && pago.nota && `: «${pago.nota}»`}
        </Text>
      )}
      {pago.estado === 'anulado' && pago.nota && <Text className={classes.words}>Anulado: «{pago.nota}»</Text>}
      {pago.estado === 'devuelto' && (
        <Text className={classes.words}>
          Reembolsado el <time dateTime={pago.updated_at}>{fechaHora(pago.updated_at)}</time>
          {pago.nota && `: «${pago.nota}»`}
        </Text>
      )}
      {POR_DEVOLVER.includes(pago.estado) && <GiveBack pago={pago} start={start} />}
      {annulling && <Close pago={pago} how="anular" onCancel={() => setAnnulling(false)} />}
    </Stack>
  );
}

/** Why a payment must be refunded; the form opens from the order's step «Anotar el reembolso». */
function GiveBack({ pago, start }: { pago: Pago; start: boolean }) {
  const [asking, setAsking] = useState(start);
  return (
    <>
      <Text>{REASON[pago.estado]}</Text>
      {asking && <Close pago={pago} how="devolver" onCancel={() => setAsking(false)} />}
    </>
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

/** Records that a payment was refunded, or recorded by mistake. The refund itself happens at the bank. */
function Close({ pago, how, onCancel }: { pago: Pago; how: keyof typeof HOW; onCancel: () => void }) {
  const [nota, setNota] = useState('');
  const { label, field, placeholder, success, failure } = HOW[how];
  const giveBack = useMutate(devolverPago, { success, failure });
  const annul = useMutate(anularPago, { success, failure, onSuccess: onCancel });
  const busy = giveBack.isPending || annul.isPending;
  const errors = giveBack.error?.errors.nota ?? annul.error?.errors.motivo;

  function submit(event: FormEvent) {
    event.preventDefault();
    const params = { id: pago.id };
    if (how === 'devolver') giveBack.mutate({ params, body: { nota: nota.trim() || null } });
    else annul.mutate({ params, body: { motivo: nota.trim() } });
  }

  return (
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
      <Group>
        <Button type="submit" disabled={busy} color={how === 'anular' ? 'red' : undefined}>
          {busy ? 'Guardando...' : label}
        </Button>
        <Button variant="default" disabled={busy} onClick={onCancel}>
          {how === 'anular' ? 'Volver' : 'Cancelar'}
        </Button>
      </Group>
    </form>
  );
}
