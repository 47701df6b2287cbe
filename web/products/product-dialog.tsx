import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useImperativeHandle } from 'react';
import { PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import { listProducts, type Product } from '../../contract/products/products.ts';
import { useApi } from '../api.ts';
import { IvaSelect } from '../iva/iva-select.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { FormActions } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';
import { inputsOf } from '../ui/form/rules.ts';
import { number } from '../ui/format/format.ts';
import { MetadataSection } from '../ui/page/metadata.tsx';
import { isSameName, productProblems, productValues } from './product-form.ts';
import { StateSelect } from './state-select.tsx';
import { usePicture } from './use-picture.tsx';
import { useSaveProduct } from './use-save-product.ts';

const IVA_HINT = 'Va incluido en el precio. Los pedidos ya hechos conservan el suyo; las líneas sin tipo lo reciben cuando tú lo digas';

type Props = {
  /** Live record: its stock may change while the dialog is open. */
  product: Product | undefined;
  opened: boolean;
  onClose: () => void;
};

export const ProductDialog = ({ product, opened, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title={product ? 'Editar producto' : 'Nuevo producto'}>
    {(inDialog) => <ProductForm key={product?.id} product={product} onClose={onClose} {...inDialog} />}
  </FormDialog>
);

// Mounted on every opening, so that the form starts from the product's current values.
function ProductForm({ product, dirty, onCancel, onClose }: Pick<Props, 'product' | 'onClose'> & InDialog) {
  const form = useForm({ initialValues: productValues(product), validate: productProblems });
  const input = inputsOf(PRODUCT_FIELDS, form.getInputProps);
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
        <GrowingTextarea {...input('description')} description="Opcional" minRows={2} maxRows={5} />
        {picture.field}
        <NumberField {...input('stock')} description="Unidades que hay en el almacén" />
        {product && product.stock !== seen && !updated && <StockMoved seen={seen} now={product.stock} onTake={take} />}
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
