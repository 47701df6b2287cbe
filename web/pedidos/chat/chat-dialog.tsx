import { Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useRef } from 'react';
import { KINDS } from '../../../contract/kit/fields.ts';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { poblacionesDe } from '../cliente/poblaciones.ts';
import { PackPicker } from '../lineas/pack-picker.tsx';
import { postcodeIn, READ_FIELDS, type Recognised, recogniseOrder } from './recognise.ts';

export type FromChat = Omit<Recognised, 'rest'>;
type FormProps = { packs: readonly Pack[] | undefined; onAccept: (values: FromChat) => void; onClose: () => void };

const { rest: _, ...NOTHING } = recogniseOrder('');
const EMPTY = { mensaje: '', ...NOTHING };

/** Recognises an order in a pasted chat message, for a person to correct and accept. */
export default function ChatDialog({ opened, ...props }: FormProps & { opened: boolean }) {
  return (
    <FormDialog opened={opened} onClose={props.onClose} title="Pegar de un chat">
      {(dialog) => <ChatForm {...props} {...dialog} />}
    </FormDialog>
  );
}

function ChatForm({ packs, onAccept, dirty, onCancel }: Pick<FormProps, 'packs' | 'onAccept'> & InDialog) {
  const form = useForm({ initialValues: EMPTY });
  useImperativeHandle(dirty, () => () => form.isDirty());
  const { mensaje, ...values } = form.values;
  const rest = useRef('');
  const found = READ_FIELDS.some((name) => values[name].trim() !== '') || values.items.length > 0;
  // Replaces the values of the previous message. Once the towns of the postcode have loaded, updates the fields that are still uncorrected.
  function read(text: string) {
    const { rest: left, ...first } = recogniseOrder(text, { towns: [], packs: packs ?? [] });
    rest.current = left;
    form.setValues({ mensaje: text, ...first });
    void poblacionesDe(postcodeIn(text), '').then((towns) => {
      const now = form.getValues();
      if (towns.length === 0 || now.mensaje !== text) return;
      const { rest: left, ...again } = recogniseOrder(text, { towns, packs: packs ?? [] });
      rest.current = left;
      const untouched = (name: keyof typeof first) => JSON.stringify(now[name]) === JSON.stringify(first[name]);
      form.setValues(Object.fromEntries(Object.entries(again).filter(([name]) => untouched(name as keyof typeof first))));
    });
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(() => {
        form.resetDirty();
        onAccept(values);
      })}
    >
      <Stack>
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
          {READ_FIELDS.map((name) => {
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
        {values.items.map(({ pack_id, words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: only a new message changes the order of the items
          <Group key={index} gap="sm" align="flex-end" wrap="nowrap">
            <PackPicker
              {...form.getInputProps(`items.${index}.pack_id`)}
              packs={packs}
              like={words}
              label={`Pack: «${words}»`}
              value={pack_id || null}
              onChange={(value) => form.setFieldValue(`items.${index}.pack_id`, value ?? '')}
              style={{ flex: 1, minWidth: 0 }}
            />
            <TextInput
              {...form.getInputProps(`items.${index}.cantidad`)}
              label="Cantidad"
              inputMode="numeric"
              w="5.5rem"
              autoComplete="off"
            />
          </Group>
        ))}
        {rest.current && (
          <Text c="dimmed" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            Sin reconocer: {rest.current}
          </Text>
        )}
        <FormActions submit="Rellenar el pedido" pending="Rellenar el pedido" busy={!found} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
