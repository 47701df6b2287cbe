import '@mantine/core/styles/Alert.css';
import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLostSince } from '../connection.ts';
import { hora } from '../ui/format/format.ts';

/** Shorter breaks are not reported. */
const PATIENCE_MS = 4_000;

/** Warns that the screen may be stale, and since when. */
export function Offline() {
  const since = useLostSince();
  const [told, setTold] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setTold(since), PATIENCE_MS);
    return () => clearTimeout(timer);
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
