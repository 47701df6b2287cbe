import { Text } from '@mantine/core';
import { despagarLiquidacion, type Liquidacion, pagarLiquidacion } from '../../contract/liquidaciones/liquidaciones.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { ReasonForm, useReason } from '../ui/form/reason-form.tsx';
import { money } from '../ui/format/format.ts';
import { PaymentFields, usePaymentForm } from './payment-form.tsx';

type Props = { liquidacion: Liquidacion; opened: boolean; unpay: boolean; onClose: () => void };
type Inner = InDialog & { liquidacion: Liquidacion; onDone: () => void };

export function PaidDialog({ liquidacion, opened, unpay, onClose }: Props) {
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
