import { Group, Text } from '@mantine/core';
import { IconPencil, IconUnlink } from '@tabler/icons-react';
import { type Ficha, separarCliente } from '../../contract/clientes/clientes.ts';
import { useMutate } from '../api.ts';
import { SaidOfCliente } from '../pedidos/cliente/said.tsx';
import { money } from '../ui/format/format.ts';
import { RowAction } from '../ui/list/row-action.tsx';
import { Panel } from '../ui/page/panel.tsx';
import classes from './cliente.module.css';
import { ordersOf } from './clientes.columns.tsx';
import type { Noted } from './nota-dialog.tsx';

type Props = { fichas: readonly Ficha[]; manages: boolean; onNote: (of: Noted) => void };

export const Unidos = ({ fichas, manages, onNote }: Props) => (
  <Panel title="Unidos a este cliente">
    <ul className={classes.list}>
      {fichas.map((ficha) => (
        <Unido key={ficha.id} ficha={ficha} manages={manages} onNote={onNote} />
      ))}
    </ul>
  </Panel>
);

function Unido({ ficha, manages, onNote }: Omit<Props, 'fichas'> & { ficha: Ficha }) {
  const separate = useMutate(separarCliente, { failure: 'No se pudo separar al cliente' });
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text fw={600}>{ficha.nombre}</Text>
          <Text size="xs" c="dimmed">
            {[ficha.telefono, ficha.ciudad, ordersOf(ficha.pedidos), money(ficha.total)].filter(Boolean).join(' · ')}
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
