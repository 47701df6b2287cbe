import { useEffect, useRef, useState } from 'react';
import { NO_CONNECTION } from '../../unanswered.ts';
import { toast } from '../page/toast.tsx';
import { overlays } from './overlays.ts';

/** Panel in the popover of a `button`, loaded on the first press at the latest; before that the button has no popover. */
export function usePanel<P>(load: () => Promise<{ default: P }>) {
  const [panel, setPanel] = useState<{ Panel: P }>();
  const [opened, setOpened] = useState(false);
  const parts = overlays.useParts(panel !== undefined);
  const button = useRef<HTMLButtonElement>(null);
  const ready = panel !== undefined && parts !== undefined;

  // The popover's button replaces the pressed button, so it takes the focus, and the panel returns the focus to it.
  useEffect(() => {
    if (!ready) return;
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }, [ready]);

  function toggle() {
    if (ready) return setOpened(!opened);
    load().then(
      ({ default: Panel }) => setPanel({ Panel }),
      () => toast.error(NO_CONNECTION),
    );
  }
  return { loaded: ready ? { ...panel, Popover: parts.Popover } : undefined, opened, setOpened, toggle, button };
}
