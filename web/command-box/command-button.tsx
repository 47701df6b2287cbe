import { Anchor, Group, Kbd, Stack, Switch, Table, Text, UnstyledButton } from '@mantine/core';
import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useSession } from '../session/session.ts';
import classes from './command-box.module.css';
import { CommandBox } from './command-box.tsx';
import { MOD, NEW_PEDIDO } from './shortcuts.ts';
import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/Kbd.css';
import '@mantine/core/styles/Switch.css';
import { rolesOf } from '../../contract/policy/policy.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';

type Shown = 'box' | 'shortcuts' | undefined;

/** Opens the command box and handles the shortcuts, on every screen. */
export function CommandButton() {
  const { role } = useSession();
  const navigate = useNavigate();
  const [single, setSingle] = useSingleKeys();
  const [shown, setShown] = useState<Shown>();
  const opener = useRef<Element>(null);

  function show(next: Shown) {
    if (!shown) opener.current = document.activeElement;
    // At once, so that the field of the box gets the next letter.
    flushSync(() => setShown(next));
  }
  function close() {
    show(undefined);
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }

  // Works inside fields, but not over a dialog, whose form would be lost.
  const toggle = () => (shown === 'box' ? close() : !dialogIsOpen() && show('box'));
  useHotkeys([['mod+K', toggle]], []);
  const create = NEW_PEDIDO[role];
  useKeys(single, { '?': () => show('shortcuts'), n: create ? () => void navigate({ to: create }) : undefined });

  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-keyshortcuts={MOD === 'Ctrl' ? 'Control+K' : 'Meta+K'}
        aria-haspopup="dialog"
        onClick={() => show('box')}
      >
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <span>Buscar o ir a…</span>
        <kbd>{MOD} K</kbd>
      </UnstyledButton>
      <CommandBox opened={shown === 'box'} onClose={close} onShortcuts={() => show('shortcuts')} />
      <ShortcutsDialog opened={shown === 'shortcuts'} onClose={close} single={single} onSingle={setSingle} />
    </>
  );
}

/*
 * Single-key shortcuts. People can turn the shortcuts off, because speech input and stray keys trigger them (WCAG 2.1.4). A shortcut is
 * ignored while a field or menu has the focus, or a dialog is open.
 */

const KEY = 'atajosDeUnaTecla';
/** Choice for a browser whose storage is blocked. */
let chosen = true;
let onChange = () => {};

function isOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'no';
  } catch {
    return chosen;
  }
}
function setOn(on: boolean): void {
  chosen = on;
  try {
    localStorage.setItem(KEY, on ? 'si' : 'no');
  } catch {
    // Storage may be blocked.
  }
  onChange();
}
function subscribe(listener: () => void): () => void {
  onChange = listener;
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/** State of single keys and its setter. Use in one component per page: a second component would replace the listener of the first. */
const useSingleKeys = () => [useSyncExternalStore(subscribe, isOn), setOn] as const;

const TAKES_KEYS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="combobox"]';
const dialogIsOpen = () => document.querySelector('[aria-modal="true"]') !== null;

/** Calls the listener of a key pressed without modifiers, outside fields, menus and dialogs. */
function useKeys(enabled: boolean, listeners: Record<string, (() => void) | undefined>) {
  useWindowEvent('keydown', (event) => {
    const listener = enabled ? listeners[event.key] : undefined;
    const { target } = event;
    if (!listener || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if ((target instanceof Element && target.closest(TAKES_KEYS)) || dialogIsOpen()) return;
    event.preventDefault();
    listener();
  });
}

type Props = { opened: boolean; onClose: () => void; single: boolean; onSingle: (on: boolean) => void };

function ShortcutsDialog({ opened, onClose, single, onSingle }: Props) {
  const { role } = useSession();
  const rows: [keys: string[], does: string, single?: boolean][] = [
    [[MOD, 'K'], 'Buscar o ir a'],
    [[MOD, 'B'], 'Contraer o expandir la navegación'],
    ...(NEW_PEDIDO[role] ? [[['n'], 'Crear pedido', true] as [string[], string, boolean]] : []),
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
            {rows.map(([keys, does, isSingle]) => (
              <Table.Tr key={does}>
                <Table.Td c={isSingle && !single ? 'dimmed' : undefined}>
                  {does}
                  {isSingle && !single && ' (desactivado)'}
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
        <Text variant="detail">En las listas, Intro abre la fila que tiene el foco.</Text>
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
