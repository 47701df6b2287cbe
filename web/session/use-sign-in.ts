import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { getUser, login } from '../../contract/session/session.ts';
import { ApiError, call, NO_CONNECTION, queryClient, refreshAntiForgery, SESSION_KEY } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';
import { refreshSession } from './session.ts';
import { dropSuspended, suspendedScreen } from './suspended.ts';

export const REQUIRED = 'Todos los campos son obligatorios';
const WRONG = 'Credenciales incorrectas. Verifica tu usuario y contraseña.';

/** Typed values; `code` is undefined until the server asks for a code. */
type Typed = {
  email: string;
  password: string;
  code: string | undefined;
  /** Undefined until chosen: carriers then stay signed in, other people do not. */
  remember: boolean | undefined;
};

/** Signs in with the typed values, and returns to the screen where the person was. */
export function useSignIn() {
  const goOn = useGoOn();
  const [typed, setTyped] = useState<Typed>({ email: '', password: '', code: undefined, remember: undefined });
  const [busy, setBusy] = useState(false);
  const [banner, setBanner] = useState('');
  // The fields take the focus, which the button loses while disabled.
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const type = (change: Partial<Typed>) => setTyped((now) => ({ ...now, ...change }));
  const { email, password, code, remember } = typed;

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
    type({ code: '' });
  }

  async function enter() {
    try {
      await refreshAntiForgery();
    } catch {
      return toast.error(NO_CONNECTION);
    }
    try {
      await call(login, { body: { email, password, ...(remember !== undefined && { remember }), ...(code && { code }) } });
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

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBanner('');
    if (!email.trim() || !password || code?.trim() === '') return setBanner(REQUIRED);
    setBusy(true);
    await enter();
    setBusy(false);
  }

  return { typed, type, busy, banner, passwordInput, codeInput, submit };
}

/** Returns to the suspended screen of the same person; otherwise the guard of /auth redirects. */
function useGoOn() {
  const router = useRouter();
  return async () => {
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
  };
}
