import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { type TextInput as TextName, type TextTransition, TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { inputField } from '../../../contract/pedidos/inputs.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../../ui/form/form-actions.tsx';
import { rulesOf } from '../../ui/form/rules.ts';
import { money } from '../../ui/format/format.ts';
import { RefundDue } from '../pagos/refund-due.tsx';
import { Subject } from '../subject.tsx';
import type { PedidoDialogProps } from './actions.ts';
import { type StepProps, useStep } from './use-step.ts';

/** Dialog of a transition that needs at most text inputs, such as «Cancelar pedido». */
export function EstadoDialog({ pedido, action, onClose }: PedidoDialogProps) {
  const name = action.kind === 'estado' ? action.name : undefined;
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={name && TRANSITIONS[name].label} fillsPhone={false}>
      {(inDialog) =>
        pedido &&
        name && (
          <EstadoForm
            key={pedido.id}
            pedido={pedido}
            version={pedido.version}
            name={name}
            amount={pedido.pendiente}
            paid={pedido.pagado}
            onDone={onClose}
            {...inDialog}
          />
        )
      }
    </FormDialog>
  );
}

const isText = (name: string): name is TextName => inputField(name as TextName).kind !== 'choice';

type FormProps = StepProps & {
  name: TextTransition;
  version: number;
  /** Amount due, in euros. */
  amount: number;
  paid: number;
};

function EstadoForm({ name, version, amount, paid, ...props }: FormProps) {
  const { to, label, consequence, input } = TRANSITIONS[name];
  const names = Object.keys(input).filter(isText);
  const ofEach = <V,>(value: (name: TextName) => V) => Object.fromEntries(names.map((n) => [n, value(n)])) as Record<TextName, V>;
  const fields = ofEach((n) => ({ ...inputField(n), ...(input[n] && { required: input[n] }) }));
  const form = useForm({ initialValues: ofEach(() => ''), validate: rulesOf(fields, names) });
  const { save, busy } = useStep(form, props, {
    success: `${props.pedido.numero_orden}: ${ESTADO[to].label}`,
    failure: 'No se pudo cambiar el estado',
  });

  const submit = onValid(form, (values) => save({ ...values, estado: to, paso: name, version }));

  return (
    <DialogForm onSubmit={submit} submit={label} busy={busy} onCancel={props.onCancel} danger={to === 'cancelado'}>
      <Subject pedido={props.pedido} />
      <Text c="dimmed">
        {name === 'pagar' && `Se anotará un pago de ${money(amount)}. `}
        {consequence}
      </Text>
      {name === 'cancelar' && <RefundDue paid={paid ? 1 : 0} amount={paid} />}
      {names.map((name, i) => (
        <Input key={name} field={fields[name]} data-autofocus={i === 0 || undefined} {...form.getInputProps(name)} />
      ))}
    </DialogForm>
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
  return kind === 'multiline' ? <GrowingTextarea minRows={2} {...props} /> : <TextInput autoComplete="off" {...props} />;
}
