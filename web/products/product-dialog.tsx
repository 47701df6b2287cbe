import { Alert, Button, FileButton, Group, Input, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useImperativeHandle, useRef, useState } from 'react';
import { PACK_FIELDS, PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import { createPack, createProduct, listProducts, type Product, setPicture, updateProduct } from '../../contract/products/products.ts';
import { call, queryClient, useApi, useMutate } from '../api.ts';
import { IvaSelect } from '../iva/iva-select.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { FormActions, GrowingTextarea, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { fieldInputs } from '../ui/form/rules.ts';
import { shrinkPicture } from '../ui/form/shrink.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { number, showNumber } from '../ui/format/format.ts';
import { MetadataSection } from '../ui/page/metadata.tsx';
import { TIME_TO_UNDO, toast } from '../ui/page/toast.tsx';
import { Picture } from './picture.tsx';
import {
  createProductBody,
  firstPackBody,
  isSameName,
  lacksToSell,
  productProblems,
  productValues,
  updateProductBody,
} from './product-form.ts';
import { StateSelect, showState } from './state-select.tsx';

const IVA_HINT = 'Va incluido en el precio. Los pedidos ya hechos conservan el suyo; las líneas sin tipo lo reciben cuando tú lo digas';

type Props = {
  /** Live record: its stock may change while the dialog is open. */
  product: Product | undefined;
  opened: boolean;
  onClose: () => void;
};

export const ProductDialog = ({ product, opened, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title={product ? 'Editar producto' : 'Nuevo producto'} size={product ? 'md' : 'lg'}>
    {(inDialog) => <ProductForm key={product?.id} product={product} onClose={onClose} {...inDialog} />}
  </FormDialog>
);

// Mounted on every opening, so that the form starts from the product's current values.
function ProductForm({ product, dirty, onCancel, onClose }: Pick<Props, 'product' | 'onClose'> & InDialog) {
  const form = useForm({ initialValues: productValues(product), validate: productProblems });
  const input = fieldInputs(PRODUCT_FIELDS, form.getInputProps);
  const { data: products } = useApi(listProducts, {});
  const taken = products?.data.some(({ id, name }) => id !== product?.id && isSameName(name, form.values.name.trim()));
  const withIva = useSession().iva === true;
  const picture = usePicture(product);
  const { conflict, seen, take, created, updated, saving, submit } = useSaveProduct({ product, form, picture, withIva, onClose });
  useImperativeHandle(dirty, () => () => (form.isDirty() || picture.changed) && !saving);

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {conflict.panel}
        <TextInput
          {...input('name')}
          data-autofocus
          autoComplete="off"
          description={taken && !created && 'Ya hay un producto con ese nombre'}
          descriptionProps={{ c: 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))', role: 'status' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <SimpleGrid cols={{ base: 1, xs: product ? 2 : 3 }} spacing="sm">
          {!product && (
            <NumberField
              {...form.getInputProps('price')}
              label="Precio (€)"
              placeholder="Sin precio"
              description="De cada pack"
              decimals={2}
              step={0.01}
            />
          )}
          <NumberField {...input('stock')} description="Unidades que hay" />
          <NumberField {...input('min_stock')} description="Con estas se avisa" />
        </SimpleGrid>
        {product && product.stock !== seen && !updated && <StockMoved seen={seen} now={product.stock} onTake={take} />}
        {!product && form.values.price.trim() !== '' && (
          <SimpleGrid cols={2} spacing="sm">
            <TextInput {...form.getInputProps('pack_name')} label="Se vende por" autoComplete="off" maxLength={PACK_FIELDS.name.max} />
            <NumberField {...form.getInputProps('pack_quantity')} label="Unidades en cada pack" min={1} />
          </SimpleGrid>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <StateSelect description="Inactivo no se ofrece" {...form.getInputProps('is_active')} />
          <GrowingTextarea {...input('description')} description="Opcional" minRows={1} maxRows={5} />
        </SimpleGrid>
        {picture.field}
        {withIva && <IvaSelect {...form.getInputProps('iva')} description={product ? IVA_HINT : 'Va incluido en el precio'} />}
        <MetadataSection metadata={product?.metadata} />
        <FormActions
          submit={product ? 'Guardar cambios' : 'Crear producto'}
          pending={product ? 'Guardando...' : 'Creando...'}
          busy={saving}
          onCancel={onCancel}
          also={
            !product &&
            !form.values.is_active &&
            form.values.price.trim() !== '' && (
              <Button
                variant="light"
                disabled={saving}
                onClick={() => {
                  form.setFieldValue('is_active', true);
                  submit();
                }}
              >
                Crear y vender
              </Button>
            )
          }
        />
      </Stack>
    </form>
  );
}

/** Warns that the stock has changed since the form opened: the server books the difference from `seen`. */
const StockMoved = ({ seen, now, onTake }: { seen: number; now: number; onTake: () => void }) => (
  <Alert color="orange" icon={<IconArrowsExchange size={18} />} role="status" py="xs">
    <Group justify="space-between">
      <Text>
        El stock ha cambiado mientras editabas: había {number(seen)} y ahora hay {number(now)}.
      </Text>
      <Button variant="default" size="xs" onClick={onTake}>
        Partir de {number(now)}
      </Button>
    </Group>
  </Alert>
);

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
function useSaveProduct({ product, form, picture, withIva, onClose }: Saved) {
  const [seen, setSeen] = useState(product?.stock ?? 0);

  const say = useSayWhetherSold();
  const unit = useMutate(createPack, {
    success: false,
    failure: false,
    onError: ({ message, about }) => toast.error(`El producto se ha creado, pero no su pack: ${message}`, { about }),
  });
  const create = useMutate(createProduct, {
    form,
    success: false,
    failure: 'No se pudo crear el producto',
    onSuccess: ({ data: made }) => void finish(made),
  });
  async function finish(made: Product) {
    const body = firstPackBody(made, form.getValues());
    // Closes the dialog even if the pack is refused, because the product exists; a toast names the refusal.
    const pack = body && (await unit.mutateAsync({ body }).catch(() => undefined));
    await picture.save(made.id).then(onClose);
    say('Producto creado exitosamente', { ...made, packs_activos: pack ? 1 : 0 });
  }
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
    label: (field) => (field in PRODUCT_FIELDS ? PRODUCT_FIELDS[field as keyof typeof PRODUCT_FIELDS].label : 'Estado'),
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

/** Says in one toast what has been done, and whether the product can be sold, or what it lacks, with the next step. */
function useSayWhetherSold() {
  const navigate = useNavigate();
  const activate = useMutate(updateProduct, {
    success: false,
    failure: 'No se pudo actualizar el producto',
    onSuccess: ({ data }) => say('Producto actualizado', data),
  });
  // Rereads the product, because a picture saved meanwhile has raised its version.
  async function activateNow(made: Product) {
    const stored = (await call(listProducts)).data.find(({ id }) => id === made.id) ?? made;
    activate.mutate({ params: { id: made.id }, body: { is_active: true, version: stored.version } });
  }
  function say(done: string, product: Product) {
    const { id, is_active, packs_activos } = product;
    const lacks = lacksToSell(product);
    const sell = { label: 'Crear un pedido', onClick: () => void navigate({ to: '/pedidos/nuevo-admin' }) };
    const stock = { label: 'Apuntar existencias', onClick: () => void navigate({ to: '/control-stock', search: { abrir: id } }) };
    const action = !lacks ? sell : !is_active ? { label: 'Activarlo', onClick: () => void activateNow(product) } : packs_activos && stock;
    toast.success(lacks ? `Aún no se vende: ${lacks}.` : 'Ya se puede vender.', {
      title: done,
      ...(action && { action }),
      about: 'siguiente',
      autoClose: TIME_TO_UNDO,
    });
  }
  return say;
}

/** Picture of a product form; `save` sends a changed picture, after the product is saved. */
function usePicture(product: Product | undefined) {
  // Chosen picture in base64; null removes the picture, undefined keeps it.
  const [chosen, setChosen] = useState<string | null>();
  const [error, setError] = useState('');
  const reset = useRef<() => void>(null);
  const send = useMutate(setPicture, { success: false, failure: 'No se pudo guardar la imagen' });
  const shown = chosen === undefined ? (product?.picture ?? null) : chosen && `data:image/jpeg;base64,${chosen}`;

  function choose(picture: string | null, problem = '') {
    reset.current?.();
    setError(problem);
    if (!problem) setChosen(picture);
  }
  const read = (file: File | null) =>
    file && shrinkPicture(file).then(choose, () => choose(null, 'No se pudo leer la imagen. Elige una foto JPG, PNG o WebP.'));

  return {
    changed: chosen !== undefined,
    saving: send.isPending,
    save: async (id: string) => {
      // The toast has reported the failure; the product itself is saved.
      if (chosen !== undefined) await send.mutateAsync({ params: { id }, body: { picture: chosen } }).catch(() => undefined);
    },
    field: (
      <Input.Wrapper
        label="Imagen"
        labelElement="div"
        description="Se ve al elegir el pack, en el pedido, en la lista de preparación y en la página del cliente"
        error={error}
      >
        <Group gap="sm" mt={8}>
          <Picture of={shown} name={product?.name ?? ''} size={56} />
          <FileButton accept="image/*" onChange={(file) => void read(file)} resetRef={reset}>
            {(props) => (
              <Button {...props} variant="default" size="xs">
                {shown ? 'Cambiar imagen' : 'Elegir imagen'}
              </Button>
            )}
          </FileButton>
          {shown && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => choose(null)}>
              Quitar imagen
            </Button>
          )}
        </Group>
      </Input.Wrapper>
    ),
  };
}
