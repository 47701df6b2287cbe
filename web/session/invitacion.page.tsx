import '@mantine/core/styles/Skeleton.css';
import { Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useParams, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { acceptInvitation, getInvitation } from '../../contract/session/session.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { fieldErrors, queryClient, useApi, useMutate } from '../api.ts';
import { ButtonLink } from '../ui/page/link.tsx';
import { Entrance, RefusedBanner } from './entrance.tsx';

/** Screen of an invitation link: the invited person chooses a password and is signed in. */
export default function InvitationPage() {
  const { token } = useParams({ from: '/invitacion/$token' });
  // Never refetched, because a used link returns 404.
  const { data, error, refetch } = useApi(getInvitation, { params: { token } }, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <Entrance title="Invitación">
      {data ? (
        <Form token={token} {...data.data} />
      ) : error ? (
        <Stack gap="md">
          <Text>{error.message}</Text>
          {error.status === 404 ? (
            <ButtonLink to="/auth" variant="default" fullWidth>
              Ya tengo contraseña
            </ButtonLink>
          ) : (
            <Button variant="default" onClick={() => void refetch()}>
              Reintentar
            </Button>
          )}
        </Stack>
      ) : (
        <Skeleton h={220} role="status" aria-label="Cargando..." />
      )}
    </Entrance>
  );
}

type Props = { token: string; full_name: string; email: string; empresa: string };

function Form({ token, full_name, email, empresa }: Props) {
  const router = useRouter();
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const accept = useMutate(acceptInvitation, {
    failure: false,
    // Refetches nothing, because the link of this screen is used up.
    invalidates: [],
    onSuccess: () => {
      queryClient.clear();
      void router.navigate({ to: '/', replace: true });
    },
  });
  const wrong = fieldErrors(accept.error).password;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!accept.isPending) accept.mutate({ params: { token }, body: { password } });
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>
          Hola, {full_name}. {empresa ? `${empresa} te ha abierto una cuenta` : 'Te han abierto una cuenta'}: elige tu contraseña y entra.
        </Text>
        <RefusedBanner text={wrong ? undefined : accept.error?.message} />
        <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly variant="filled" />
        <PasswordInput
          label="Contraseña"
          description="Al menos 6 caracteres"
          name="password"
          autoComplete="new-password"
          autoFocus
          maxLength={USER_FIELDS.password.max}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={wrong}
          visible={shown}
          onVisibilityChange={setShown}
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ 'aria-label': shown ? 'Ocultar la contraseña' : 'Mostrar la contraseña', 'aria-pressed': shown }}
        />
        <Button type="submit" fullWidth mt={4} disabled={accept.isPending}>
          {accept.isPending ? 'Entrando...' : 'Guardar y entrar'}
        </Button>
      </Stack>
    </form>
  );
}
