import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { useWindowEvent } from '@mantine/hooks';
import { Notifications, useNotifications } from '@mantine/notifications';
import { useLayoutEffect } from 'react';
import { MOST_TOASTS } from './toast.tsx';
import { toastBottom, toastPlaceBeside } from './toast-place.ts';
import classes from './toasts.module.css';
import { undoLast } from './undo.ts';
import { usePhone } from './use-phone.ts';

function onKey({ key, ctrlKey, metaKey, repeat, target }: KeyboardEvent) {
  if (key !== 'z' || repeat || !(ctrlKey || metaKey)) return;
  // Text fields have their own undo.
  if (target instanceof Element && target.matches('textarea, input:not([type=checkbox])')) return;
  undoLast();
}

/** Keeps the toasts clear of bars and buttons, even when the screen below changes. */
function usePlace(phone: boolean) {
  const any = useNotifications().notifications.length > 0;
  useLayoutEffect(() => {
    if (!any) return;
    const place = () => {
      const toasts = document.querySelector<HTMLElement>(`.${classes.root}[data-position='${phone ? 'bottom-center' : 'bottom-right'}']`);
      const toast = toasts?.querySelector('[role]');
      if (!toasts || !toast) return;
      // A button does not move while it is pressed.
      if (toasts.matches(':active')) return;
      if (phone) return toasts.style.setProperty('--toasts-bottom', `${innerHeight - toastBottom(toasts, toast.scrollHeight)}px`);
      const { bottom, right } = toastPlaceBeside(toasts, toasts.scrollHeight);
      toasts.style.setProperty('--toasts-bottom', `${bottom}px`);
      toasts.style.setProperty('--toasts-right', `${right}px`);
    };
    place();
    const timer = setInterval(place, 100);
    return () => clearInterval(timer);
  }, [phone, any]);
}

/** Toasts; on a phone one at a time, at the bottom and above the buttons there, because titles and «Cerrar» are at the top. */
export default function Toasts() {
  const phone = usePhone();
  usePlace(phone);
  useWindowEvent('keydown', onKey);
  return (
    <Notifications
      className={classes.root}
      position={phone ? 'bottom-center' : 'bottom-right'}
      transitionDuration={phone ? 0 : 250}
      limit={MOST_TOASTS}
      containerWidth={400}
    />
  );
}
