import '@mantine/core/styles/Indicator.css';
import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { listNotifications } from '../../contract/notifications.ts';
import { useApi } from '../api.ts';
import { later } from '../lazy.ts';
import { usePhone } from '../ui/page/use-phone.ts';

// The panel loads when the bell is pressed.
const panel = later(() => import('./bell-panel.tsx'));

/** Number of unread notifications, on every screen. */
export function Bell() {
  // Buttons of a phone are larger, and the number stays at the bell.
  const phone = usePhone();
  const [pressed, setPressed] = useState(false);
  const parts = panel.useParts(pressed);
  const { data } = useApi(listNotifications, {}, { refetchInterval: 60_000 });
  const unread = data?.unread ?? 0;
  const count = unread > 99 ? '99+' : String(unread);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={unread ? `Avisos: ${count} sin leer` : 'Avisos'}
      aria-expanded={false}
      aria-haspopup="dialog"
      onClick={() => setPressed(true)}
    >
      <IconBell size={18} stroke={1.7} />
    </ActionIcon>
  );
  return (
    <Indicator label={count} size={16} offset={phone ? 11 : 6} disabled={unread === 0} color="red">
      {parts && pressed ? <parts.BellPanel button={button} /> : button}
    </Indicator>
  );
}
