import { plural } from '../../contract/text/plural.ts';
import { isMadeUp, telephoneDigits, telephoneWords } from '../../contract/text/telephone.ts';
import '@mantine/core/styles/Radio.css';
import { Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPencil, IconUnlink } from '@tabler/icons-react';
import { useImperativeHandle } from 'react';
import {
  type Cliente,
  type ClienteEntero,
  type Ficha,
  listClientes,
  separarCliente,
  unirCliente,
} from '../../contract/clientes/clientes.ts';
import { useApi, useMutate } from '../api.ts';
import { SaidOfCliente } from '../pedidos/cliente/said.tsx';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { FormActions, onValid } from '../ui/form/form-actions.tsx';
import { money } from '../ui/format/format.ts';
import classes from '../ui/list/entries.module.css';
import { RowAction } from '../ui/list/row-action.tsx';
import { Panel } from '../ui/page/panel.tsx';
import type { Noted } from './nota-dialog.tsx';

type Props = { cliente: ClienteEntero; opened: boolean; onClose: () => void };
const DEBOUNCE = 250;
const SHOWN = 8;

/** Merges a duplicate into a customer; both belong to the same reseller. */
export const UnirDialog = ({ cliente, opened, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title="Unir con otro cliente">
    {(inDialog) => <UnirForm cliente={cliente} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

const whoIs = ({ cliente_telefono, cliente_direccion, cliente_ciudad, pedidos }: Cliente) =>
  [telephoneWords(cliente_telefono), cliente_direccion, cliente_ciudad, plural(pedidos, 'pedido')].filter(Boolean).join(' · ');

function UnirForm({ cliente, onDone, dirty, onCancel }: Pick<Props, 'cliente'> & { onDone: () => void } & InDialog) {
  const form = useForm({
    initialValues: { search: '', cliente_id: '' },
    validate: { cliente_id: (id) => (id ? null : 'Elige un cliente') },
  });
  const [search] = useDebouncedValue(form.values.search.trim().slice(0, 100), DEBOUNCE);
  const query = { search, per_page: SHOWN, revendedor_id: cliente.revendedor_id ?? 'sin' } as const;
  const { data, error } = useApi(listClientes, { query }, { enabled: !!search, keepPrevious: true });
  const found = search ? data?.data.filter(({ id }) => id !== cliente.id) : undefined;
  const join = useMutate(unirCliente, { form, failure: 'No se pudieron unir los clientes', onSuccess: onDone });
  useImperativeHandle(dirty, () => () => form.isDirty('cliente_id') && !join.isPending);
  const submit = onValid(form, ({ cliente_id }) => join.mutate({ params: { id: cliente.id }, body: { cliente_id } }));
  return (
    <form onSubmit={submit} noValidate aria-label="Unir con otro cliente">
      <Stack gap="md">
        <Text>
          Sus pedidos se verán juntos en la ficha de {cliente.cliente_nombre}. No se pierde nada: se pueden separar cuando quieras.
        </Text>
        <TextInput
          type="search"
          label="Buscar al otro cliente"
          placeholder="Nombre o teléfono"
          autoComplete="off"
          data-autofocus
          maxLength={100}
          {...form.getInputProps('search')}
        />
        <div aria-live="polite">
          {error && <Text c="red">{error.message}</Text>}
          {found && found.length === 0 && <Text c="dimmed">Ningún otro cliente coincide</Text>}
          {found && found.length > 0 && (
            <Radio.Group label="Es la misma persona que" {...form.getInputProps('cliente_id')}>
              <Stack mt="xs">
                {found.map((cliente) => (
                  <Radio key={cliente.id} value={cliente.id} label={cliente.cliente_nombre} description={whoIs(cliente)} />
                ))}
              </Stack>
            </Radio.Group>
          )}
        </div>
        <FormActions submit="Unir" pending="Uniendo..." busy={join.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

type UnidosProps = { fichas: readonly Ficha[]; manages: boolean; onNote: (of: Noted) => void };

export const Unidos = ({ fichas, manages, onNote }: UnidosProps) => (
  <Panel title="Unidos a este cliente">
    {fichas.some(({ telefono }) => telefono && isMadeUp(telephoneDigits(telefono))) && (
      <Text mb="xs">Algunos estaban juntos solo por un teléfono que parece inventado: separa los que no sean la misma persona.</Text>
    )}
    <ul className={classes.list}>
      {fichas.map((ficha) => (
        <Unido key={ficha.id} ficha={ficha} manages={manages} onNote={onNote} />
      ))}
    </ul>
  </Panel>
);

function Unido({ ficha, manages, onNote }: Omit<UnidosProps, 'fichas'> & { ficha: Ficha }) {
  const separate = useMutate(separarCliente, { failure: 'No se pudo separar al cliente' });
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text fw={600}>{ficha.nombre}</Text>
          <Text variant="detail">
            {[ficha.telefono, ficha.ciudad, plural(ficha.pedidos, 'pedido'), money(ficha.total)].filter(Boolean).join(' · ')}
          </Text>
        </div>
        {manages && (
          <Group gap={4} wrap="nowrap">
            <RowAction name="Editar nota" label={`Editar la nota de ${ficha.nombre}`} Icon={IconPencil} onClick={() => onNote(ficha)} />
            <RowAction
              name="Separar"
              label={`Separar a ${ficha.nombre}`}
              Icon={IconUnlink}
              onClick={() => !separate.isPending && separate.mutate({ params: { id: ficha.id } })}
            />
          </Group>
        )}
      </Group>
      <SaidOfCliente nota={ficha.nota} avisar_antes={ficha.avisar_antes} label="Nota" />
    </li>
  );
}
