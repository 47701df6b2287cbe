import '@mantine/core/styles/CheckboxIndicator.css';
import '@mantine/core/styles/Checkbox.css';
import { Alert, Button, Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { getUser, login } from '../../contract/session/session.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { ApiError, call, NO_CONNECTION, queryClient, refreshAntiForgery, SESSION_KEY } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';
import { Entrance } from './entrance.tsx';
import { refreshSession } from './session.ts';
import { dropSuspended, suspendedScreen, useSuspended } from './suspended.ts';

const REQUIRED = 'Todos los campos son obligatorios';
const WRONG = 'Credenciales incorrectas. Verifica tu usuario y contraseña.';

/** Why the sign-in screen appears instead of the requested one. */
function useReason(): string | undefined {
  const suspended = useSuspended();
  const { volver }: { volver?: unknown } = useSearch({ strict: false });
  if (suspended) return `Tu sesión ha terminado${suspended.idle ? ' por inactividad' : ''}. Entra otra vez y seguirás donde estabas.`;
  return volver ? 'Entra para abrir la página que has pedido.' : undefined;
}

export default function AuthPage() {
  const router = useRouter();
  const reason = useReason();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Undefined until the server asks for a code. */
  const [code, setCode] = useState<string>();
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [banner, setBanner] = useState('');
  // The button is disabled while it waits, and loses the focus.
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);

  /** Refusals go to the banner, other failures to a toast. */
  function explain(error: unknown) {
    const status = error instanceof ApiError ? error.status : 0;
    if (error instanceof ApiError && error.code === 'second_factor') return askForCode(error.message);
    passwordInput.current?.focus();
    if (status === 401) setBanner(WRONG);
    else if (error instanceof ApiError && (status === 429 || status === 422)) setBanner(error.message);
    else toast.error('Error al iniciar sesión');
  }

  /** Reveals the code field at first; later calls mean a wrong code. */
  function askForCode(sentence: string) {
    if (code !== undefined) {
      setBanner(sentence);
      codeInput.current?.focus();
    }
    setCode('');
  }

  async function enter() {
    try {
      await refreshAntiForgery();
    } catch {
      return toast.error(NO_CONNECTION);
    }
    try {
      await call(login, { body: { email, password, remember, ...(code && { code }) } });
    } catch (error) {
      return explain(error);
    }
    try {
      await goOn();
    } catch {
      return toast.error(NO_CONNECTION);
    }
    // Removes refusals caused by the ended session.
    toast.clearAll();
    toast.success('¡Bienvenido!');
  }

  /** Returns to the suspended screen of the same person; otherwise the guard of /auth redirects. */
  async function goOn() {
    const suspended = suspendedScreen();
    if (!suspended) {
      // Drops the previous person's cache.
      queryClient.clear();
      return router.invalidate();
    }
    const user = await refreshSession();
    const same = user.id === suspended.user.id;
    if (!same) {
      queryClient.clear();
      queryClient.setQueryData(SESSION_KEY, user);
    }
    const { href } = suspended;
    if (same) await router.navigate({ href, replace: true, resetScroll: false });
    else await router.navigate({ to: '/auth', search: { volver: href }, replace: true });
    dropSuspended();
    if (same) void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== getUser.path });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBanner('');
    if (!email.trim() || !password || code?.trim() === '') return setBanner(REQUIRED);
    setBusy(true);
    await enter();
    setBusy(false);
  }

  const missing = banner === REQUIRED;
  return (
    <Entrance>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {reason && (
            <Text size="sm" role="status">
              {reason}
            </Text>
          )}
          {banner && (
            <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
              {banner}
            </Alert>
          )}
          <TextInput
            label="Email o usuario"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={USER_FIELDS.email.max}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={missing && !email.trim()}
          />
          <PasswordInput
            ref={passwordInput}
            label="Contraseña"
            name="password"
            autoComplete="current-password"
            maxLength={USER_FIELDS.password.max}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={missing && !password}
          />
          {code !== undefined && (
            <TextInput
              ref={codeInput}
              label="Código de verificación"
              description="El de tu aplicación, o uno de tus códigos de recuperación"
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus
              maxLength={40}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={missing && !code.trim()}
            />
          )}
          <Checkbox label="Recordar este dispositivo" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
          <Button type="submit" fullWidth mt={4} disabled={busy}>
            {busy ? 'Verificando...' : 'Iniciar Sesión'}
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
