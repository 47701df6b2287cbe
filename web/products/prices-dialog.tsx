import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useImperativeHandle } from 'react';
import { problemOf } from '../../contract/kit/fields.ts';
import { PACK_FIELDS } from '../../contract/products/fields.ts';
import { deletePrecio, listPrecios, type Precio, setPrecio } from '../../contract/products/precios.ts';
import type { Pack } from '../../contract/products/products.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DayField } from '../ui/form/day-field.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { NumberField } from '../ui/form/form-number.tsx';
import { Picker } from '../ui/form/picker.tsx';
import { fecha, money, today } from '../ui/format/format.ts';
import { parseNumber } from '../ui/format/numbers.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { RowAction } from '../ui/list/row-action.tsx';
import classes from './ledger.module.css';

type Props = { pack: Pack | undefined; opened: boolean; onClose: () => void };

export const PricesDialog = ({ pack, opened, onClose }: Props) => (
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
        <Loaded query={prices} failed="No se pudieron cargar los precios" waiting={<Skeletons gap={6} heights={[44, 44]} />}>
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
        <Text size="xs" c="dimmed">
          Desde el {fecha(precio.desde)}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        {precio.vigente && <Badge variant="light">Vigente</Badge>}
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
