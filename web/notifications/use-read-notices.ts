import { useEffect } from 'react';
import { listNotifications, readNotifications } from '../../contract/notifications/notifications.ts';
import { useApi, useMutate } from '../api.ts';

/** Marks an open order's notifications as read. Relies on the bell's query for the number of unread ones. */
export function useReadNotices(pedido_id: string | undefined): void {
  const unread = useApi(listNotifications, {}, { enabled: false }).data?.unread ?? 0;
  const { mutate } = useMutate(readNotifications, { success: false, failure: false, invalidates: [listNotifications] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mutate` is new at every render
  useEffect(() => {
    if (pedido_id && unread) mutate({ body: { pedido_id } });
  }, [pedido_id, unread]);
}
