import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useState } from 'react';
import { PRODUCT_FIELDS } from '../../contract/products.fields.ts';
import { createProduct, listProducts, type Product, updateProduct } from '../../contract/products.ts';
import { type ApiError, queryClient, useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { number } from '../ui/format/format.ts';
import { showNumber } from '../ui/format/numbers.ts';
import { toast } from '../ui/page/toast.tsx';
import { createProductBody, isSameName, productProblems, productValues, updateProductBody } from './product-form.ts';
import { StateSelect } from './state-select.tsx';
import { StockMoved } from './stock-moved.tsx';

type Props = {
  /** Kept current: its stock may change while the dialog is open. */
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

// Mounts each time the dialog opens, so it starts from the current list.
function ProductForm({ product, dirty, onBusy, onCancel, onClose }: Pick<Props, 'product' | 'onClose'> & InDialog) {
  const form = useForm({ initialValues: productValues(product), validate: productProblems });
  useImperativeHandle(dirty, () => form.isDirty);
  const { data: products } = useApi(listProducts, {});
  const taken = products?.data.some(({ id, name }) => id !== product?.id && isSameName(name, form.values.name.trim()));
  const [seen, setSeen] = useState(product?.stock ?? 0);

  const refused = (fallback: string) => (error: ApiError) => {
    onBusy(false);
    // Prefers the server's message (specification, section 8).
    const message = error.message || (error.status === 422 ? 'Datos inválidos' : fallback);
    toast.failure({ status: error.status, message }, fallback);
    // Orders took units meanwhile: refresh to show what is left.
    if (error.errors.stock) void queryClient.invalidateQueries({ queryKey: [listProducts.path] });
    focusFirst(form, error.errors);
  };
  const saved = () => {
    onBusy(false);
    onClose();
  };
  const create = useMutate(createProduct, {
    form,
    success: 'Producto creado exitosamente',
    failure: false,
    onError: refused('No se pudo crear el producto'),
    onSuccess: saved,
  });
  const update = useMutate(updateProduct, {
    form,
    success: 'Producto actualizado',
    failure: false,
    onError: refused('No se pudo actualizar el producto'),
    onSuccess: ({ data }, { body }) => {
      saved();
      if (data.stock !== body.stock)
        toast.info(`El stock se movió mientras editabas: ahora hay ${number(data.stock)} unidades de ${data.name}`);
    },
  });
  const submit = form.onSubmit(
    (values) => {
      onBusy(true);
      if (product) update.mutate({ params: { id: product.id }, body: updateProductBody(values, seen) });
      else create.mutate({ body: createProductBody(values) });
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Nombre"
          required
          maxLength={PRODUCT_FIELDS.name.max}
          data-autofocus
          autoComplete="off"
          description={taken && !create.isSuccess && 'Ya hay un producto con ese nombre'}
          descriptionProps={{ c: 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))', role: 'status' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Descripción"
          description="Opcional"
          maxLength={PRODUCT_FIELDS.description.max}
          autosize
          minRows={2}
          maxRows={5}
          {...form.getInputProps('description')}
        />
        <NumberField label="Stock" description="Unidades que hay en el almacén" {...form.getInputProps('stock')} />
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
        <NumberField
          label="Stock mínimo"
          description="Con estas unidades o menos se avisa de bajo stock"
          {...form.getInputProps('min_stock')}
        />
        <StateSelect description="Los packs de un producto inactivo no se ofrecen" {...form.getInputProps('is_active')} />
        <FormActions
          submit={product ? 'Guardar cambios' : 'Crear producto'}
          pending={product ? 'Guardando...' : 'Creando...'}
          busy={create.isPending || update.isPending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
