import type { UseFormReturnType } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import { createPack, createProduct, listProducts, type Product, updateProduct } from '../../contract/products/products.ts';
import { call, queryClient, useMutate } from '../api.ts';
import { onValid } from '../ui/form/focus-first.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { number } from '../ui/format/format.ts';
import { showNumber } from '../ui/format/numbers.ts';
import { toast } from '../ui/page/toast.tsx';
import { createProductBody, productValues, unitPackBody, updateProductBody } from './product-form.ts';
import { showState } from './state-select.tsx';
import type { usePicture } from './use-picture.tsx';

type Form = UseFormReturnType<ReturnType<typeof productValues>>;
type Saved = {
  product: Product | undefined;
  form: Form;
  picture: ReturnType<typeof usePicture>;
  /** True if the shop uses VAT. */
  withIva: boolean;
  onClose: () => void;
};

/** Saves a new product with its unit pack, or a changed product. Orders may have moved the stock meanwhile. */
export function useSaveProduct({ product, form, picture, withIva, onClose }: Saved) {
  const [seen, setSeen] = useState(product?.stock ?? 0);

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
    // Refetches to show the remaining stock, because orders took units meanwhile.
    onError: ({ errors }) => errors.stock && void queryClient.invalidateQueries({ queryKey: [listProducts.path] }),
    onSuccess: ({ data }, { body }) => {
      void picture.save(data.id).then(onClose);
      if (data.stock !== body?.stock)
        toast.info(`El stock se movió mientras editabas: ahora hay ${number(data.stock)} unidades de ${data.name}`);
    },
  });
  const saving = create.isPending || unit.isPending || update.isPending || picture.saving;
  const submit = onValid(form, (values) => {
    const { base } = conflict;
    if (base) update.mutate({ params: { id: base.id }, body: updateProductBody(values, { stock: seen, version: base.version, withIva }) });
    else create.mutate({ body: createProductBody(values, withIva) });
  });
  const take = () => {
    const { stock } = product ?? { stock: seen };
    setSeen(stock);
    form.setFieldValue('stock', showNumber(stock));
  };
  return { conflict, seen, take, created: create.isSuccess, updated: update.isSuccess, saving, submit };
}

function useCreate(form: Form, onCreated: (product: Product) => Promise<void>) {
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
      // Rereads the product, because a picture saved meanwhile has raised its version.
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
