import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconBrandWhatsapp, IconMailCheck } from '@tabler/icons-react';
import type { Invitation } from '../../contract/users/users.ts';
import { fechaHora } from '../ui/format/format.ts';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import { OnlyHere } from '../ui/page/only-here.tsx';

const whatsappOf = (invitation: Invitation) =>
  `https://wa.me/?text=${encodeURIComponent(`Hola, ${invitation.user.full_name}. Elige tu contraseña y entra en Enruta: ${addressOf(invitation)}`)}`;

/** Address of an invitation; without PUBLIC_URL the server knows only its path. */
const addressOf = ({ enlace }: Invitation) => new URL(enlace, location.origin).href;

/** Copies the link of an invitation; a refusal is shown in a toast. */
export const copyLink = (invitation: Invitation): Promise<boolean> =>
  copyOr(addressOf(invitation), 'Selecciónalo y cópialo a mano', { title: 'El navegador no deja copiar' });

/** Shows the link of an invitation, which cannot be read again later. */
export function InviteLink({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const { user, correo } = invitation;
  const until = user.invite_until ? ` Vale hasta el ${fechaHora(user.invite_until)}.` : '';
  return (
    <Stack gap="md">
      <Alert
        color={correo ? 'green' : 'blue'}
        role="status"
        icon={correo ? <IconMailCheck size={18} aria-hidden /> : undefined}
        title={correo ? `Se envía por correo a ${user.email}` : `Pásale este enlace a ${user.full_name}`}
      >
        {correo ? 'Si no le llega, cópialo y pásaselo tú.' : 'Por WhatsApp, por ejemplo: quien lo abra elige la contraseña de la cuenta.'}{' '}
        No se vuelve a mostrar.{until}
      </Alert>
      <OnlyHere link={addressOf(invitation)} />
      <TextInput label="Enlace de la invitación" value={addressOf(invitation)} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Group justify="flex-end">
        <CopyButton copy={() => copyLink(invitation)}>Copiar enlace</CopyButton>
        <Button
          component="a"
          href={whatsappOf(invitation)}
          target="_blank"
          rel="noreferrer"
          variant={correo ? 'default' : 'filled'}
          leftSection={<IconBrandWhatsapp size={16} aria-hidden />}
        >
          WhatsApp
        </Button>
        <Button variant={correo ? 'filled' : 'default'} onClick={onDone}>
          Listo
        </Button>
      </Group>
    </Stack>
  );
}
