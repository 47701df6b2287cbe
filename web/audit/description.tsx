import '@mantine/core/styles/Table.css';
import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { LogEntry } from '../../contract/audit/audit.ts';
import { hecho } from '../../contract/pedidos/words.ts';
import { changesOf } from './changes.ts';
import { EntityLink } from './links.tsx';

export function Description({ entry }: { entry: LogEntry }) {
  const description = hecho(entry.description);
  const [open, setOpen] = useState(false);
  const id = useId();
  const changes = changesOf(entry);
  const text = (
    <Text span style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      <EntityLink entity={entry.entity_type} id={entry.entity_id}>
        {description}
      </EntityLink>
    </Text>
  );
  if (changes.length === 0) return text;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      {text}
      <UnstyledButton
        display="flex"
        mih={24}
        fz="xs"
        c="var(--mantine-color-anchor)"
        style={{ alignItems: 'center', gap: 2 }}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Chevron size={14} aria-hidden />
        {open ? 'Ocultar cambios' : 'Ver cambios'}
      </UnstyledButton>
      <div id={id} hidden={!open}>
        {open && (
          <Table fz="xs" layout="fixed" aria-label={`Cambios de «${description}»`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Campo</Table.Th>
                <Table.Th>Antes</Table.Th>
                <Table.Th>Después</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ field, label, antes, despues }) => (
                <Table.Tr key={field}>
                  <Table.Td style={WRAP}>{label}</Table.Td>
                  <Table.Td style={WRAP}>{antes}</Table.Td>
                  <Table.Td style={WRAP}>{despues}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </div>
    </>
  );
}

const WRAP = { overflowWrap: 'anywhere', whiteSpace: 'normal' } as const;
