import { Checkbox } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ClienteEntero, type Ficha, getCliente, updateCliente } from '../../contract/clientes/clientes.ts';
import { MAX_NOTA } from '../../contract/clientes/fields.ts';
import { call, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea } from '../ui/form/form-actions.tsx';
import { useConflict } from '../ui/form/use-conflict.tsx';

/** Record that a note belongs to: a customer, or a record merged into the customer. */
export type Noted = Pick<Ficha, 'id' | 'nombre' | 'nota' | 'avisar_antes' | 'version'>;
export const notedCliente = ({ id, cliente_nombre, propia }: ClienteEntero): Noted => ({ id, nombre: cliente_nombre, ...propia });

export const NotaDialog = ({ of, opened, onClose }: { of: Noted | undefined; opened: boolean; onClose: () => void }) => (
  <FormDialog opened={opened && !!of} onClose={onClose} title={`Nota de ${of?.nombre ?? ''}`} fillsPhone={false}>
    {(inDialog) => of && <NotaForm key={of.id} of={of} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

const LABEL = { nota: 'Nota', avisar_antes: 'Avisar antes de ir' };
const valuesOf = ({ nota, avisar_antes }: Noted) => ({ nota: nota ?? '', avisar_antes });

function NotaForm({ of, onDone, ...inDialog }: { of: Noted; onDone: () => void } & InDialog) {
  const form = useForm({ initialValues: valuesOf(of) });
  const conflict = useConflict({
    record: of,
    form,
    valuesOf,
    read: async () => {
      const { data } = await call(getCliente, { params: { id: of.id } });
      return data.id === of.id ? notedCliente(data) : data.unidos.find(({ id }) => id === of.id);
    },
    title: 'Otra persona ha cambiado esta nota mientras la editabas',
    label: (field) => LABEL[field],
    show: (_, value) => (typeof value === 'boolean' ? (value ? 'Sí' : 'No') : String(value ?? '')),
  });
  const save = useMutate(updateCliente, {
    form,
    onStale: conflict.onStale,
    success: 'Nota guardada',
    failure: 'No se pudo guardar la nota',
    onSuccess: onDone,
  });
  const submit = form.onSubmit((values) =>
    save.mutate({ params: { id: of.id }, body: { ...values, version: conflict.base?.version ?? of.version } }),
  );
  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit="Guardar" busy={save.isPending} gap="md" aria-label="Nota del cliente">
      {conflict.panel}
      <GrowingTextarea
        label="Nota"
        description="La lee quien toma sus pedidos, y el transportista cuando el pedido es suyo: no pongas importes"
        minRows={3}
        maxRows={10}
        maxLength={MAX_NOTA}
        data-autofocus
        {...form.getInputProps('nota')}
      />
      <Checkbox
        label="Avisar antes de ir"
        description="El transportista lo ve en la ficha del pedido"
        {...form.getInputProps('avisar_antes', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
