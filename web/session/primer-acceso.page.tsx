import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { firstAccess } from '../../contract/session.ts';
import { fieldErrors, useMutate } from '../api.ts';
import { Entrance } from './entrance.tsx';

/** Creates the first superadmin of an empty database, from the one-time address printed at startup. */
export default function FirstAccessPage() {
  const { token } = useParams({ from: '/primer-acceso/$token' });
  const navigate = useNavigate();
  const [person, setPerson] = useState({ full_name: '', email: '', password: '' });
  const create = useMutate(firstAccess, { failure: false, onSuccess: () => void navigate({ to: '/auth' }) });
  const errors = fieldErrors(create.error);
  // Errors outside the fields: the address was already used, or is wrong.
  const banner = create.error && !Object.keys(person).some((field) => field in errors) ? create.error.message : '';

  const field = (name: keyof typeof person) => ({
    name,
    value: person[name],
    error: errors[name],
    onChange: (event: FormEvent<HTMLInputElement>) => setPerson({ ...person, [name]: event.currentTarget.value }),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!create.isPending) create.mutate({ body: { token, ...person } });
  }

  return (
    <Entrance title="Primer acceso">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Crea la cuenta de la primera persona administradora. Esta dirección solo sirve una vez.
          </Text>
          {banner && (
            <Alert color="red" role="alert">
              {banner}
            </Alert>
          )}
          <TextInput label="Nombre completo" autoComplete="name" autoFocus {...field('full_name')} />
          <TextInput label="Email" type="email" autoComplete="username" {...field('email')} />
          <PasswordInput label="Contraseña" description="Al menos 6 caracteres" autoComplete="new-password" {...field('password')} />
          <Button type="submit" fullWidth mt={4} disabled={create.isPending}>
            {create.isPending ? 'Creando...' : 'Crear cuenta'}
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
