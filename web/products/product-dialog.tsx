import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { createProduct, listProducts, type Product, updateProduct } from '../../contract/products.ts';
import { type ApiError, queryClient, useMutate } from '../api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { focusFirst } from '../ui/focus-first.ts';
import { FormActions } from '../ui/form-actions.tsx';
import { number } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { NumberField } from './number-field.tsx';
import { showNumber } from './numbers.ts';
import { createProductBody, productProblems, productValues, updateProductBody } from './product-form.ts';
import { StateSelect } from './state-select.tsx';
import { StockMoved } from './stock-moved.tsx';

type Props = {
  /** As the list has it now: its stock may move while the dialog is open. */
  product: Product | undefined;
  opened: boolean;
  onClose: () => void;
};

/** «Nuevo producto», or the edit of `product`. */
export function ProductDialog({ product, opened, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} title={product ? 'Editar producto' : 'Nuevo producto'} size="md" dismissible={!busy}>
      <ProductForm key={product?.id} product={product} onBusy={setBusy} onClose={onClose} />
    </Dialog>
  );
}

// Mounted each time the dialog opens, so it starts from what the list shows.
function ProductForm({ product, onBusy, onClose }: Pick<Props, 'product' | 'onClose'> & { onBusy: (busy: boolean) => void }) {
  const form = useForm({ initialValues: productValues(product), validate: productProblems });
  const [seen, setSeen] = useState(product?.stock ?? 0);

  const refused = (fallback: string) => (error: ApiError) => {
    onBusy(false);
    // The server's own words first (specification, section 8).
    const message = error.message || (error.status === 422 ? 'Datos inválidos' : fallback);
    toast.failure({ status: error.status, message }, fallback);
    // Orders were faster: the form shows what is left.
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
          withAsterisk={false}
          maxLength={120}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Descripción"
          description="Opcional"
          maxLength={500}
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
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
