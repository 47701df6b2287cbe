import { Button, Text } from '@mantine/core';
import { IconBuildingBank, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { MAX_PAGADAS } from '../../contract/liquidaciones/fields.ts';
import { type Liquidacion, pagarLiquidaciones } from '../../contract/liquidaciones/liquidaciones.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { money } from '../ui/format/format.ts';
import { ChoiceBar } from '../ui/list/choice-bar.tsx';
import { LeftOut } from './left-out.tsx';
import { PaymentFields, usePaymentForm } from './payment-form.tsx';
import { useRemesa } from './use-remesa.ts';

type Props = { chosen: readonly Liquidacion[]; onClear: () => void; onKeep: (ids: readonly string[]) => void };

const some = (n: number) => (n === 1 ? '1 liquidación' : `${n} liquidaciones`);
const sum = (chosen: readonly Liquidacion[]) => chosen.reduce((cents, { total }) => cents + Math.round(total * 100), 0) / 100;

/** Actions on the chosen unpaid statements: a bank file, and a common payment. */
export function PayMany({ chosen, onClear, onKeep }: Props) {
  const [paying, setPaying] = useState(false);
  // Deselects statements that the file left out, so that «Marcar como pagadas» cannot reach these statements.
  const { download, busy, partial, forget } = useRemesa(onKeep);
  if (chosen.length === 0) return null;
  const tooMany = chosen.length > MAX_PAGADAS;
  return (
    <>
      <ChoiceBar
        of="Liquidaciones elegidas"
        label={`${some(chosen.length)}, ${money(sum(chosen))}`}
        notes={
          tooMany && (
            <Text size="xs" c="var(--mantine-color-error)">
              Como máximo {MAX_PAGADAS} a la vez
            </Text>
          )
        }
      >
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBuildingBank size={16} aria-hidden />}
          disabled={busy || tooMany}
          onClick={() => download(chosen)}
        >
          Fichero de transferencias
        </Button>
        <Button size="xs" leftSection={<IconCheck size={16} aria-hidden />} disabled={tooMany} onClick={() => setPaying(true)}>
          Marcar como pagadas
        </Button>
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={16} aria-hidden />} onClick={onClear}>
          Quitar selección
        </Button>
      </ChoiceBar>
      <LeftOut remesa={partial} busy={busy} onClose={forget} onRetry={download} />
      <FormDialog opened={paying} onClose={() => setPaying(false)} title="Marcar como pagadas" fillsPhone={false}>
        {(inDialog) => <PayForm chosen={chosen} onDone={() => setPaying(false)} onPaid={onClear} {...inDialog} />}
      </FormDialog>
    </>
  );
}

type FormProps = InDialog & { chosen: readonly Liquidacion[]; onDone: () => void; onPaid: () => void };

function PayForm({ chosen, onDone, onPaid, ...inDialog }: FormProps) {
  const form = usePaymentForm();
  const save = useMutate(pagarLiquidaciones, {
    form,
    failure: 'No se pudieron marcar como pagadas',
    onSuccess: () => {
      onDone();
      onPaid();
    },
    onError: ({ status }) => status === 409 && onDone(),
  });
  const submit = onValid(form, (values) =>
    save.mutate({ body: { ...values, liquidaciones: chosen.map(({ id, version }) => ({ id, version })) } }),
  );
  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit={`Marcar ${some(chosen.length)}`} busy={save.isPending}>
      <Text>
        {some(chosen.length)}, {money(sum(chosen))}. Se avisa a cada persona.
      </Text>
      <PaymentFields form={form} example="Remesa…" />
    </DialogForm>
  );
}
