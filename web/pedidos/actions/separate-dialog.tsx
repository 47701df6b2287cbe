import { Text } from '@mantine/core';
import { separarVenta } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ReasonForm, useReason } from '../../ui/form/form-actions.tsx';
import { Subject } from '../subject.tsx';
import { type PedidoDialogProps, SEPARATE_SALE } from './actions.ts';

/** «Es otra venta»: excludes the order from the legal cash limit that the customer's orders of a day share. */
export const SeparateDialog = ({ pedido, onClose }: PedidoDialogProps) => (
  <FormDialog opened={!!pedido} onClose={onClose} title={SEPARATE_SALE} fillsPhone={false}>
    {(inDialog) => pedido && <SeparateForm key={pedido.id} pedido={pedido} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

type Props = InDialog & { pedido: NonNullable<PedidoDialogProps['pedido']>; onDone: () => void };
function SeparateForm({ pedido, onDone, ...inDialog }: Props) {
  const form = useReason('Indica por qué son dos ventas');
  const save = useMutate(separarVenta, { form, failure: 'No se pudo guardar', onSuccess: onDone });
  return (
    <ReasonForm
      {...inDialog}
      form={form}
      label="Por qué son dos ventas"
      submit={SEPARATE_SALE}
      danger={false}
      busy={save.isPending}
      onReason={(motivo) => save.mutate({ params: { id: pedido.id }, body: { motivo } })}
    >
      <Subject pedido={pedido} />
      <Text c="dimmed">
        Este pedido deja de contar con los demás del mismo cliente y día para el límite legal del efectivo (1.000 €, Ley 11/2021). El motivo
        queda en el historial.
      </Text>
    </ReasonForm>
  );
}
