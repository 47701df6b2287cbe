import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { getCsrfToken } from '../contract/session/session.ts';
import { ApiError, call } from './api.ts';

/** Retry interval for a screen that could not be loaded, in milliseconds. */
const AGAIN_MS = 10_000;

/** Replaces a screen that failed to render or to load. */
export function CrashPage({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.status === 0) return <Unreached message={error.message} />;
  const reason = error instanceof ApiError ? ` ${error.message}` : '';
  return (
    <Notice title="Algo ha fallado en esta pantalla" text={`Vuelve a cargarla; si sigue igual, avisa a quien administra Enruta.${reason}`}>
      <Button onClick={() => location.reload()}>Volver a cargar</Button>
    </Notice>
  );
}

/** Retries every ten seconds, on reconnection and on demand until the server answers; then reloads the page. */
function Unreached({ message }: { message: string }) {
  const [busy, setBusy] = useState(false);
  const trying = useRef(false);
  async function retry() {
    if (trying.current) return;
    trying.current = true;
    setBusy(true);
    // Checks first: reloading without a network would leave the browser's error page, which never recovers.
    const there = await call(getCsrfToken).catch(() => undefined);
    if (there) return location.reload();
    trying.current = false;
    setBusy(false);
  }
  useEffect(() => {
    const again = () => void retry();
    const timer = setInterval(again, AGAIN_MS);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  });
  return (
    <Notice title="Esta pantalla no se ha podido cargar" text={`${message}. Se intentará otra vez en cuanto vuelva la conexión.`}>
      <Button loading={busy} onClick={() => void retry()}>
        Reintentar
      </Button>
    </Notice>
  );
}

const Notice = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Center mih="60vh" p="md">
    <Stack align="center" role="alert">
      <Title size="h3">{title}</Title>
      <Text size="md" c="dimmed">
        {text}
      </Text>
      {children}
    </Stack>
  </Center>
);
