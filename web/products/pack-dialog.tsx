import { Badge, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useImperativeHandle, useState } from 'react';
import { problemOf } from '../../contract/kit/fields.ts';
import { PACK_FIELDS } from '../../contract/products/fields.ts';
import { deletePrecio, listPrecios, type Precio, setPrecio } from '../../contract/products/precios.ts';
import { createPack, listPacks, type Pack, type Product, updatePack } from '../../contract/products/products.ts';
import { listUsers } from '../../contract/users/users.ts';
import { call, useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DayField } from '../ui/form/day-field.tsx';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { Picker } from '../ui/form/picker.tsx';
import { fieldInputs } from '../ui/form/rules.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { fecha, money, parseNumber, today } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { RowAction } from '../ui/list/row-action.tsx';
import { toast } from '../ui/page/toast.tsx';
import classes from './ledger.module.css';
import { createPackBody, packProblems, packValues, updatePackBody } from './product-form.ts';
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
function PackForm({ products, pack, first, onClose, ...inDialog }: Omit<Props, 'opened'> & InDialog) {
  const form = useForm({ initialValues: packValues(pack, products), validate: packProblems });
  // With a known product there is nothing to choose, so the name is the first field.
  const known = !!pack || products.length === 1;
  const input = fieldInputs(PACK_FIELDS, form.getInputProps);
  const navigate = useNavigate();
  const [isFirst] = useState(first);
  const create = useMutate(createPack, {
    form,
    success: isFirst ? false : 'Pack creado',
    failure: 'No se pudo crear el pack',
    onSuccess: ({ data }) => {
      onClose();
      if (!isFirst) return;
      const sold = data.available && data.quedan > 0;
      const lacks = data.available ? 'no quedan existencias' : 'el producto está inactivo';
      toast.success(sold ? 'Ya se puede vender.' : `Aún no se vende: ${lacks}.`, {
        title: 'Pack creado',
        ...(sold && { action: { label: 'Crear un pedido', onClick: () => void navigate({ to: '/pedidos/nuevo-admin' }) } }),
      });
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
  const submit = onValid(form, (values) => {
    const { base } = conflict;
    if (base) update.mutate({ params: { id: base.id }, body: updatePackBody(values, base.version) });
    else create.mutate({ body: createPackBody(values) });
  });

  return (
    <DialogForm
      onSubmit={submit}
      {...inDialog}
      form={form}
      gap="md"
      submit={pack ? 'Guardar cambios' : 'Crear pack'}
      pending={pack ? 'Guardando...' : 'Creando...'}
      busy={saving}
    >
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
    </DialogForm>
  );
}

type PricesDialogProps = { pack: Pack | undefined; opened: boolean; onClose: () => void };

export const PricesDialog = ({ pack, opened, onClose }: PricesDialogProps) => (
  <FormDialog opened={opened && !!pack} onClose={onClose} title={`Precios por revendedor: ${pack?.name ?? ''}`} size="lg">
    {(inDialog) => pack && <Content key={pack.id} pack={pack} {...inDialog} />}
  </FormDialog>
);

function Content({ pack, ...inDialog }: { pack: Pack } & InDialog) {
  const prices = useApi(listPrecios, { params: { id: pack.id } });
  return (
    <Stack gap="md">
      <Text>Quien no tenga un precio propio paga el del pack: {money(pack.pack_price)}. Los pedidos ya hechos conservan el suyo.</Text>
      <PriceForm pack={pack} {...inDialog} />
      <section aria-labelledby="precios-title">
        <Title order={3} id="precios-title" mb="xs">
          Precios propios
        </Title>
        <Loaded query={prices} failed="No se pudieron cargar los precios" waiting={<Skeletons gap={8} heights={[44, 44]} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState title="Ningún revendedor tiene un precio propio" hint="Todos pagan el precio del pack." />
            ) : (
              <ul className={classes.list} aria-label="Precios propios">
                {data.map((precio) => (
                  <PriceRow key={precio.id} precio={precio} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </Stack>
  );
}

const NO_RESELLER = 'Elige un revendedor';

function PriceForm({ pack, dirty }: { pack: Pack } & InDialog) {
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });
  const form = useForm({
    initialValues: { revendedor_id: '', precio: '', desde: today() },
    validate: ({ revendedor_id, precio, desde }) => ({
      ...(!revendedor_id && { revendedor_id: NO_RESELLER }),
      ...(problemOf(PACK_FIELDS.pack_price, parseNumber(precio)) && { precio: 'Indica el precio' }),
      ...(!desde && { desde: 'Indica desde qué día' }),
    }),
  });
  useImperativeHandle(dirty, () => form.isDirty);
  const save = useMutate(setPrecio, {
    form,
    success: 'Precio guardado',
    failure: 'No se pudo guardar el precio',
    onSuccess: () => form.reset(),
  });
  const submit = onValid(form, ({ precio, ...body }) =>
    save.mutate({ params: { id: pack.id }, body: { ...body, precio: parseNumber(precio) } }),
  );
  const input = form.getInputProps('revendedor_id');
  const people = (resellers.data?.data ?? []).filter(({ is_active }) => is_active);

  return (
    <form onSubmit={submit} noValidate className={classes.form} data-dated aria-label="Poner un precio">
      <Picker
        {...input}
        label="Revendedor"
        placeholder="Elige un revendedor"
        data={people.map(({ id, full_name }) => ({ value: id, label: full_name }))}
        value={form.values.revendedor_id || null}
        onChange={(value) => input.onChange(value ?? '')}
        error={input.error ?? resellers.error?.message}
        nothingFoundMessage="Ningún revendedor se llama así"
        required
      />
      <NumberField label="Precio (€)" decimals={2} step={0.01} required {...form.getInputProps('precio')} />
      <DayField label="Desde" required {...form.getInputProps('desde')} />
      <Button type="submit" disabled={save.isPending}>
        {save.isPending ? 'Guardando...' : 'Guardar'}
      </Button>
    </form>
  );
}

function PriceRow({ precio }: { precio: Precio }) {
  const remove = useMutate(deletePrecio, { success: 'Precio quitado', failure: 'No se pudo quitar el precio' });
  const of = `${precio.revendedor_nombre}, desde el ${fecha(precio.desde)}`;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Text fw={600}>{precio.revendedor_nombre}</Text>
        <Text variant="detail">Desde el {fecha(precio.desde)}</Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        {precio.vigente && <Badge>Vigente</Badge>}
        <Text size="md" fw={600} className={classes.amount}>
          {money(precio.precio)}
        </Text>
        <RowAction
          name="Quitar"
          label={`Quitar el precio de ${of}`}
          Icon={IconTrash}
          danger
          onClick={() => !remove.isPending && remove.mutate({ params: { id: precio.id } })}
        />
      </Group>
    </li>
  );
}
