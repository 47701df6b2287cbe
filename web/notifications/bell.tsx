import '@mantine/core/styles/Indicator.css';
import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { useApi } from '../api.ts';
import { later } from '../lazy.ts';
import { usePhone } from '../ui/page/use-phone.ts';

// The panel loads when the bell is pressed.
const panel = later(() => import('./bell-panel.tsx'));

// Buttons of a phone are larger: the number stays at the bell, and grows away from it with the size of the text.
const ON_PHONE = {
  '--indicator-top': '11px',
  '--indicator-right': '11px',
  '--indicator-translate-x': 'calc(100% - 8px)',
  '--indicator-translate-y': 'calc(8px - 100%)',
};

/** Number of unread notifications, on every screen. */
export function Bell() {
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
    <Indicator label={count} size={16} offset={6} disabled={unread === 0} color="red" {...(phone && { style: ON_PHONE })}>
      {parts && pressed ? <parts.BellPanel button={button} /> : button}
    </Indicator>
  );
}
