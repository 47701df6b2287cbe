import { Text } from '@mantine/core';
import { bloquearCliente, type ClienteEntero } from '../../contract/clientes/clientes.ts';
import { MAX_MOTIVO_BLOQUEO } from '../../contract/clientes/fields.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { ReasonForm, useReason } from '../ui/form/reason-form.tsx';

type Props = { cliente: ClienteEntero; opened: boolean; onClose: () => void };

/** Blocks a customer; resellers see the reason. */
export function BloquearDialog({ cliente, opened, onClose }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Bloquear a ${cliente.cliente_nombre}`} fillsPhone={false}>
      {(inDialog) => <BloquearForm cliente={cliente} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

function BloquearForm({ cliente, onDone, ...inDialog }: Pick<Props, 'cliente'> & { onDone: () => void } & InDialog) {
  const form = useReason('Escribe el motivo');
  const block = useMutate(bloquearCliente, { form, failure: 'No se pudo bloquear al cliente', onSuccess: onDone });
  return (
    <ReasonForm
      {...inDialog}
      form={form}
      name="Bloquear cliente"
      maxLength={MAX_MOTIVO_BLOQUEO}
      submit="Bloquear"
      busy={block.isPending}
      onReason={(motivo) => block.mutate({ params: { id: cliente.id }, body: { motivo } })}
    >
      <Text size="sm">Los revendedores no podrán crear pedidos suyos y verán el motivo. Los que ya tiene siguen como están.</Text>
    </ReasonForm>
  );
}
