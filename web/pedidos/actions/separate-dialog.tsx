import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { separarVenta } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { GrowingTextarea } from '../../ui/form/growing-textarea.tsx';
import { Subject } from '../subject.tsx';
import { type PedidoDialogProps, SEPARATE_SALE } from './actions.ts';

/** «Es otra venta»: excludes the order from the legal cash limit that the customer's orders of a day share. */
export function SeparateDialog({ pedido, onClose }: PedidoDialogProps) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={SEPARATE_SALE} fillsPhone={false}>
      {({ onCancel }) => pedido && <SeparateForm key={pedido.id} pedido={pedido} onDone={onClose} onCancel={onCancel} />}
    </FormDialog>
  );
}

type Props = { pedido: NonNullable<PedidoDialogProps['pedido']>; onDone: () => void; onCancel: () => void };
function SeparateForm({ pedido, onDone, onCancel }: Props) {
  const form = useForm({
    initialValues: { motivo: '' },
    validate: { motivo: (motivo) => (motivo.trim() ? null : 'Indica por qué son dos ventas') },
  });
  const save = useMutate(separarVenta, { form, failure: 'No se pudo guardar', onSuccess: onDone });
  return (
    <form onSubmit={form.onSubmit(({ motivo }) => save.mutate({ params: { id: pedido.id }, body: { motivo: motivo.trim() } }))} noValidate>
      <Stack gap="sm">
        <Subject pedido={pedido} />
        <Text size="sm" c="dimmed">
          Este pedido deja de contar con los demás del mismo cliente y día para el límite legal del efectivo (1.000 €, Ley 11/2021). El
          motivo queda en el historial.
        </Text>
        <GrowingTextarea
          label="Por qué son dos ventas"
          minRows={2}
          maxLength={300}
          data-autofocus
          withAsterisk
          aria-required
          {...form.getInputProps('motivo')}
        />
        <FormActions submit={SEPARATE_SALE} pending="Guardando..." busy={save.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
