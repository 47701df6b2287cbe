import '@mantine/core/styles/CheckboxIndicator.css';
import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useRouter, useSearch } from '@tanstack/react-router';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { hasEnded } from '../ended.ts';
import { Entrance, RefusedBanner } from './entrance.tsx';
import { resumeSuspended, useSuspended } from './suspended.ts';
import { REQUIRED, useSignIn } from './use-sign-in.ts';

/** False if all cookies are blocked, because the session would be lost at once. */
function canStore(): boolean {
  try {
    return navigator.cookieEnabled && globalThis.localStorage !== undefined;
  } catch {
    return false;
  }
}

/** Explains in Spanish why the sign-in screen appears instead of the requested screen, or why nobody can sign in. */
function useReason(): string | undefined {
  const suspended = useSuspended();
  const { volver }: { volver?: unknown } = useSearch({ strict: false });
  if (!canStore()) return 'Este navegador no deja guardar nada: permite las cookies de esta página para poder entrar.';
  if (suspended) return `Tu sesión ha terminado${suspended.idle ? ' por inactividad' : ''}. Entra otra vez y seguirás donde estabas.`;
  return volver ? 'Entra para abrir la página que has pedido.' : undefined;
}

export default function AuthPage() {
  const router = useRouter();
  const reason = useReason();
  const { typed, type, busy, banner, passwordInput, codeInput, submit } = useSignIn();
  const { email, password, code, remember } = typed;
  const missing = banner === REQUIRED;
  return (
    <Entrance>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {reason && <Text role="status">{reason}</Text>}
          <RefusedBanner text={banner} />
          <TextInput
            label="Email o usuario"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={USER_FIELDS.email.max}
            value={email}
            onChange={(event) => type({ email: event.currentTarget.value })}
            error={missing && !email.trim()}
          />
          <PasswordInput
            ref={passwordInput}
            label="Contraseña"
            name="password"
            autoComplete="current-password"
            maxLength={USER_FIELDS.password.max}
            value={password}
            onChange={(event) => type({ password: event.currentTarget.value })}
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
              onChange={(event) => type({ code: event.currentTarget.value })}
              error={missing && !code.trim()}
            />
          )}
          <Checkbox
            label="Recordar este dispositivo"
            description="Un transportista sigue dentro hasta que él o la oficina cierran la sesión; sus últimas listas, o las de un revendedor, se guardan en este teléfono."
            checked={remember ?? false}
            onChange={(event) => type({ remember: event.currentTarget.checked })}
          />
          <Button type="submit" fullWidth mt={4} disabled={busy}>
            {busy ? 'Verificando...' : 'Iniciar Sesión'}
          </Button>
          {hasEnded() && (
            <Button variant="default" fullWidth onClick={() => void resumeSuspended(router)}>
              Volver a la lista
            </Button>
          )}
        </Stack>
      </form>
    </Entrance>
  );
}
