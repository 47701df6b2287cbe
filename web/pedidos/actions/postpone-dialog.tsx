import { useForm } from '@mantine/form';
import { MAX_NOTA_APLAZAR } from '../../../contract/pedidos/attempts.ts';
import { aplazarPedido, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { DayField } from '../../ui/form/day-field.tsx';
import { DialogForm, GrowingTextarea } from '../../ui/form/form-actions.tsx';
import { today } from '../../ui/format/format.ts';
import { Subject } from '../subject.tsx';
import { POSTPONE } from './actions.ts';

export const PostponeDialog = ({ pedido, onClose }: { pedido: Pedido | undefined; onClose: () => void }) => (
  <FormDialog opened={!!pedido} onClose={onClose} title={POSTPONE} fillsPhone={false}>
    {(inDialog) => pedido && <PostponeForm key={pedido.id} pedido={pedido} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

function PostponeForm({ pedido, onDone, onCancel, dirty }: InDialog & { pedido: Pedido; onDone: () => void }) {
  const form = useForm({
    initialValues: { dia: '', nota: '' },
    validate: { dia: (dia) => (dia ? null : 'Elige un día') },
  });
  const send = useMutate(aplazarPedido, {
    success: `${pedido.numero_orden}: entrega aplazada`,
    failure: 'No se pudo aplazar la entrega',
    form,
  });
  const submit = form.onSubmit((body) =>
    send.mutate({ params: { id: pedido.id }, body: { ...body, version: pedido.version } }, { onSuccess: onDone }),
  );
  return (
    <DialogForm onSubmit={submit} submit={POSTPONE} busy={send.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <Subject pedido={pedido} />
      <DayField
        label="Nuevo día"
        description="Un día laborable de las próximas dos semanas."
        min={today()}
        withAsterisk
        data-autofocus
        {...form.getInputProps('dia')}
      />
      <GrowingTextarea
        label="Nota para el transportista (opcional)"
        minRows={2}
        maxLength={MAX_NOTA_APLAZAR}
        {...form.getInputProps('nota')}
      />
    </DialogForm>
  );
}
