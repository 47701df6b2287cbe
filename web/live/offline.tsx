import '@mantine/core/styles/Alert.css';
import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { getCsrfToken } from '../../contract/session/session.ts';
import { call } from '../api.ts';
import { useLostSince } from '../connection.ts';
import { hora } from '../ui/format/format.ts';

/** Silence in ms before the notice appears; shorter breaks are common. */
const PATIENCE_MS = 4_000;
/** Interval in ms of the probe while the server does not answer. */
const AGAIN_MS = 2_500;

/** Warns that the screen may be stale, and since when. */
export function Offline() {
  const since = useLostSince();
  const [told, setTold] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setTold(since), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [since]);
  // Probes the server: the lists refetch only every half minute, so the notice would outlast the break.
  useEffect(() => {
    if (since === undefined) return;
    let asking = false;
    // Sends one probe at a time: hanging requests would use up the browser's connections to the server.
    async function ask() {
      if (document.hidden || asking) return;
      asking = true;
      await call(getCsrfToken).catch(() => undefined);
      asking = false;
    }
    const timer = setInterval(ask, AGAIN_MS);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <div role="status">
      {since !== undefined && told === since && (
        <Alert color="orange" mb="md" py="xs" icon={<IconPlugConnectedX size={18} stroke={1.7} aria-hidden />}>
          Sin conexión desde las {hora(since)}: puede haber cambios
        </Alert>
      )}
    </div>
  );
}
