import { useEffect, useState } from 'react';
import { CommandBox } from './command-box.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

export type Shown = 'box' | 'shortcuts' | undefined;
type Props = { shown: Shown; onShow: (shown: Shown) => void; single: boolean; onSingle: (on: boolean) => void };

/** Command box and shortcut list, in a chunk loaded on first use. */
export default function Parts({ shown, onShow, single, onSingle }: Props) {
  // Opens after mounting: a dialog mounted open does not know where to return the focus.
  const [drawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  const close = () => onShow(undefined);
  return (
    <>
      <CommandBox opened={drawn && shown === 'box'} onClose={close} onShortcuts={() => onShow('shortcuts')} />
      <ShortcutsDialog opened={drawn && shown === 'shortcuts'} onClose={close} single={single} onSingle={onSingle} />
    </>
  );
}
