import { Anchor, Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useImperativeHandle, useState } from 'react';
import { listAbonos, listExtractos } from '../../contract/banco/banco.ts';
import { isBack, type Resolucion } from '../../contract/payments/fields.ts';
import { listPagosPorRevisar, type PagoPorRevisar, resolverPago } from '../../contract/payments/payments.ts';
import { useApi, useMutate } from '../api.ts';
import { BankMovements } from '../banco/bank-movements.tsx';
import { fechaHora, money, parseNumber, showNumber } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import { focusList } from '../ui/list/focus-list.ts';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader } from '../ui/page/panel.tsx';
import '@mantine/core/styles/Radio.css';
import { useForm } from '@mantine/form';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';

const CAUSE: Record<PagoPorRevisar['causa'], string> = {
  desconocido: 'No es de ningún pedido conocido',
  importe: 'El importe no es el que se debe',
  moneda: 'No es en euros',
  reembolso: 'Se ha reembolsado desde la pasarela',
  disputa: 'El cliente ha reclamado el cobro a su banco',
  disputa_perdida: 'El banco ha devuelto el cobro al cliente',
};
const amount = ({ importe, moneda }: PagoPorRevisar) =>
  moneda === 'EUR' ? money(importe) : `${importe?.toLocaleString('es-ES', { minimumFractionDigits: 2 }) ?? '—'} ${moneda}`;

function Cause({ pago }: { pago: PagoPorRevisar }) {
  const { causa, pedido, resolucion, motivo } = pago;
  return (
    <>
      <Text>{CAUSE[causa]}</Text>
      {pedido && (
        <Text variant="detail">
          <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido.id }} />}>
            {pedido.numero_orden}
          </Anchor>{' '}
          ({pedido.cliente_nombre}), por pagar {money(pedido.pendiente)}
        </Text>
      )}
      {isBack(causa) && <Text variant="detail">{adviceFor(pago)}</Text>}
      {resolucion === 'devolver' && (
        <Text size="xs" fw={600}>
          Por devolver: «{motivo}»
        </Text>
      )}
    </>
  );
}

/** Genuine payments that match no order, amount or currency, and money that went back; a superadmin decides on each. */
export default function PorRevisarPage() {
  const [{ page, banco }, set] = useSearchState({ page: 1, banco: '' });
  const [open, setOpen] = useState<PagoPorRevisar>();
  const { data, error, isPlaceholderData, refetch } = useApi(listPagosPorRevisar, { query: { page } }, { keepPrevious: true });
  // Asked by `BankMovements` where a statement has been read; its credits wait above.
  const waits = (useApi(listAbonos, {}, { enabled: (useApi(listExtractos, {}).data?.data.length ?? 0) > 0 }).data?.total ?? 0) > 0;
  const review = (pago: PagoPorRevisar) => (
    <Button variant="light" size="xs" aria-label={`Revisar el pago ${pago.referencia}`} onClick={() => setOpen(pago)}>
      Revisar
    </Button>
  );
  const columns: Column<PagoPorRevisar>[] = [
    { key: 'received_at', at: 'line', title: 'Recibido', width: 150, render: ({ received_at }) => fechaHora(received_at) },
    {
      key: 'proveedor',
      at: 'line',
      title: 'Pasarela y referencia',
      render: ({ proveedor_nombre, referencia }) => (
        <>
          <Text>{proveedor_nombre}</Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {referencia}
          </Text>
        </>
      ),
    },
    { key: 'importe', at: 'aside', title: 'Importe', width: 120, align: 'right', render: amount },
    { key: 'causa', at: 'title', title: 'Por qué', render: (pago) => <Cause pago={pago} /> },
    { key: 'acciones', at: 'foot', title: 'Acciones', width: 110, align: 'right', render: review },
  ];
  return (
    <>
      <PageHeader title="Pagos por revisar" subtitle="Dinero que ha llegado de verdad y no se ha podido apuntar solo en ningún pedido." />
      <BankMovements offered={banco === 'si'} />
      <DataTable
        label="Pagos por revisar"
        rows={data?.data}
        busy={isPlaceholderData}
        columns={columns}
        empty={{
          title: waits ? 'No hay otros pagos por revisar' : 'No hay pagos por revisar',
          hint: 'Aquí aparecen los pagos de otro importe, de otra moneda o sin pedido.',
        }}
        error={{ title: 'No se pudieron cargar los pagos', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'pagos', onPage: (page) => set({ page }) }}
        rowLines={3}
      />
      <ReviewDialog
        pago={open}
        onClose={() => {
          setOpen(undefined);
          focusList();
        }}
      />
    </>
  );
}

