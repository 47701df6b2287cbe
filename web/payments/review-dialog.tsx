import { Radio, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { isBack, type Resolucion } from '../../contract/payments/fields.ts';
import { type PagoPorRevisar, resolverPago } from '../../contract/payments/payments.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';
import { money } from '../ui/format/format.ts';
import { parseNumber, showNumber } from '../ui/format/numbers.ts';

/** Decides on a payment that matches no order, amount or currency, or notes what was done about money that went back. */
export function ReviewDialog({ pago, onClose }: { pago: PagoPorRevisar | undefined; onClose: () => void }) {
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
export function adviceFor({ causa, anotado, pedido }: PagoPorRevisar): string {
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
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {pago.proveedor_nombre} · {pago.referencia}
      </Text>
      {back ? (
        <Text size="sm">{adviceFor(pago)}</Text>
      ) : (
        <Radio.Group label="Qué se hace con él" {...form.getInputProps('resolucion')}>
          <Stack gap="xs" mt={6}>
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
