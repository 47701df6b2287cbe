import { Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Devolucion, moverDevolucion, reembolsarDevolucion, retenerDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { problemOf } from '../../contract/kit/fields.ts';
import { useMutate } from '../api.ts';
import { FormActions, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { money, parseNumber, showNumber } from '../ui/format/format.ts';

export type Way = 'refund' | 'keep' | 'move';

/** Ways to settle money of a return that is still due back, in the order of a menu. */
export const WAYS: Record<Way, string> = {
  refund: 'Anotar el reembolso',
  keep: 'No se reembolsa',
  move: 'Pasar a otro pedido',
};

/** Form of one of the ways to settle the money of a return. */
export function Settle({
  devolucion: { id, por_reembolsar: owed },
  way,
  onDone,
}: {
  devolucion: Devolucion;
  way: Way;
  onDone: () => void;
}) {
  const Form = { refund: Refund, keep: Keep, move: Move }[way];
  return <Form id={id} owed={owed} onDone={onDone} />;
}

type FormProps = { id: string; owed: number; onDone: () => void };

const amountRule = (typed: string) =>
  typed.trim() ? (problemOf({ kind: 'money' }, parseNumber(typed)) ?? null) : 'Indica el importe en euros';

function Refund({ id, owed, onDone }: FormProps) {
  const form = useForm({ initialValues: { reembolso: showNumber(owed, 2), referencia: '' }, validate: { reembolso: amountRule } });
  const save = useMutate(reembolsarDevolucion, { form, failure: 'No se pudo anotar el reembolso', onSuccess: onDone });
  const submit = onValid(form, ({ reembolso, referencia }) =>
    save.mutate({ params: { id }, body: { reembolso: parseNumber(reembolso), referencia: referencia.trim() || null } }),
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Anotar el reembolso">
      <Group grow>
        <NumberField label="Reembolso (€)" decimals={2} autoFocus {...form.getInputProps('reembolso')} />
        <TextInput label="Referencia" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />
      </Group>
      <Text variant="detail" mt={4}>
        El dinero se devuelve en el banco; aquí se anota.
      </Text>
      <FormActions submit="Anotar el reembolso" pending="Guardando..." busy={save.isPending} onCancel={onDone} />
    </form>
  );
}

function Keep({ id, owed, onDone }: FormProps) {
  const form = useForm({
    initialValues: { importe: showNumber(owed, 2), motivo: '' },
    validate: { importe: amountRule, motivo: (typed) => (typed.trim() ? null : 'Indica por qué no se reembolsa') },
  });
  const save = useMutate(retenerDevolucion, { form, failure: 'No se pudo anotar', onSuccess: onDone });
  const submit = onValid(form, ({ importe, motivo }) =>
    save.mutate({ params: { id }, body: { importe: parseNumber(importe) ?? 0, motivo: motivo.trim() } }),
  );
  return (
    <form onSubmit={submit} noValidate aria-label="No se reembolsa">
      <Group grow align="start">
        <NumberField label="Importe (€)" decimals={2} autoFocus {...form.getInputProps('importe')} />
        <TextInput
          label="Motivo"
          placeholder="Gastos de envío, uso…"
          withAsterisk
          maxLength={300}
          autoComplete="off"
          {...form.getInputProps('motivo')}
        />
      </Group>
      <Text variant="detail" mt={4}>
        La tienda se queda con ello: cuenta como vendido. Para deshacerlo se anula la devolución.
      </Text>
      <FormActions submit="No se reembolsa" pending="Guardando..." busy={save.isPending} onCancel={onDone} />
    </form>
  );
}

function Move({ id, owed, onDone }: FormProps) {
  const form = useForm({
    initialValues: { numero_orden: '' },
    validate: { numero_orden: (typed) => (typed.trim() ? null : 'Indica el número del pedido') },
  });
  const save = useMutate(moverDevolucion, { form, failure: 'No se pudo pasar el dinero', onSuccess: onDone });
  const submit = onValid(form, ({ numero_orden }) => save.mutate({ params: { id }, body: { numero_orden: numero_orden.trim() } }));
  return (
    <form onSubmit={submit} noValidate aria-label="Pasar a otro pedido">
      <TextInput
        label="Número del pedido que se paga"
        placeholder="ORD-2026000123"
        withAsterisk
        autoFocus
        maxLength={40}
        autoComplete="off"
        {...form.getInputProps('numero_orden')}
      />
      <Text variant="detail" mt={4}>
        Los {money(owed)} pagan lo que falte de ese pedido; lo que sobre sigue por reembolsar.
      </Text>
      <FormActions submit="Pasar el dinero" pending="Guardando..." busy={save.isPending} onCancel={onDone} />
    </form>
  );
}
