import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { bloquearCliente, type ClienteEntero } from '../../contract/clientes/clientes.ts';
import { MAX_MOTIVO_BLOQUEO } from '../../contract/clientes/fields.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';

type Props = { cliente: ClienteEntero; opened: boolean; onClose: () => void };

/** Blocks a customer; resellers see the reason. */
export function BloquearDialog({ cliente, opened, onClose }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Bloquear a ${cliente.cliente_nombre}`} fillsPhone={false}>
      {(inDialog) => <BloquearForm cliente={cliente} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

function BloquearForm({ cliente, onDone, dirty, onCancel }: Pick<Props, 'cliente'> & { onDone: () => void } & InDialog) {
  const form = useForm({ initialValues: { motivo: '' }, validate: { motivo: (said) => (said.trim() ? null : 'Escribe el motivo') } });
  const block = useMutate(bloquearCliente, { form, failure: 'No se pudo bloquear al cliente', onSuccess: onDone });
  useImperativeHandle(dirty, () => () => form.isDirty() && !block.isPending);
  const submit = onValid(form, (body) => block.mutate({ params: { id: cliente.id }, body }));
  return (
    <form onSubmit={submit} noValidate aria-label="Bloquear cliente">
      <Stack gap="md">
        <Text size="sm">Los revendedores no podrán crear pedidos suyos y verán el motivo. Los que ya tiene siguen como están.</Text>
        <GrowingTextarea
          label="Motivo"
          withAsterisk
          aria-required
          minRows={2}
          maxLength={MAX_MOTIVO_BLOQUEO}
          data-autofocus
          {...form.getInputProps('motivo')}
        />
        <FormActions submit="Bloquear" pending="Bloqueando..." busy={block.isPending} onCancel={onCancel} danger />
      </Stack>
    </form>
  );
}
