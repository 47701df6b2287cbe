import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useImperativeHandle, useState } from 'react';
import { PACK_FIELDS } from '../../contract/products/fields.ts';
import { createPack, listPacks, type Pack, type Product, updatePack } from '../../contract/products/products.ts';
import { call, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { Picker } from '../ui/form/picker.tsx';
import { inputsOf } from '../ui/form/rules.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { toast } from '../ui/page/toast.tsx';
import { createPackBody, packProblems, packValues, updatePackBody } from './pack-form.ts';
import { StateSelect, showState } from './state-select.tsx';

type Props = {
  products: readonly Product[];
  pack: Pack | undefined;
  /** True if the shop has no pack yet. */
  first: boolean;
  opened: boolean;
  onClose: () => void;
};

export function PackDialog({ opened, ...props }: Props) {
  const { pack, onClose } = props;
  return (
    <FormDialog opened={opened} onClose={onClose} title={pack ? 'Editar pack' : 'Nuevo pack'}>
      {(inDialog) => <PackForm key={pack?.id} {...props} {...inDialog} />}
    </FormDialog>
  );
}

// Mounted on every opening, so that the form starts from the pack's current values.
function PackForm({ products, pack, first, dirty, onCancel, onClose }: Omit<Props, 'opened'> & InDialog) {
  const form = useForm({ initialValues: packValues(pack, products), validate: packProblems });
  // With a known product there is nothing to choose, so the name is the first field.
  const known = !!pack || products.length === 1;
  const input = inputsOf(PACK_FIELDS, form.getInputProps);
  const navigate = useNavigate();
  const [isFirst] = useState(first);
  const create = useMutate(createPack, {
    form,
    success: 'Pack creado',
    failure: 'No se pudo crear el pack',
    onSuccess: ({ data }) => {
      onClose();
      if (isFirst && data.available) {
        toast.info('Ya se puede vender.', {
          action: { label: 'Crear un pedido', onClick: () => void navigate({ to: '/pedidos/nuevo-admin' }) },
        });
      }
    },
  });
  const conflict = useConflict({
    record: pack,
    form,
    valuesOf: packValues,
    read: async () => (await call(listPacks)).data.find(({ id }) => id === pack?.id),
    title: 'Otra persona ha cambiado este pack mientras lo editabas',
    label: (field) => (field === 'is_active' ? 'Estado' : PACK_FIELDS[field].label),
    show: showState,
  });
  const update = useMutate(updatePack, {
    success: 'Pack actualizado',
    failure: 'No se pudo actualizar el pack',
    onStale: conflict.onStale,
    form,
    onSuccess: onClose,
  });
  const saving = create.isPending || update.isPending;
  useImperativeHandle(dirty, () => () => form.isDirty() && !saving);
  const submit = onValid(form, (values) => {
    const { base } = conflict;
    if (base) update.mutate({ params: { id: base.id }, body: updatePackBody(values, base.version) });
    else create.mutate({ body: createPackBody(values) });
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {conflict.panel}
        {pack ? (
          <TextInput label="Producto" description="El producto de un pack no cambia" value={pack.product_name} readOnly variant="filled" />
        ) : (
          <Picker
            placeholder="Elige un producto"
            data-autofocus={!known || undefined}
            nothingFoundMessage="Ningún producto coincide"
            data={products.map(({ id, name, is_active }) => ({ value: id, label: is_active ? name : `${name} (inactivo)` }))}
            {...input('product_id')}
          />
        )}
        <TextInput {...input('name')} label="Nombre del pack" autoComplete="off" data-autofocus={known || undefined} />
        <TextInput {...input('alias')} description="Nombre corto para encontrarlo deprisa" autoComplete="off" />
        <NumberField {...input('pack_quantity')} description="Unidades del producto en cada pack" min={1} />
        <NumberField
          {...input('pack_price')}
          label="Precio (€)"
          description={pack ? 'Los pedidos ya hechos conservan su precio' : 'De cada pack'}
          decimals={2}
          step={0.01}
        />
        <StateSelect description="Solo los packs activos se ofrecen en los pedidos" {...form.getInputProps('is_active')} />
        <FormActions
          submit={pack ? 'Guardar cambios' : 'Crear pack'}
          pending={pack ? 'Guardando...' : 'Creando...'}
          busy={saving}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
