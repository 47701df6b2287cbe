import { Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { METODO_ENTREGA_OPTIONS, METODOS_ENTREGA, type MetodoEntrega } from '../../../contract/pedidos/metodos.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogForm, onValid } from '../../ui/form/form-actions.tsx';
import { Picker } from '../../ui/form/picker.tsx';
import { ProposedCarriers } from '../../zonas/proposed-carriers.tsx';
import { type Chosen, pedidos } from '../table/use-selection.ts';

export type Assignment = { transportista_id: string | null; empresa_transporte: MetodoEntrega | null };
type FormProps = {
  n: number;
  /** Chosen orders; empty if chosen by filter. */
  orders: readonly Chosen[];
  busy: boolean;
  onClose: () => void;
  onAssign: (assignment: Assignment, name: string | undefined) => void;
};

export default function AssignLoteDialog({ opened, ...props }: FormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Asignar transportista" size="md" fillsPhone={false}>
      <AssignLoteForm {...props} />
    </Dialog>
  );
}

const NOBODY = 'sin';

function AssignLoteForm({ n, orders, busy, onClose, onAssign }: FormProps) {
  const { data, error, isPending } = useApi(listUsers, { query: { role: 'transportista' } });
  const form = useForm({
    initialValues: { transportista_id: '', empresa_transporte: '' },
    validate: { transportista_id: (value) => (value ? null : 'Elige un transportista') },
  });
  const active = (data?.data ?? []).filter(({ is_active }) => is_active);
  const carriers = active.map(({ id, full_name }) => ({ value: id, label: full_name }));
  const submit = onValid(form, ({ transportista_id, empresa_transporte }) =>
    onAssign(
      {
        transportista_id: transportista_id === NOBODY ? null : transportista_id,
        empresa_transporte: METODOS_ENTREGA.find((method) => method === empresa_transporte) ?? null,
      },
      carriers.find(({ value }) => value === transportista_id)?.label,
    ),
  );

  return (
    <DialogForm onSubmit={submit} submit={`Asignar ${pedidos(n)}`} pending="Asignando..." busy={busy} onCancel={onClose}>
      <Text size="md">
        Se {n === 1 ? 'asignará' : 'asignarán'} <strong>{pedidos(n)}</strong>. Los que no se puedan asignar se quedan como están.
      </Text>
      <Picker
        label="Transportista"
        withAsterisk
        placeholder="Elige un transportista"
        data={[{ value: NOBODY, label: 'Sin asignar' }, ...carriers]}
        checkIconPosition="right"
        nothingFoundMessage={isPending ? 'Cargando...' : 'Ningún transportista se llama así'}
        data-autofocus
        {...form.getInputProps('transportista_id')}
        error={form.errors.transportista_id ?? error?.message}
      />
      <ProposedCarriers carriers={active} orders={orders} onPick={(id) => form.setFieldValue('transportista_id', id)} />
      <Select
        label="Empresa de transporte"
        data={[{ value: '', label: 'La que tenga cada pedido' }, ...METODO_ENTREGA_OPTIONS]}
        checkIconPosition="right"
        {...form.getInputProps('empresa_transporte')}
      />
    </DialogForm>
  );
}
