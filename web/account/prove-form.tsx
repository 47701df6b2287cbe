import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type ApiError, fieldErrors } from '../api.ts';
import { PasswordField } from './password-field.tsx';

type Props = {
  explain: ReactNode;
  submit: string;
  danger?: boolean;
  busy: boolean;
  error: ApiError | null;
  onSubmit: (password: string) => void;
  onCancel: () => void;
};

/** Asks for the password again, so that an unattended session cannot change the account. */
export function ProveForm({ explain, submit, danger = false, busy, error, onSubmit, onCancel }: Props) {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  function onForm(event: FormEvent) {
    event.preventDefault();
    setMissing(!password);
    if (password && !busy) onSubmit(password);
  }
  return (
    <form onSubmit={onForm} noValidate>
      <Stack gap="sm">
        <Text size="sm">{explain}</Text>
        <PasswordField
          label="Contraseña actual"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={missing && !password ? 'Escribe tu contraseña actual' : fieldErrors(error).password}
        />
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            Cancelar
          </Button>
          <Button type="submit" {...(danger && { color: 'red' })} disabled={busy}>
            {busy ? 'Comprobando...' : submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
