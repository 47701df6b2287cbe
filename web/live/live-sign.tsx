import { VisuallyHidden } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Tip } from '../ui/page/tip.tsx';
import { useLive } from './use-live.ts';

const TEXT = 'Sin conexión en directo: los datos se actualizan cada poco';

/** Keeps screens up to date, and shows a warning while the live stream is lost. */
export function LiveSign() {
  const lost = useLive();
  return (
    <span role="status">
      {lost && (
        <Tip label={TEXT}>
          <span style={{ display: 'inline-flex', padding: 6, color: 'var(--mantine-color-orange-text)' }}>
            <IconPlugConnectedX size={18} stroke={1.7} aria-hidden />
            <VisuallyHidden>{TEXT}</VisuallyHidden>
          </span>
        </Tip>
      )}
    </span>
  );
}
