import { UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSession } from '../session/session.ts';
import classes from './command-box.module.css';
import { CommandBox } from './command-box.tsx';
import { MOD, NEW_PEDIDO } from './shortcuts.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { dialogIsOpen, useKeys, useSingleKeys } from './single-keys.ts';

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
