import { Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useImperativeHandle, useState } from 'react';
import { PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import { createPack, createProduct, listProducts, type Product, updateProduct } from '../../contract/products/products.ts';
import { call, queryClient, useApi, useMutate } from '../api.ts';
import { IvaSelect } from '../iva/iva-select.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { inputsOf } from '../ui/form/rules.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { number } from '../ui/format/format.ts';
import { showNumber } from '../ui/format/numbers.ts';
import { MetadataSection } from '../ui/page/metadata.tsx';
import { toast } from '../ui/page/toast.tsx';
import { createProductBody, isSameName, productProblems, productValues, unitPackBody, updateProductBody } from './product-form.ts';
import { StateSelect, showState } from './state-select.tsx';
import { StockMoved } from './stock-moved.tsx';
import { usePicture } from './use-picture.tsx';

const IVA_HINT = 'Va incluido en el precio. Los pedidos ya hechos conservan el suyo; las líneas sin tipo lo reciben cuando tú lo digas';

type Props = {
  /** Live record: its stock may change while the dialog is open. */
  product: Product | undefined;
  opened: boolean;
  onClose: () => void;
};

/** Creates a product, or edits `product`. */
export function ProductDialog({ product, opened, onClose }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={product ? 'Editar producto' : 'Nuevo producto'}>
      {(inDialog) => <ProductForm key={product?.id} product={product} onClose={onClose} {...inDialog} />}
    </FormDialog>
  );
}

// Mounted on every opening, so that it starts from the current list.
function ProductForm({ product, dirty, onCancel, onClose }: Pick<Props, 'product' | 'onClose'> & InDialog) {
  const form = useForm({ initialValues: productValues(product), validate: productProblems });
  const input = inputsOf(PRODUCT_FIELDS, form.getInputProps);
  const { data: products } = useApi(listProducts, {});
  const taken = products?.data.some(({ id, name }) => id !== product?.id && isSameName(name, form.values.name.trim()));
  const withIva = useSession().iva === true;
  const [seen, setSeen] = useState(product?.stock ?? 0);
  const picture = usePicture(product);

  const unit = useMutate(createPack, {
    failure: false,
    onError: ({ message, about }) => toast.error(`El producto se ha creado, pero no su pack: ${message}`, { about }),
  });
  const create = useCreate(form, async (made) => {
    const body = unitPackBody(made, form.getValues());
    // Closes the dialog even if the pack is refused, because the product exists; a toast names the refusal.
    if (body) await unit.mutateAsync({ body }).catch(() => undefined);
    await picture.save(made.id).then(onClose);
  });
  const conflict = useConflict({
    record: product,
    form,
    valuesOf: productValues,
    read: async () => {
      const stored = (await call(listProducts)).data.find(({ id }) => id === product?.id);
      if (stored) setSeen(stored.stock);
      return stored;
    },
    title: 'Otra persona ha cambiado este producto mientras lo editabas',
    label: (field) => (field === 'is_active' ? 'Estado' : field === 'price' ? 'Precio' : PRODUCT_FIELDS[field].label),
    show: showState,
  });
  const update = useMutate(updateProduct, {
    form,
    onStale: conflict.onStale,
    success: 'Producto actualizado',
    failure: 'No se pudo actualizar el producto',
    // Orders took units meanwhile: refetch to show the remaining stock.
    onError: ({ errors }) => errors.stock && void queryClient.invalidateQueries({ queryKey: [listProducts.path] }),
    onSuccess: ({ data }, { body }) => {
      void picture.save(data.id).then(onClose);
      if (data.stock !== body?.stock)
        toast.info(`El stock se movió mientras editabas: ahora hay ${number(data.stock)} unidades de ${data.name}`);
    },
  });
  const saving = create.isPending || unit.isPending || update.isPending || picture.saving;
  useImperativeHandle(dirty, () => () => (form.isDirty() || picture.changed) && !saving);
  const submit = form.onSubmit(
    (values) => {
      const { base } = conflict;
      if (base)
        update.mutate({ params: { id: base.id }, body: updateProductBody(values, { stock: seen, version: base.version, withIva }) });
      else create.mutate({ body: createProductBody(values, withIva) });
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {conflict.panel}
        <TextInput
          {...input('name')}
          data-autofocus
          autoComplete="off"
          description={taken && !create.isSuccess && 'Ya hay un producto con ese nombre'}
          descriptionProps={{ c: 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))', role: 'status' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Textarea {...input('description')} description="Opcional" autosize minRows={2} maxRows={5} />
        {picture.field}
        <NumberField {...input('stock')} description="Unidades que hay en el almacén" />
        {product && product.stock !== seen && !update.isSuccess && (
          <StockMoved
            seen={seen}
            now={product.stock}
            onTake={() => {
              setSeen(product.stock);
              form.setFieldValue('stock', showNumber(product.stock));
            }}
          />
        )}
        {!product && (
          <NumberField
            {...form.getInputProps('price')}
            label="Precio (€)"
            placeholder="Sin precio"
            description="Con precio se crea también su pack de una unidad"
            decimals={2}
            step={0.01}
          />
        )}
        <NumberField {...input('min_stock')} description="Con estas unidades o menos se avisa de bajo stock" />
        {withIva && <IvaSelect {...form.getInputProps('iva')} description={product ? IVA_HINT : 'Va incluido en el precio'} />}
        <StateSelect description="Los packs de un producto inactivo no se ofrecen" {...form.getInputProps('is_active')} />
        <MetadataSection metadata={product?.metadata} />
        <FormActions
          submit={product ? 'Guardar cambios' : 'Crear producto'}
          pending={product ? 'Guardando...' : 'Creando...'}
          busy={saving}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

/** Creates a product, and offers to activate an inactive one. */
function useCreate(form: UseFormReturnType<ReturnType<typeof productValues>>, onCreated: (product: Product) => Promise<void>) {
  const navigate = useNavigate();
  const activate = useMutate(updateProduct, {
    success: 'Producto actualizado',
    failure: 'No se pudo actualizar el producto',
    onSuccess: () => {
      if (form.getValues().price.trim())
        toast.info('Ya se puede vender.', {
          action: { label: 'Crear un pedido', onClick: () => void navigate({ to: '/pedidos/nuevo-admin' }) },
        });
    },
  });
  return useMutate(createProduct, {
    form,
    success: 'Producto creado exitosamente',
    failure: 'No se pudo crear el producto',
    onSuccess: ({ data }) => {
      void onCreated(data);
      if (data.is_active) return;
      // Read again: a picture saved meanwhile has raised the version.
      const activateNow = async () => {
        const stored = (await call(listProducts)).data.find(({ id }) => id === data.id) ?? data;
        activate.mutate({ params: { id: data.id }, body: { is_active: true, version: stored.version } });
      };
      toast.info('Está inactivo: hasta que lo actives, sus packs no se venden.', {
        action: { label: 'Activarlo', onClick: () => void activateNow() },
      });
    },
  });
}
