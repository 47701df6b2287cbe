import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { PACK_FIELDS } from '../../contract/products.fields.ts';
import { createPack, type Pack, type Product, updatePack } from '../../contract/products.ts';
import { type ApiError, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { Picker } from '../ui/form/picker.tsx';
import { createPackBody, packProblems, packValues, updatePackBody } from './pack-form.ts';
import { StateSelect } from './state-select.tsx';

type Props = { products: readonly Product[]; pack: Pack | undefined; opened: boolean; onClose: () => void };

/** Creates a pack of one of `products`, or edits `pack`. */
export function PackDialog({ products, pack, opened, onClose }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={pack ? 'Editar pack' : 'Nuevo pack'}>
      {(inDialog) => <PackForm key={pack?.id} products={products} pack={pack} onClose={onClose} {...inDialog} />}
    </FormDialog>
  );
}

// Mounts each time the dialog opens, so it starts from the current list.
function PackForm({ products, pack, dirty, onBusy, onCancel, onClose }: Omit<Props, 'opened'> & InDialog) {
  const form = useForm({ initialValues: packValues(pack), validate: packProblems });
  useImperativeHandle(dirty, () => form.isDirty);
  const ended = {
    form,
    onError: (error: ApiError) => {
      onBusy(false);
      focusFirst(form, error.errors);
    },
    onSuccess: () => {
      onBusy(false);
      onClose();
    },
  };
  const create = useMutate(createPack, { success: 'Pack creado', failure: 'No se pudo crear el pack', ...ended });
  const update = useMutate(updatePack, { success: 'Pack actualizado', failure: 'No se pudo actualizar el pack', ...ended });
  const submit = form.onSubmit(
    (values) => {
      onBusy(true);
      if (pack) update.mutate({ params: { id: pack.id }, body: updatePackBody(values) });
      else create.mutate({ body: createPackBody(values) });
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {pack ? (
          <TextInput label="Producto" description="El producto de un pack no cambia" value={pack.product_name} readOnly variant="filled" />
        ) : (
          <Picker
            label="Producto"
            placeholder="Elige un producto"
            required
            data-autofocus
            nothingFoundMessage="Ningún producto coincide"
            data={products.map(({ id, name, is_active }) => ({ value: id, label: is_active ? name : `${name} (inactivo)` }))}
            {...form.getInputProps('product_id')}
          />
        )}
        <TextInput
          label="Nombre del pack"
          required
          maxLength={PACK_FIELDS.name.max}
          autoComplete="off"
          data-autofocus={pack ? true : undefined}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Alias"
          description="Nombre corto para encontrarlo deprisa"
          required
          maxLength={PACK_FIELDS.alias.max}
          autoComplete="off"
          {...form.getInputProps('alias')}
        />
        <NumberField label="Cantidad" description="Unidades del producto en cada pack" min={1} {...form.getInputProps('pack_quantity')} />
        <NumberField
          label="Precio (€)"
          description={pack ? 'Los pedidos ya hechos conservan su precio' : 'De cada pack'}
          decimals={2}
          step={0.01}
          {...form.getInputProps('pack_price')}
        />
        <StateSelect description="Solo los packs activos se ofrecen en los pedidos" {...form.getInputProps('is_active')} />
        <FormActions
          submit={pack ? 'Guardar cambios' : 'Crear pack'}
          pending={pack ? 'Guardando...' : 'Creando...'}
          busy={create.isPending || update.isPending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
