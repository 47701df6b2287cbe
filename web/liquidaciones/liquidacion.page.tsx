import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/Paper.css';
import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconCheck, IconFileTypeCsv, IconFileTypePdf, IconRotate } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import {
  despagarLiquidacion,
  getLiquidacion,
  type Liquidacion,
  liquidacionCsv,
  liquidacionPdf,
  pagarLiquidacion,
} from '../../contract/liquidaciones/liquidaciones.ts';
import { can } from '../../contract/policy/policy.ts';
import { useApi, useMutate } from '../api.ts';
import { CashHeld, useHeld } from '../caja/held.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, onValid, ReasonForm, useReason } from '../ui/form/form-actions.tsx';
import { fecha, money } from '../ui/format/format.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { ErrorState } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { GananciaList } from './line-list.tsx';
import { PaymentFields, usePaymentForm } from './payment-form.tsx';
import { PaidBadge } from './statements.tsx';

export default function LiquidacionPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ page }, set] = useSearchState({ page: 1 });
  const { data, error, refetch, isPlaceholderData } = useApi(getLiquidacion, { params: { id }, query: { page } }, { keepPrevious: true });
  const liquidacion = data?.liquidacion;
  if (!liquidacion) {
    return (
      <>
        <PageHeader title="Liquidación" />
        {error ? (
          <ErrorState title="No se pudo cargar la liquidación" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton h={320} role="status" aria-label="Cargando..." />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={`Liquidación ${liquidacion.numero}`}
        subtitle={`${liquidacion.persona_nombre} · ${mesEnPalabras(liquidacion.mes)}`}
        actions={<Actions liquidacion={liquidacion} />}
      />
      <Stack gap="md">
        <Facts {...liquidacion} />
        <GananciaList
          label="Líneas de la liquidación"
          lines={data.lineas}
          empty={{ title: 'No hay nada en esta página' }}
          error={error}
          onRetry={() => void refetch()}
          busy={isPlaceholderData}
          onPage={(next) => set({ page: next })}
        />
      </Stack>
    </>
  );
}

function Facts({ user_id, total, num_lineas, created_at, pagada_el, pago_referencia }: Liquidacion) {
  const own = useSession().id === user_id;
  const held = useHeld(user_id).get(user_id);
  return (
    <Paper p="md">
      <Group justify="space-between" gap="sm">
        <div>
          <Text c="dimmed">Total</Text>
          <Text fz="h1" fw={600} lh={1.2}>
            {money(total)}
          </Text>
          <Text c="dimmed">
            {plural(num_lineas, 'línea')}, cerrada el {fecha(created_at)}
          </Text>
          <CashHeld held={held} own={own} />
        </div>
        <Stack gap={4} align="flex-end">
          <PaidBadge pagada_el={pagada_el} />
          {pago_referencia && (
            <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {pago_referencia}
            </Text>
          )}
        </Stack>
      </Group>
    </Paper>
  );
}

function Actions({ liquidacion }: { liquidacion: Liquidacion }) {
  const actor = useSession();
  // Kept apart from the statement, so that the dialog does not change its content while it fades out.
  const [dialog, setDialog] = useState({ opened: false, unpay: false });
  const { id, numero, pagada_el } = liquidacion;
  const file = (name: string, path: string, Icon: typeof IconFileTypePdf) => (
    <Button
      component="a"
      href={path.replace(':id', id)}
      download={`${numero}.${name.toLowerCase()}`}
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      aria-label={`Descargar en ${name}`}
    >
      {name}
    </Button>
  );
  return (
    <>
      {file('PDF', liquidacionPdf.path, IconFileTypePdf)}
      {file('CSV', liquidacionCsv.path, IconFileTypeCsv)}
      {can(actor, 'liquidacion:manage') && (
        <>
          <Button
            variant={pagada_el ? 'default' : 'filled'}
            leftSection={pagada_el ? <IconRotate size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
            onClick={() => setDialog({ opened: true, unpay: pagada_el !== null })}
          >
            {pagada_el ? 'Quitar el pago' : 'Marcar como pagada'}
          </Button>
          <PaidDialog liquidacion={liquidacion} {...dialog} onClose={() => setDialog((now) => ({ ...now, opened: false }))} />
        </>
      )}
    </>
  );
}

type Props = { liquidacion: Liquidacion; opened: boolean; unpay: boolean; onClose: () => void };
type Inner = InDialog & { liquidacion: Liquidacion; onDone: () => void };

function PaidDialog({ liquidacion, opened, unpay, onClose }: Props) {
  const title = unpay ? 'Quitar el pago' : 'Marcar como pagada';
  return (
    <FormDialog opened={opened} onClose={onClose} title={`${title}: ${liquidacion.numero}`} fillsPhone={false}>
      {(inDialog) =>
        unpay ? (
          <UnpayForm liquidacion={liquidacion} onDone={onClose} {...inDialog} />
        ) : (
          <PayForm liquidacion={liquidacion} onDone={onClose} {...inDialog} />
        )
      }
    </FormDialog>
  );
}

function PayForm({ liquidacion: { id, version, persona_nombre, total }, onDone, dirty, onCancel }: Inner) {
  const form = usePaymentForm();
  const save = useMutate(pagarLiquidacion, {
    form,
    failure: 'No se pudo marcar como pagada',
    onSuccess: onDone,
    onError: ({ status }) => status === 409 && onDone(),
  });
  const submit = onValid(form, (body) => save.mutate({ params: { id }, body: { ...body, version } }));
  return (
    <DialogForm onSubmit={submit} submit="Marcar como pagada" busy={save.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <Text>
        {money(total)} a {persona_nombre}, a quien se avisa.
      </Text>
      <PaymentFields form={form} example="Transferencia…" />
    </DialogForm>
  );
}

function UnpayForm({ liquidacion: { id, version }, onDone, ...inDialog }: Inner) {
  const form = useReason();
  const save = useMutate(despagarLiquidacion, {
    form,
    failure: 'No se pudo quitar el pago',
    onSuccess: onDone,
    onError: ({ status }) => status === 409 && onDone(),
  });
  const unpay = (motivo: string) => save.mutate({ params: { id }, body: { motivo, version } });
  return (
    <ReasonForm {...inDialog} form={form} submit="Quitar el pago" busy={save.isPending} onReason={unpay}>
      <Text>Vuelve a estar por pagar. El motivo queda en el registro.</Text>
    </ReasonForm>
  );
}
