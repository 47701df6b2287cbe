import '@mantine/core/styles/NumberInput.css';
import { Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { type PedidoFieldName, pedidoField } from '../../contract/pedidos/fields.ts';
import { corregirTienda, type PedidoTienda } from '../../contract/tienda/tienda.ts';
import { useMutate } from '../api.ts';
import { PackPicker, usePacks } from '../pedidos/lineas/pack-picker.tsx';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';

/** Corrects the customer, the note and the lines of a waiting order; only what changes is sent. */
export function CorrectDialog({ pedido, onClose }: { pedido: PedidoTienda | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={`Corregir el pedido ${pedido?.numero ?? ''} de la tienda`}>
      {(inDialog) => pedido && <CorrectForm key={pedido.id} pedido={pedido} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

function CorrectForm({ pedido, onDone, dirty, onCancel }: { pedido: PedidoTienda; onDone: () => void } & InDialog) {
  const names = Object.keys(pedido.campos) as PedidoFieldName[];
  const texts = Object.fromEntries(names.map((name) => [name, pedido.campos[name] ?? '']));
  const lineas = pedido.lineas.map(({ n, cantidad, pack_id }) => ({ n, cantidad, pack_id }));
  const form = useForm({ initialValues: { texts, lineas } });
  const { packs } = usePacks();
  const save = useMutate(corregirTienda, { failure: 'No se pudo corregir', form });
  useImperativeHandle(dirty, () => () => form.isDirty() && !save.isPending);
  const send = (values: typeof form.values) => {
    const changed = names.filter((name) => values.texts[name] !== texts[name]).map((name) => [name, values.texts[name]?.trim() || null]);
    const lines = values.lineas.filter((_, i) => form.isDirty(`lineas.${i}`));
    const body = { ...(changed.length && { campos: Object.fromEntries(changed) }), ...(lines.length && { lineas: lines }) };
    save.mutate({ params: { id: pedido.id }, body }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={onValid(form, send)} noValidate aria-label="Corregir">
      <Stack gap="sm">
        {names.map((name) => {
          const { label, kind, max } = pedidoField(name);
          const shared = { label, maxLength: max, autoComplete: 'off', ...form.getInputProps(`texts.${name}`) };
          return kind === 'multiline' ? (
            <Textarea key={name} autosize minRows={2} {...shared} maxLength={undefined} />
          ) : (
            <TextInput key={name} {...shared} />
          );
        })}
        {pedido.lineas.map(({ n, nombre }, i) => (
          <Group key={n} align="flex-end" wrap="nowrap">
            <PackPicker
              label={nombre}
              packs={packs}
              value={form.values.lineas[i]?.pack_id ?? null}
              onChange={(id) => form.setFieldValue(`lineas.${i}.pack_id`, id)}
              flex={1}
            />
            <NumberInput
              label="Cantidad"
              aria-label={`Cantidad de ${nombre}`}
              min={1}
              max={9999}
              allowDecimal={false}
              w={100}
              {...form.getInputProps(`lineas.${i}.cantidad`)}
            />
          </Group>
        ))}
        <FormActions submit="Guardar y leer otra vez" pending="Guardando..." busy={save.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
