import { Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { hasReference, METODO_PAGO_OPTIONS, METODOS_PAGO } from '../../../contract/payments/fields.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { inputField } from '../../../contract/pedidos/inputs.ts';
import { calcularDevolucion, type lotePedidos } from '../../../contract/pedidos/lote.ts';
import { METODO_ENTREGA_OPTIONS, METODOS_ENTREGA } from '../../../contract/pedidos/metodos.ts';
import { plural } from '../../../contract/text/plural.ts';
import { useApi } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../../ui/form/form-actions.tsx';
import { Skeletons } from '../../ui/list/loaded.tsx';
import { KnownMethod } from '../actions/known-method.tsx';
import { RefundDue } from '../pagos/refund-due.tsx';
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
export function StepLoteDialog({ of, ...props }: Props) {
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
    <DialogForm onSubmit={submit} submit={`Cobrar ${plural(n, 'pedido')}`} busy={busy} onCancel={onClose}>
      <Text size="md">
        De <strong>{plural(n, 'pedido')}</strong> se anotará como cobrado hoy lo que falte por pagar. Los que ya estén pagados se quedan
        como están.
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
    <DialogForm onSubmit={submit} submit={`Completar ${plural(n, 'pedido')}`} busy={busy} onCancel={onClose}>
      <Text size="md">
        Se completarán <strong>{plural(n, 'pedido')}</strong>, sin número de seguimiento. Los que no se puedan completar se quedan como
        están.
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

type CancelFormProps = {
  n: number;
  which: BodyIn<typeof lotePedidos>['pedidos'];
  busy: boolean;
  onClose: () => void;
  onSubmit: (motivo: string) => void;
};

export function CancelLoteDialog({ opened, ...props }: CancelFormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Cancelar pedidos" size="md" fillsPhone={false}>
      <CancelLoteForm {...props} />
    </Dialog>
  );
}

function CancelLoteForm({ n, which, busy, onClose, onSubmit }: CancelFormProps) {
  const { label, max } = inputField('motivo');
  const form = useForm({ initialValues: { motivo: '' } });
  const owed = useApi(calcularDevolucion, { body: { pedidos: which } }, { staleTime: 0 });
  return (
    <DialogForm
      onSubmit={form.onSubmit(({ motivo }) => onSubmit(motivo))}
      gap="md"
      submit={`Cancelar ${plural(n, 'pedido')}`}
      pending="Cancelando..."
      busy={busy}
      onCancel={onClose}
      danger
    >
      <Text size="md">
        ¿Cancelar <strong>{plural(n, 'pedido')}</strong>? Quedarán cancelados y sus unidades volverán al stock. Los que no se puedan
        cancelar se quedan como están.
      </Text>
      {owed.isPending && <Skeletons heights={[48]} />}
      {owed.error && (
        <Text c="var(--mantine-color-error)" role="alert">
          No se sabe si habrá que reembolsar dinero: {owed.error.message}
        </Text>
      )}
      {owed.data && <RefundDue paid={owed.data.pagados} amount={owed.data.importe} of={n} />}
      <GrowingTextarea
        label={`${label} (opcional)`}
        description="Queda en el historial de cada pedido"
        minRows={2}
        maxLength={max}
        data-autofocus
        {...form.getInputProps('motivo')}
      />
    </DialogForm>
  );
}
