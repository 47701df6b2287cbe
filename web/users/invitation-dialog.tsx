import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { type Invitation, renewInvitation, type User, withdrawInvitation } from '../../contract/users/users.ts';
import { useMutate } from '../api.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { fechaHora } from '../ui/format/format.ts';
import { toast } from '../ui/page/toast.tsx';
import { copyLink, InviteLink } from './invite-link.tsx';

export const InvitationDialog = ({ user, onClose }: { user: User | undefined; onClose: () => void }) => (
  <Dialog opened={!!user} onClose={onClose} size="md" title={`Invitación de ${user?.full_name ?? ''}`}>
    {user && <Content key={user.id} user={user} onDone={onClose} />}
  </Dialog>
);

function Content({ user, onDone }: { user: User; onDone: () => void }) {
  const [made, setMade] = useState<Invitation>();
  const { id, invite_until } = user;
  const renew = useMutate(renewInvitation, {
    success: false,
    failure: 'No se pudo crear el enlace',
    onSuccess: ({ data }) => {
      setMade(data);
      void copyLink(data).then((copied) => copied && toast.success('Enlace copiado'));
    },
  });
  const withdraw = useMutate(withdrawInvitation, { failure: 'No se pudo anular la invitación', onSuccess: onDone });
  if (made) return <InviteLink invitation={made} onDone={onDone} />;
  const busy = renew.isPending || withdraw.isPending;
  return (
    <Stack gap="md">
      <Text>
        {invite_until
          ? `Aún no ha entrado. Su enlace vale hasta el ${fechaHora(invite_until)}; el nuevo sustituye al anterior.`
          : 'Aún no ha entrado, y su enlace ya no vale.'}
      </Text>
      <Group justify="flex-end">
        {invite_until && (
          <Button
            variant="light"
            color="red"
            leftSection={<IconLinkOff size={16} aria-hidden />}
            disabled={busy}
            onClick={() => withdraw.mutate({ params: { id } })}
          >
            Anular
          </Button>
        )}
        <Button leftSection={<IconCopy size={16} aria-hidden />} disabled={busy} onClick={() => renew.mutate({ params: { id } })}>
          Copiar enlace de nuevo
        </Button>
      </Group>
    </Stack>
  );
}