/** Resolves a payment that matches no order, amount or currency, or a refund or dispute. */
function ReviewDialog({ pago, onClose }: { pago: PagoPorRevisar | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={!!pago} onClose={onClose} title="Revisar pago" fillsPhone={false}>
      {(inDialog) => pago && <ReviewForm key={pago.id} pago={pago} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

const CHOICES: Record<Resolucion, { label: string; description: string }> = {
  pagado: { label: 'Anotarlo como pagado', description: 'Cuenta como pago de un pedido.' },
  devolver: { label: 'Hay que reembolsarlo', description: 'Sigue en esta lista hasta que se haya reembolsado.' },
  devuelto: { label: 'Ya está reembolsado', description: 'El dinero se ha reembolsado en el banco.' },
  visto: { label: 'Visto: no hay que hacer nada', description: 'Deja de aparecer en esta lista.' },
};

/** What to do about money that went back by itself. */
function adviceFor({ causa, anotado, pedido }: PagoPorRevisar): string {
  if (causa === 'disputa') return 'Respóndela en la pasarela, con la prueba de entrega, antes de su plazo.';
  if (!pedido) return 'No se sabe de qué pedido es: míralo en la pasarela.';
  if (anotado > 0) return `Anotado: el pedido vuelve a deber ${money(anotado)}. Cóbralos otra vez, baja su importe o cancélalo.`;
  return 'No está anotado en el pedido. Si es por una devolución, anota en ella el reembolso.';
}

function ReviewForm({ pago, onDone, dirty, onCancel }: InDialog & { pago: PagoPorRevisar; onDone: () => void }) {
  const back = isBack(pago.causa);
  const inEuros = pago.moneda === 'EUR' && pago.importe !== null ? pago.importe : undefined;
  const form = useForm({
    initialValues: {
      resolucion: back ? 'visto' : pago.resolucion === 'devolver' ? 'devuelto' : 'pagado',
      numero_orden: pago.pedido?.numero_orden ?? '',
      // Proposes at most the amount due; the rest of a larger payment is refunded.
      importe: inEuros === undefined ? '' : showNumber(Math.min(inEuros, pago.pedido?.pendiente || inEuros), 2),
      motivo: '',
    },
    validate: { motivo: (motivo) => (motivo.trim() ? null : 'Indica el motivo') },
  });
  useImperativeHandle(dirty, () => form.isDirty);
  const save = useMutate(resolverPago, { failure: 'No se pudo revisar el pago', form });
  const paying = form.values.resolucion === 'pagado';

  const submit = onValid(form, ({ resolucion, numero_orden, importe, motivo }) =>
    save.mutate(
      {
        params: { id: pago.id },
        body: {
          resolucion: resolucion as Resolucion,
          motivo,
          ...(paying && { numero_orden: numero_orden.trim() || null, importe: importe.trim() ? parseNumber(importe) : null }),
        },
      },
      { onSuccess: onDone, onError: ({ status }) => (status === 404 || status === 409) && onDone() },
    ),
  );

  return (
    <DialogForm onSubmit={submit} submit="Guardar" busy={save.isPending} onCancel={onCancel}>
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {amount(pago)} · {pago.proveedor_nombre} · {pago.referencia}
      </Text>
      {back ? (
        <Text>{adviceFor(pago)}</Text>
      ) : (
        <Radio.Group label="Qué se hace con él" {...form.getInputProps('resolucion')}>
          <Stack gap="xs" mt={8}>
            {Object.entries(CHOICES).map(([value, words]) => (
              <Radio key={value} value={value} {...words} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {paying && (
        <>
          <TextInput label="Pedido" placeholder="ORD-…" maxLength={40} autoComplete="off" {...form.getInputProps('numero_orden')} />
          <NumberField label="Importe que cuenta (€)" decimals={2} {...form.getInputProps('importe')} />
        </>
      )}
      <GrowingTextarea
        label={back ? 'Qué se ha hecho' : 'Motivo'}
        withAsterisk
        aria-required
        minRows={2}
        maxLength={300}
        {...form.getInputProps('motivo')}
      />
    </DialogForm>
  );
}
