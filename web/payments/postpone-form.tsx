import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { aplazarEntrega } from '../../contract/pagar/pagar.ts';
import { MAX_NOTA_APLAZAR } from '../../contract/pedidos/attempts.ts';
import { useMutate } from '../api.ts';
import { ChoiceTiles } from '../ui/form/choice-tiles.tsx';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';
import { fechaCercana } from '../ui/format/format.ts';

type Props = { token: string; days: readonly string[]; onDone: () => void };

const SHOWN = 6;

/** Asks for another delivery day and a note to the carrier. */
export default function PostponeForm({ token, days, onDone }: Props) {
  const form = useForm({
    initialValues: { dia: '', nota: '' },
    validate: { dia: (dia) => (dia ? null : 'Elige un día') },
  });
  const send = useMutate(aplazarEntrega, { failure: 'No se pudo enviar el aviso', form });
  const submit = form.onSubmit((body) => send.mutate({ params: { token }, body }, { onSuccess: onDone }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" mt="xs">
        <ChoiceTiles
          label="¿Qué día te viene bien?"
          options={days.slice(0, SHOWN).map((dia) => ({ value: dia, label: fechaCercana(dia) }))}
          value={form.values.dia}
          onChange={(dia) => form.setFieldValue('dia', dia)}
          error={form.errors.dia}
        />
        <GrowingTextarea
          label="Nota para el transportista (opcional)"
          description="Por ejemplo, a qué hora estás o a quién se lo puede dejar."
          minRows={2}
          maxRows={5}
          maxLength={MAX_NOTA_APLAZAR}
          {...form.getInputProps('nota')}
        />
        <Button type="submit" mih={44} loading={send.isPending}>
          Avisar
        </Button>
        <Button variant="subtle" mih={44} onClick={onDone}>
          Cancelar
        </Button>
      </Stack>
    </form>
  );
}
