import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useParams, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { firstAccess, getFirstAccess } from '../../contract/session/session.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { fieldErrors, queryClient, useApi, useMutate } from '../api.ts';
import { ButtonLink } from '../ui/page/link.tsx';
import { Entrance, RefusedBanner } from './entrance.tsx';

const WELCOME = 'Todavía no hay nadie en este Enruta. Crea la cuenta de la primera persona administradora.';
const WHERE = 'Lo ha escrito el programa al arrancar, en la ventana o el registro del servidor. Vale una sola vez.';

/** Returns the code, also from a pasted full address. */
const codeIn = (typed: string) => typed.trim().replace(/^.*\//, '');

/** Creates the first superadmin of an empty shop with the one-time code printed at startup, which may be in the address. */
export default function FirstAccessPage() {
  const { data, isLoading } = useApi(getFirstAccess, {});
  const [entered, setEntered] = useState(false);
  if (isLoading) return null;
  return (
    <Entrance title="Primer acceso">
      {data?.data.pendiente === false && !entered ? <Settled /> : <Form onEnter={() => setEntered(true)} />}
    </Entrance>
  );
}

const Settled = () => (
  <Stack gap="md">
    <Text>Esta tienda ya tiene quien la administre. Entra con tu cuenta.</Text>
    <ButtonLink to="/auth" fullWidth>
      Iniciar Sesión
    </ButtonLink>
  </Stack>
);

function Form({ onEnter }: { onEnter: () => void }) {
  const { token = '' } = useParams({ strict: false });
  const router = useRouter();
  const [person, setPerson] = useState({ token, full_name: '', email: '', password: '' });
  const create = useMutate(firstAccess, {
    failure: false,
    onSuccess: () => {
      onEnter();
      queryClient.clear();
      void router.navigate({ to: '/', replace: true });
    },
  });
  const errors = fieldErrors(create.error);
  // Errors outside the fields, such as too many attempts.
  const banner = Object.keys(person).some((field) => field in errors) ? undefined : create.error?.message;
  const asksCode = !token || errors.token !== undefined;

  const field = (name: keyof typeof person) => ({
    name,
    value: person[name],
    error: errors[name],
    onChange: (event: FormEvent<HTMLInputElement>) => setPerson({ ...person, [name]: event.currentTarget.value }),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!create.isPending) create.mutate({ body: { ...person, token: codeIn(person.token) } });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{WELCOME}</Text>
        <RefusedBanner text={banner} />
        {asksCode && (
          <TextInput
            label="Código de primer acceso"
            description={WHERE}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={!token}
            {...field('token')}
          />
        )}
        <TextInput
          label="Nombre completo"
          autoComplete="name"
          autoFocus={token !== ''}
          maxLength={USER_FIELDS.full_name.max}
          {...field('full_name')}
        />
        <TextInput label="Email" type="email" autoComplete="username" maxLength={USER_FIELDS.email.max} {...field('email')} />
        <PasswordInput
          label="Contraseña"
          description="Al menos 6 caracteres"
          autoComplete="new-password"
          maxLength={USER_FIELDS.password.max}
          {...field('password')}
        />
        <Button type="submit" fullWidth mt={4} disabled={create.isPending}>
          {create.isPending ? 'Creando...' : 'Crear cuenta y entrar'}
        </Button>
      </Stack>
    </form>
  );
}
