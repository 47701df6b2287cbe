import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Devolucion, pedirResto, reembolsarDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { problemOf } from '../../contract/kit/fields.ts';
import { useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { money } from '../ui/format/format.ts';
import { parseNumber, showNumber } from '../ui/format/numbers.ts';

type Props = {
  devolucion: Devolucion;
  /** Euros paid for the missing part and not refunded yet. */
  owed: number;
  start: boolean;
};

/** Refund or second order for undelivered goods. */
export function Partial({ devolucion, owed, start }: Props) {
  const [refunding, setRefunding] = useState(start && owed > 0);
  const rest = useMutate(pedirResto, { failure: 'No se pudo crear el pedido del resto' });
  const { id, resto_pedido_id } = devolucion;
  const pays = owed > 0 ? ` Los ${money(owed)} por reembolsar pasan al pedido nuevo.` : '';
  const ask = () =>
    confirm({
      title: 'Entregar el resto',
      message: `Se creará otro pedido con lo que no se entregó, al precio acordado y sin gastos de envío.${pays}`,
      confirm: 'Crear el pedido',
      action: () => rest.mutateAsync({ params: { id } }),
    });
  if (refunding) return <Refund id={id} owed={owed} onDone={() => setRefunding(false)} />;
  return (
    <Group gap="xs" my={4}>
      {owed > 0 && (
        <Button size="compact-md" onClick={() => setRefunding(true)}>
          Anotar el reembolso
        </Button>
      )}
      {resto_pedido_id ? (
        <Text size="sm" component={Link} to={`/pedidos/${resto_pedido_id}`}>
          Ver el pedido del resto
        </Text>
      ) : (
        <Button size="compact-md" variant="light" onClick={() => void ask()}>
          Entregar el resto
        </Button>
      )}
    </Group>
  );
}

function Refund({ id, owed, onDone }: { id: string; owed: number; onDone: () => void }) {
  const form = useForm({
    initialValues: { reembolso: showNumber(owed, 2), referencia: '' },
    validate: {
      reembolso: (typed) => (typed.trim() ? (problemOf({ kind: 'money' }, parseNumber(typed)) ?? null) : 'Indica el importe en euros'),
    },
  });
  const save = useMutate(reembolsarDevolucion, { form, failure: 'No se pudo anotar el reembolso', onSuccess: onDone });
  const submit = onValid(form, ({ reembolso, referencia }) =>
    save.mutate({ params: { id }, body: { reembolso: parseNumber(reembolso), referencia: referencia.trim() || null } }),
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Anotar el reembolso">
      <Group gap="xs" grow>
        <NumberField label="Reembolso (€)" decimals={2} autoFocus {...form.getInputProps('reembolso')} />
        <TextInput label="Referencia" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        El dinero se devuelve en el banco; aquí se anota.
      </Text>
      <FormActions submit="Anotar el reembolso" busy={save.isPending} onCancel={onDone} />
    </form>
  );
}
