import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useState } from 'react';
import { ESTADO, type TextInput as TextName, type TextTransition, TRANSITIONS } from '../../../contract/pedidos.flow.ts';
import { inputField } from '../../../contract/pedidos.inputs.ts';
import { type Pedido, setEstado } from '../../../contract/pedidos.ts';
import { useMutate } from '../../api.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../../ui/form/focus-first.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { rulesOf } from '../../ui/form/rules.ts';
import type { PedidoDialogProps } from './actions.ts';

/** Dialog of a transition that asks for at most some text: «Marcar como pagado», «Cancelar pedido»… */
export function EstadoDialog({ pedido, action, onClose }: PedidoDialogProps) {
  const name = action.kind === 'estado' ? action.name : undefined;
  // Keeps the content while the dialog fades out.
  const [shown, setShown] = useState({ pedido, name });
  if (pedido && (pedido !== shown.pedido || name !== shown.name)) setShown({ pedido, name });
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={shown.name && TRANSITIONS[shown.name].label} fillsPhone={false}>
      {(inDialog) =>
        shown.pedido &&
        shown.name && <EstadoForm key={shown.pedido.id} pedido={shown.pedido} name={shown.name} onDone={onClose} {...inDialog} />
      }
    </FormDialog>
  );
}

type FormProps = InDialog & { pedido: Pedido; name: TextTransition; onDone: () => void };

function EstadoForm({ pedido, name, onDone, dirty, onBusy, onCancel }: FormProps) {
  const { to, label, consequence, input } = TRANSITIONS[name];
  const names = Object.keys(input) as TextName[];
  const ofEach = <V,>(value: (name: TextName) => V) => Object.fromEntries(names.map((n) => [n, value(n)])) as Record<TextName, V>;
  const fields = ofEach((n) => ({ ...inputField(n), ...(input[n] && { required: input[n] }) }));
  const form = useForm({ initialValues: ofEach(() => ''), validate: rulesOf(fields, names) });
  useImperativeHandle(dirty, () => form.isDirty);
  const save = useMutate(setEstado, {
    success: `${pedido.numero_orden}: ${ESTADO[to].label}`,
    failure: 'No se pudo cambiar el estado',
    form,
  });

  const submit = form.onSubmit(
    (values) => {
      onBusy(true);
      save.mutate(
        { params: { id: pedido.id }, body: { ...values, estado: to, version: pedido.version } },
        // On 404 or 409 the toast has said that the order changed, and the list is being refetched.
        {
          onSuccess: onDone,
          onError: ({ status }) => (status === 404 || status === 409) && onDone(),
          onSettled: () => onBusy(false),
        },
      );
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text>
          Pedido <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
        </Text>
        <Text c="dimmed" size="sm">
          {consequence}
        </Text>
        {names.map((name, i) => (
          <Input key={name} field={fields[name]} data-autofocus={i === 0 || undefined} {...form.getInputProps(name)} />
        ))}
        <FormActions submit={label} pending="Guardando..." busy={save.isPending} onCancel={onCancel} danger={to === 'cancelado'} />
      </Stack>
    </form>
  );
}

function Input({ field, ...rest }: { field: ReturnType<typeof inputField> }) {
  const { label, kind, max, description, required } = field;
  const props = {
    label: required ? label : `${label} (opcional)`,
    description,
    withAsterisk: required !== undefined,
    'aria-required': required !== undefined,
    maxLength: max,
    ...rest,
  };
  return kind === 'multiline' ? <Textarea autosize minRows={2} {...props} /> : <TextInput autoComplete="off" {...props} />;
}
