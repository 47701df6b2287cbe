import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/Kbd.css';
import '@mantine/core/styles/Switch.css';
import { Anchor, Group, Kbd, Stack, Switch, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { rolesOf } from '../../contract/policy/policy.ts';
import { useSession } from '../session/session.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { MOD, NEW_PEDIDO } from './shortcuts.ts';

type Props = { opened: boolean; onClose: () => void; single: boolean; onSingle: (on: boolean) => void };

export function ShortcutsDialog({ opened, onClose, single, onSingle }: Props) {
  const { role } = useSession();
  const rows: [keys: string[], does: string, single?: boolean][] = [
    [[MOD, 'K'], 'Buscar o ir a'],
    [[MOD, 'B'], 'Contraer o expandir la navegación'],
    ...(NEW_PEDIDO[role] ? [[['n'], 'Nuevo pedido', true] as [string[], string, boolean]] : []),
    [['?'], 'Atajos de teclado', true],
    ...(rolesOf('pedido:delete').includes(role) ? [[[MOD, 'Z'], 'Deshacer la última eliminación'] as [string[], string]] : []),
    ...(rolesOf('pedido:edit').includes(role) ? [[['↑', '↓'], 'Pedido anterior o siguiente, con uno abierto'] as [string[], string]] : []),
    [['Esc'], 'Cerrar un diálogo o un menú'],
  ];
  return (
    <Dialog opened={opened} onClose={onClose} title="Atajos de teclado" size="md" fillsPhone={false}>
      <Stack gap="md">
        <Table verticalSpacing={8} aria-label="Atajos de teclado">
          <Table.Tbody>
            {rows.map(([keys, does, one]) => (
              <Table.Tr key={does}>
                <Table.Td c={one && !single ? 'dimmed' : undefined}>
                  {does}
                  {one && !single && ' (desactivado)'}
                </Table.Td>
                <Table.Td>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Atajos de una sola tecla"
          description="Nunca actúan mientras se escribe en un campo"
          checked={single}
          onChange={(event) => onSingle(event.currentTarget.checked)}
        />
        <Text size="xs" c="dimmed">
          En las listas, Intro abre la fila que tiene el foco.
        </Text>
        <Anchor
          size="sm"
          onClick={onClose}
          renderRoot={(props) => <Link {...props} to="/ayuda" search={{ desde: location.pathname + location.search }} />}
        >
          Ayuda de esta pantalla
        </Anchor>
      </Stack>
    </Dialog>
  );
}
