import { Button, Group, Text } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import { type User, updateUser } from '../../contract/users/users.ts';
import { useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';

/** Removes the second factor of a user who lost their phone; the password alone then signs them in. */
export function ResetSecondFactor({ user }: { user: User }) {
  const reset = useMutate(updateUser, { success: 'Segundo factor quitado', failure: 'No se pudo quitar el segundo factor' });
  const { id, full_name } = user;
  const ask = () =>
    void confirm({
      title: 'Quitar el segundo factor',
      message: (
        <>
          <strong>{full_name}</strong> podrá entrar solo con su contraseña hasta que configure otro. Se cierran sus sesiones abiertas.
          Asegúrate antes de que es quien te lo pide.
        </>
      ),
      confirm: 'Quitar',
      danger: true,
      action: () => reset.mutateAsync({ params: { id }, body: { reset_second_factor: true } }),
    });

  // Hides the button after success, because `user` stays outdated until the dialog reopens.
  if (reset.isSuccess) return null;
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">Entra con segundo factor</Text>
      <Button variant="default" size="xs" leftSection={<IconShieldOff size={14} aria-hidden />} onClick={ask}>
        Quitar el segundo factor
      </Button>
    </Group>
  );
}
