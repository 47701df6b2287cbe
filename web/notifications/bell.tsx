import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { useApi } from '../api.ts';
import { later } from '../lazy.ts';
import classes from './bell.module.css';

// The panel loads after the first screen on a phone.
const panel = later(() => import('./bell-panel.tsx'));

/** The bell with the number of unread notifications, on every screen. */
export function Bell() {
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
    <div className={classes.root}>
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {count}
        </span>
      )}
      {parts && pressed ? <parts.BellPanel button={button} /> : button}
    </div>
  );
}
