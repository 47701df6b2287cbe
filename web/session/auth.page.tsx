import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { login } from '../../contract/session.ts';
import { ApiError, call, NO_CONNECTION, queryClient, refreshAntiForgery } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';
import { Entrance } from './entrance.tsx';

const REQUIRED = 'Todos los campos son obligatorios';
const WRONG = 'Credenciales incorrectas. Verifica tu usuario y contraseña.';

export default function AuthPage() {
  const router = useRouter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Undefined until the server asks for it. */
  const [code, setCode] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [banner, setBanner] = useState('');

  /** Shows refusals in the banner and other failures as a toast. */
  function explain(error: unknown) {
    const status = error instanceof ApiError ? error.status : 0;
    if (error instanceof ApiError && error.code === 'second_factor') askForCode(error.message);
    else if (status === 401) setBanner(WRONG);
    else if (error instanceof ApiError && (status === 429 || status === 422)) setBanner(error.message);
    else toast.error('Error al iniciar sesión');
  }

  /** Shows the field the first time; after that the code entered was wrong. */
  function askForCode(sentence: string) {
    if (code !== undefined) setBanner(sentence);
    setCode('');
  }

  async function enter() {
    try {
      await refreshAntiForgery();
    } catch {
      return toast.error(NO_CONNECTION);
    }
    try {
      await call(login, { body: { email, password, ...(code && { code }) } });
    } catch (error) {
      return explain(error);
    }
    // Drops what a previous person cached; the guard of /auth then redirects.
    queryClient.clear();
    toast.success('¡Bienvenido!');
    await router.invalidate();
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
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={missing && !email.trim()}
          />
          <PasswordInput
            label="Contraseña"
            name="password"
            autoComplete="current-password"
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={missing && !password}
          />
          {code !== undefined && (
            <TextInput
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
          <Button type="submit" fullWidth mt={4} disabled={busy}>
            {busy ? 'Verificando...' : 'Iniciar Sesión'}
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
