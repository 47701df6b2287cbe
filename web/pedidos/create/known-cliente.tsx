import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Cliente, listClientes } from '../../../contract/clientes/clientes.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import type { FinderProps } from '../cliente/cliente-fields.tsx';

const DEBOUNCE = 250;
/** Minimum characters to search; fewer match too many customers. */
const LEAST = 3;
const SHOWN = 8;
const NOBODY: Cliente[] = [];
const searchOf = (text: string) => text.trim().slice(0, 100);

/** Customer field with suggestions of known customers; a plain text field if the server does not answer. */
export function KnownCliente({ input, onPick }: FinderProps) {
  const namesSeller = can(useSession(), 'pedido:create-free');
  // Only typing searches: a restored draft or a chosen customer must not open the list.
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed, DEBOUNCE);
  const { data } = useApi(
    listClientes,
    { query: { search: asked, per_page: SHOWN } },
    { enabled: asked.length >= LEAST, keepPrevious: true, staleTime: 60_000 },
  );
  const found = typed.length >= LEAST ? (data?.data ?? NOBODY) : NOBODY;
  const [open, setOpen] = useState(false);
  const combobox = useCombobox({ opened: open && found.length > 0, onOpenedChange: setOpen });

  function pick(cliente: Cliente | undefined) {
    setTyped('');
    setOpen(false);
    if (cliente) onPick(cliente);
  }

  return (
    <Combobox store={combobox} onOptionSubmit={(at) => pick(found[Number(at)])}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...input}
          aria-autocomplete="list"
          onChange={(event) => {
            input.onChange?.(event);
            setTyped(searchOf(event.currentTarget.value));
            setOpen(true);
            combobox.resetSelectedOption();
          }}
          onBlur={(event) => {
            input.onBlur?.(event);
            setOpen(false);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Clientes conocidos" mah={320} style={{ overflowY: 'auto' }}>
          {found.map((cliente, at) => (
            <Combobox.Option key={cliente.id} value={String(at)}>
              <Text fw={600} truncate>
                {cliente.cliente_nombre}
                {cliente.bloqueado_motivo && ' (bloqueado)'}
                {namesSeller && (
                  <Text span size="xs" fw={400}>
                    {' '}
                    {cliente.revendedor_id ? `de ${cliente.revendedor_nombre}` : 'de la casa'}
                  </Text>
                )}
              </Text>
              <Text size="xs" truncate opacity={0.9}>
                {[cliente.cliente_telefono, cliente.cliente_direccion, cliente.cliente_ciudad].filter(Boolean).join(' · ')}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
