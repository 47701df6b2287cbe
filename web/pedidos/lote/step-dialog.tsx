import { Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { hasReference, METODO_PAGO_OPTIONS, METODOS_PAGO } from '../../../contract/payments/fields.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { METODO_ENTREGA_OPTIONS, METODOS_ENTREGA } from '../../../contract/pedidos/metodos.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogForm, onValid } from '../../ui/form/form-actions.tsx';
import { KnownMethod } from '../actions/known-method.tsx';
import { pedidos } from '../table/use-selection.ts';
import type { Accion } from './accion.ts';

type Asked = 'pagar' | 'completar';
type Props = {
  of: Asked | undefined;
  /** True if the shop's own van delivers every chosen order. */
  ownVan: boolean;
  n: number;
  busy: boolean;
  onClose: () => void;
  onDone: (accion: Accion) => void;
};
const TITLE: Record<Asked, string> = { pagar: 'Anotar pago', completar: 'Completar pedidos' };

/** Asks for the input of a step for all chosen orders. */
export default function StepLoteDialog({ of, ...props }: Props) {
  return (
    <Dialog opened={!!of} onClose={props.onClose} title={of && TITLE[of]} size="md" fillsPhone={false}>
      {of === 'pagar' && <PayForm {...props} />}
      {of === 'completar' && <CompleteForm {...props} />}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'of'>;

function PayForm({ n, busy, onClose, onDone }: FormProps) {
  const form = useForm({ initialValues: { metodo: METODOS_PAGO[0], referencia: '' } });
  const referred = hasReference(form.values.metodo);
  const submit = form.onSubmit(({ metodo, referencia }) =>
    onDone({ tipo: 'pagar', metodo, referencia: (referred && referencia.trim()) || null }),
  );
  return (
    <DialogForm onSubmit={submit} submit={`Cobrar ${pedidos(n)}`} busy={busy} onCancel={onClose}>
      <Text size="md">
        De <strong>{pedidos(n)}</strong> se anotará como cobrado hoy lo que falte por pagar. Los que ya estén pagados se quedan como están.
      </Text>
      <Select
        label="Método"
        data={METODO_PAGO_OPTIONS}
        checkIconPosition="right"
        withAsterisk
        data-autofocus
        {...form.getInputProps('metodo')}
      />
      {referred && <TextInput label="Referencia (opcional)" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />}
    </DialogForm>
  );
}

function CompleteForm({ n, ownVan, busy, onClose, onDone }: FormProps) {
  const [asksMethod, askMethod] = useState(!ownVan);
  const form = useForm({
    initialValues: { metodo_entrega: ownVan ? 'manual' : '' },
    validate: { metodo_entrega: (value) => (value ? null : TRANSITIONS.completar.input.metodo_entrega) },
  });
  const submit = onValid(form, ({ metodo_entrega: typed }) => {
    const metodo_entrega = METODOS_ENTREGA.find((method) => method === typed);
    if (metodo_entrega) onDone({ tipo: 'completar', metodo_entrega });
  });
  return (
    <DialogForm onSubmit={submit} submit={`Completar ${pedidos(n)}`} busy={busy} onCancel={onClose}>
      <Text size="md">
        Se completarán <strong>{pedidos(n)}</strong>, sin número de seguimiento. Es definitivo. Los que no se puedan completar se quedan
        como están.
      </Text>
      {asksMethod ? (
        <Select
          label="Método de entrega"
          placeholder="Elige un método"
          data={METODO_ENTREGA_OPTIONS}
          checkIconPosition="right"
          withAsterisk
          data-autofocus
          {...form.getInputProps('metodo_entrega')}
        />
      ) : (
        <KnownMethod onChange={() => askMethod(true)} />
      )}
    </DialogForm>
  );
}
