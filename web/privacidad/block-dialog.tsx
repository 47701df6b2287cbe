import { Alert, Checkbox, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/Alert.css';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useImperativeHandle } from 'react';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import { anonimizar, bloquear, desbloquear, type PersonaEncontrada } from '../../contract/privacidad/privacidad.ts';
import { type ApiError, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../ui/form/form-actions.tsx';
import { fecha, number } from '../ui/format/format.ts';

type What = 'bloquear' | 'desbloquear' | 'anonimizar';
/** Action and its orders: all orders of a person (`persona` is the id of one of these orders) or a single order. */
export type Blocking = { what: What; label: string; pedidos: number; abiertos?: number; persona?: string; lista?: Lista; pedido?: string };
type Lista = PersonaEncontrada['lista'];

const WORDS: Record<What, { title: string; says: string; submit: string; pending: string; failure: string }> = {
  bloquear: {
    title: 'Bloquear los datos',
    says: 'Nombre, contacto, dirección y todo lo escrito sobre estos pedidos se guarda cifrado y deja de verse en listas, búsquedas, exportaciones y avisos. Se puede desbloquear.',
    submit: 'Bloquear',
    pending: 'Bloqueando...',
    failure: 'No se pudieron bloquear los datos',
  },
  desbloquear: {
    title: 'Desbloquear los datos',
    says: 'Los datos vuelven a estar donde estaban, a la vista de quien podía verlos.',
    submit: 'Desbloquear',
    pending: 'Desbloqueando...',
    failure: 'No se pudieron desbloquear los datos',
  },
  anonimizar: {
    title: 'Anonimizar los datos',
    says: 'Nombre, contacto, dirección y todo lo escrito sobre estos pedidos se borra. Importes, fechas y provincia se conservan, y ninguna cifra cambia.',
    submit: 'Anonimizar para siempre',
    pending: 'Anonimizando...',
    failure: 'No se pudieron anonimizar los datos',
  },
};

/** Blocks, unblocks or anonymises, with a reason. Anonymising is irreversible, so the dialog also asks for a typed word. */
export const BlockDialog = ({ blocking, opened, onClose }: { blocking: Blocking | undefined; opened: boolean; onClose: () => void }) => (
  <FormDialog opened={opened} onClose={onClose} title={blocking && WORDS[blocking.what].title} fillsPhone={false}>
    {(inDialog) => blocking && <BlockForm blocking={blocking} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

function BlockForm({ blocking, onDone, dirty, onCancel }: InDialog & { blocking: Blocking; onDone: () => void }) {
  const { what, label, pedidos, abiertos = 0, persona, lista = [], pedido } = blocking;
  const words = WORDS[what];
  const forEver = what === 'anonimizar';
  const form = useForm({
    initialValues: { motivo: '', confirmacion: '', elegidos: lista.map(({ id }) => id) },
    validate: {
      elegidos: (ids) => (lista.length > 0 && ids.length === 0 ? 'Elige al menos un pedido' : null),
      motivo: (motivo) => (motivo.trim() ? null : 'Indica el motivo'),
      confirmacion: (typed) => (forEver && typed.trim() !== CONFIRMACION ? `Escribe ${CONFIRMACION} para confirmar` : null),
    },
  });
  useImperativeHandle(dirty, () => form.isDirty);
  const options = { failure: words.failure, form, limit: 60_000 };
  const [block, unblock, anonymise] = [useMutate(bloquear, options), useMutate(desbloquear, options), useMutate(anonimizar, options)];
  const busy = block.isPending || unblock.isPending || anonymise.isPending;

  const submit = onValid(form, ({ motivo, elegidos }) => {
    const isWhole = elegidos.length === lista.length;
    const chosen = persona && isWhole ? { persona } : { pedidos: pedido ? [pedido] : elegidos };
    // Closes on a conflict (already done by another user, or an order is unfinished): the refetched screen shows the reason.
    const then = { onSuccess: onDone, onError: ({ status }: ApiError) => status === 409 && onDone() };
    if (what === 'bloquear') block.mutate({ body: { ...chosen, motivo } }, then);
    else if (what === 'anonimizar') anonymise.mutate({ body: { ...chosen, motivo, confirmacion: CONFIRMACION } }, then);
    else unblock.mutate({ body: { pedidos: pedido ? [pedido] : [], motivo } }, then);
  });

  return (
    <DialogForm onSubmit={submit} submit={words.submit} pending={words.pending} busy={busy} onCancel={onCancel} danger={forEver}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <strong>{label}</strong>: {plural(pedidos, 'pedido')}. {words.says}
      </Text>
      {abiertos > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} role="note">
          {abiertos === 1 ? 'Un pedido no ha terminado' : `${number(abiertos)} pedidos no han terminado`}: complétalos o cancélalos antes.
        </Alert>
      )}
      {forEver && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} role="note">
          No se puede deshacer. En las copias de seguridad siguen hasta que caduquen.
        </Alert>
      )}
      {lista.length > 0 && (
        <Checkbox.Group label="Pedidos" description="Quita los que no sean de esta persona" {...form.getInputProps('elegidos')}>
          <ScrollArea.Autosize mah={220} mt="xs">
            <Stack gap="xs">
              {lista.map(({ id, numero_orden, cliente_nombre, fecha_pedido }) => (
                <Checkbox key={id} value={id} label={`${numero_orden}, ${cliente_nombre}, ${fecha(fecha_pedido)}`} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Checkbox.Group>
      )}
      <GrowingTextarea
        label="Motivo"
        description="Queda en el registro: no escribas datos de la persona"
        withAsterisk
        aria-required
        minRows={2}
        maxLength={300}
        {...form.getInputProps('motivo')}
      />
      {forEver && (
        <TextInput
          label={`Escribe ${CONFIRMACION} para confirmar`}
          withAsterisk
          aria-required
          autoComplete="off"
          maxLength={20}
          {...form.getInputProps('confirmacion')}
        />
      )}
    </DialogForm>
  );
}
