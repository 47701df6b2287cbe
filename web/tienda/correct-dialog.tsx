import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { type PedidoFieldName, pedidoField } from '../../contract/pedidos/fields.ts';
import { corregirTienda, type PedidoTienda } from '../../contract/tienda/tienda.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';

/** Corrects the customer and the note of a waiting order; only what changes is sent. */
export function CorrectDialog({ pedido, onClose }: { pedido: PedidoTienda | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={`Corregir el pedido ${pedido?.numero ?? ''} de la tienda`}>
      {(inDialog) => pedido && <CorrectForm key={pedido.id} pedido={pedido} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

function CorrectForm({ pedido, onDone, dirty, onCancel }: { pedido: PedidoTienda; onDone: () => void } & InDialog) {
  const names = Object.keys(pedido.campos) as PedidoFieldName[];
  const initialValues = Object.fromEntries(names.map((name) => [name, pedido.campos[name] ?? '']));
  const form = useForm<Record<string, string>>({ initialValues });
  const save = useMutate(corregirTienda, { failure: 'No se pudo corregir', form });
  useImperativeHandle(dirty, () => () => form.isDirty() && !save.isPending);
  const send = (values: Record<string, string>) => {
    const changed = names.filter((name) => values[name] !== initialValues[name]).map((name) => [name, values[name]?.trim() || null]);
    save.mutate({ params: { id: pedido.id }, body: { campos: Object.fromEntries(changed) } }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={onValid(form, send)} noValidate aria-label="Corregir">
      <Stack gap="sm">
        {names.map((name) => {
          const { label, kind, max } = pedidoField(name);
          const shared = { label, maxLength: max, autoComplete: 'off', ...form.getInputProps(name) };
          return kind === 'multiline' ? (
            <Textarea key={name} autosize minRows={2} {...shared} maxLength={undefined} />
          ) : (
            <TextInput key={name} {...shared} />
          );
        })}
        <FormActions submit="Guardar y leer otra vez" pending="Guardando..." busy={save.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
