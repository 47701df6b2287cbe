import { Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { deshacerVarios, verDeshacerVarios } from '../../../contract/deshacer/deshacer.ts';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { REVERSALS, type ReversalName } from '../../../contract/pedidos/reversals.ts';
import { plural } from '../../../contract/text/plural.ts';
import { useApi, useMutate } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogForm, GrowingTextarea, useReason } from '../../ui/form/form-actions.tsx';
import { Skeletons } from '../../ui/list/loaded.tsx';
import classes from './result-dialog.module.css';

type Preview = Answer<typeof verDeshacerVarios>['data'][number];
type Props = { ids: string[]; onClose: () => void; onDone: (rows: Answer<typeof deshacerVarios>['data']) => void };

/** Takes the last step of each chosen order back: says beforehand what that takes back, order by order, and which orders stay as they are. */
export const UndoLoteDialog = ({ opened, ...props }: Props & { opened: boolean }) => (
  <Dialog opened={opened} onClose={props.onClose} title="Deshacer el último paso" size="lg">
    <UndoLoteForm {...props} />
  </Dialog>
);

function UndoLoteForm({ ids, onClose, onDone }: Props) {
  const { data, error } = useApi(verDeshacerVarios, { body: { ids } }, { staleTime: 0 });
  const form = useReason();
  const rows = data?.data ?? [];
  const able = rows.flatMap(({ id, paso, rechazo }) => (paso && !rechazo ? [{ id, paso }] : []));
  const save = useMutate(deshacerVarios, {
    form,
    success: false,
    failure: 'No se pudieron deshacer',
    limit: 60_000,
    onSuccess: (answer) => onDone(answer.data),
  });
  const isAsked = rows.some(({ con_motivo }) => con_motivo);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isAsked && form.validate().hasErrors) return;
    save.mutate({ body: { pedidos: able, motivo: form.values.motivo.trim() || null } });
  };
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      submit={`Deshacer en ${plural(able.length, 'pedido')}`}
      pending={save.isPending ? 'Deshaciendo...' : data ? 'Nada que deshacer' : 'Comprobando...'}
      busy={save.isPending || able.length === 0}
      onCancel={onClose}
      danger
    >
      {error && (
        <Text c="var(--mantine-color-error)" role="alert">
          {error.message}
        </Text>
      )}
      {!data && !error && <Skeletons heights={[96]} />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: makes a long list scrollable by keyboard
        <ul className={classes.list} aria-label="Qué se deshace" tabIndex={0}>
          {rows.map((row) => (
            <li key={row.id} className={classes.row}>
              <Consequences {...row} />
            </li>
          ))}
        </ul>
      )}
      <GrowingTextarea
        label={isAsked ? 'Motivo' : 'Motivo (opcional)'}
        description="Queda en el historial de cada pedido"
        minRows={2}
        maxLength={300}
        required={isAsked}
        data-autofocus
        {...form.getInputProps('motivo')}
      />
    </DialogForm>
  );
}

function Consequences({ numero_orden, paso, vuelve_a, consecuencias, rechazo }: Preview) {
  const reason = rechazo ?? (paso ? undefined : 'Su último paso no se puede deshacer');
  return (
    <div>
      <Text fw={600}>
        {numero_orden}
        {!reason && paso && ` · ${titleOf(paso, vuelve_a)}`}
      </Text>
      {reason ? <Text c="dimmed">Se queda como está: {reason}</Text> : consecuencias.map((words) => <Text key={words}>{words}</Text>)}
    </div>
  );
}

const titleOf = (paso: ReversalName, to: Preview['vuelve_a']) => `${REVERSALS[paso].label}${to ? `: vuelve a «${ESTADO[to].label}»` : ''}`;
