import { SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { KINDS } from '../../../contract/fields.ts';
import { pedidoField } from '../../../contract/pedidos.fields.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { type Recognised, recognise } from './recognise.ts';

export type FromChat = Omit<Recognised, 'rest'>;
type FormProps = { onAccept: (values: FromChat) => void; onClose: () => void };

const FIELDS = ['cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'cliente_codigo_postal', 'cliente_ciudad'] as const;
const EMPTY = {
  mensaje: '',
  cliente_nombre: '',
  cliente_telefono: '',
  cliente_direccion: '',
  cliente_codigo_postal: '',
  cliente_ciudad: '',
};

/** Takes a message from a chat and shows what it says of the customer, for a person to correct and accept. */
export default function ChatDialog({ opened, ...props }: FormProps & { opened: boolean }) {
  return (
    <FormDialog opened={opened} onClose={props.onClose} title="Pegar de un chat">
      {(dialog) => <ChatForm {...props} {...dialog} />}
    </FormDialog>
  );
}

function ChatForm({ onAccept, dirty, onCancel }: Pick<FormProps, 'onAccept'> & InDialog) {
  const form = useForm({ initialValues: EMPTY });
  useImperativeHandle(dirty, () => () => form.isDirty());
  const { mensaje, ...values } = form.values;
  const { rest } = recognise(mensaje);
  const found = FIELDS.some((name) => values[name].trim() !== '');
  // What the message says takes the place of what the one before said.
  const read = (text: string) => form.setValues({ mensaje: text, ...only(recognise(text)) });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(() => {
        form.resetDirty();
        onAccept(values);
      })}
    >
      <Stack gap="sm">
        <Textarea
          label="Mensaje"
          description="Pega lo que te ha escrito el cliente y revisa lo que se ha reconocido."
          rows={6}
          maxLength={4000}
          data-autofocus
          autoComplete="off"
          value={mensaje}
          onChange={(event) => read(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {FIELDS.map((name) => {
            const { label, kind, max } = pedidoField(name);
            return (
              <TextInput
                key={name}
                {...form.getInputProps(name)}
                label={label}
                type={KINDS[kind].inputType ?? 'text'}
                maxLength={max}
                autoComplete="off"
              />
            );
          })}
        </SimpleGrid>
        {rest && (
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            Sin reconocer: {rest}
          </Text>
        )}
        <FormActions submit="Rellenar el pedido" pending="Rellenar el pedido" busy={!found} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const only = (recognised: Recognised): FromChat => {
  const { rest: _, ...values } = recognised;
  return values;
};
