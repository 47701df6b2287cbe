import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isGana } from '../../contract/liquidaciones/fields.ts';
import { crearAjuste } from '../../contract/liquidaciones/liquidaciones.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';
import { Picker } from '../ui/form/picker.tsx';
import { parseNumber } from '../ui/format/numbers.ts';

type Props = { opened: boolean; onClose: () => void; persona?: string };

export const AdjustDialog = ({ opened, onClose, persona }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title="Ajuste">
    {(inDialog) => <AdjustForm onDone={onClose} persona={persona ?? ''} {...inDialog} />}
  </FormDialog>
);

const MAX = 1_000_000;

function AdjustForm({ persona, onDone, dirty, onCancel }: InDialog & { persona: string; onDone: () => void }) {
  const users = useApi(listUsers, {});
  const form = useForm({
    initialValues: { user_id: persona, importe: '', nota: '' },
    validate: {
      user_id: (id) => (id ? null : 'Elige una persona'),
      importe: (typed) => {
        const euros = parseNumber(typed);
        if (!euros) return 'Indica el importe';
        return Math.abs(euros) > MAX || Number(euros.toFixed(2)) !== euros ? 'Importe no válido' : null;
      },
      nota: (nota) => (nota.trim() ? null : 'Explica el ajuste: la persona lo leerá'),
    },
  });
  const save = useMutate(crearAjuste, { form, failure: 'No se pudo anotar el ajuste', onSuccess: onDone });
  const submit = onValid(form, ({ importe, ...body }) => save.mutate({ body: { ...body, importe: parseNumber(importe) } }));
  const input = form.getInputProps('user_id');
  const people = (users.data?.data ?? []).filter(({ role }) => isGana(role));
  return (
    <DialogForm onSubmit={submit} submit="Anotar ajuste" busy={save.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <Text c="dimmed">Va a la próxima liquidación de la persona, que lo verá con su nota.</Text>
      <Picker
        {...input}
        label="Persona"
        placeholder="Elige una persona"
        data={people.map(({ id, full_name }) => ({ value: id, label: full_name }))}
        value={form.values.user_id || null}
        onChange={(value) => input.onChange(value ?? '')}
        error={input.error ?? users.error?.message}
        nothingFoundMessage="Nadie se llama así"
        required
      />
      <NumberField
        label="Importe (€)"
        description="Con un menos delante para quitar: -12,50"
        decimals={2}
        min={-MAX}
        required
        {...form.getInputProps('importe')}
      />
      <GrowingTextarea label="Nota" minRows={2} maxLength={300} required {...form.getInputProps('nota')} />
    </DialogForm>
  );
}
