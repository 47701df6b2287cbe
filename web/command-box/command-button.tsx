import { UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { NO_CONNECTION } from '../api.ts';
import { useSession } from '../session/session.ts';
import { toast } from '../ui/page/toast.tsx';
import classes from './command-box.module.css';
import { catchKeys, takeKeys } from './early-keys.ts';
import type PartsType from './parts.tsx';
import type { Shown } from './parts.tsx';
import { MOD, NEW_PEDIDO } from './shortcuts.ts';
import { dialogIsOpen, useKeys, useSingleKeys } from './single-keys.ts';

const load = () => import('./parts.tsx').then((m) => m.default);

/** Opens the command box and handles the shortcuts, on every screen. */
export function CommandButton() {
  const { role } = useSession();
  const navigate = useNavigate();
  const [single, setSingle] = useSingleKeys();
  const [shown, setShown] = useState<Shown>();
  const [Parts, setParts] = useState<typeof PartsType>();

  function show(next: Shown) {
    if (next === 'box') catchKeys();
    else takeKeys();
    if (Parts || !next) return setShown(next);
    load().then(
      (loaded) => {
        setParts(() => loaded);
        setShown(next);
      },
      () => {
        takeKeys();
        toast.error(NO_CONNECTION);
      },
    );
  }

  // Works inside fields, but not over a dialog, whose form would be lost.
  const toggle = () => (shown === 'box' ? show(undefined) : !dialogIsOpen() && show('box'));
  useHotkeys([['mod+K', toggle]], []);
  const create = NEW_PEDIDO[role];
  useKeys(single, { '?': () => show('shortcuts'), n: create ? () => void navigate({ to: create }) : undefined });

  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-keyshortcuts={MOD === 'Ctrl' ? 'Control+K' : 'Meta+K'}
        aria-haspopup="dialog"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => show('box')}
      >
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <span>Buscar o ir a…</span>
        <kbd>{MOD} K</kbd>
      </UnstyledButton>
      {Parts && <Parts shown={shown} onShow={show} single={single} onSingle={setSingle} />}
    </>
  );
}
