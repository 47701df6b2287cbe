import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/Alert.css';
import { Alert, Button, Checkbox, Group, List, Stack, TextInput } from '@mantine/core';
import { IconBrandWhatsapp, IconClipboardList, IconKey, IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { type Invitation, listUsers, type User } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { OnlyHere, useShared } from '../session/only-here.tsx';
import { sharedLink } from '../session/shared-link.ts';
import { Picker } from '../ui/form/picker.tsx';
import { ago, fechaHora } from '../ui/format/format.ts';
import { ROLE_WORDS } from './role-words.ts';
import '@mantine/core/styles/List.css';
import { isKeyActive, listApiKeys } from '../../contract/api-keys/api-keys.ts';
import { roleMay } from '../../contract/policy/policy.ts';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';

type Props = {
  /** User about to leave. */
  user: User;
  /** Called with the id of the new owner; empty to leave the orders. */
  onChoose: (id: string) => void;
  /** Allows leaving the orders with the user. */
  optional: boolean;
};

export function HandOver({ user: { id: own, role, pedidos_abiertos: open }, onChoose, optional }: Props) {
  const [chosen, setChosen] = useState('');
  const { data, isPending } = useApi(listUsers, { query: { role } });
  const others = (data?.data ?? []).filter(({ id, is_active }) => is_active && id !== own);
  const { singular } = ROLE_WORDS[role];
  return (
    <Alert
      color="orange"
      role="note"
      icon={<IconClipboardList size={18} aria-hidden />}
      title={`Tiene ${plural(open, 'pedido abierto', 'pedidos abiertos')}`}
    >
      <Picker
        label={open === 1 ? 'Pasarlo a' : 'Pasarlos a'}
        placeholder={`Elige un ${singular}`}
        data={[
          ...(optional ? [{ value: '', label: open === 1 ? 'Nadie: se queda como está' : 'Nadie: se quedan como están' }] : []),
          ...others.map(({ id, full_name }) => ({ value: id, label: full_name })),
        ]}
        value={chosen || (optional ? '' : null)}
        onChange={(value) => {
          setChosen(value ?? '');
          onChoose(value ?? '');
        }}
        nothingFoundMessage={isPending ? 'Cargando...' : `Ningún otro ${singular} activo se llama así`}
        checkIconPosition="right"
      />
    </Alert>
  );
}

/** Lists the valid API keys that a leaving user created, and offers to revoke them. */
export function MadeKeys({ user, onChoose }: { user: User; onChoose: (revoke: boolean) => void }) {
  const { data } = useApi(listApiKeys, {}, { enabled: roleMay(user.role, 'apikey:manage') });
  const keys = (data?.data ?? []).filter((key) => key.creada_por_id === user.id && isKeyActive(key));
  if (keys.length === 0) return null;
  const isSingle = keys.length === 1;
  return (
    <Alert
      color="orange"
      role="note"
      icon={<IconKey size={18} aria-hidden />}
      title={isSingle ? 'Hizo 1 clave de API que sigue valiendo' : `Hizo ${keys.length} claves de API que siguen valiendo`}
    >
      <List size="sm" mb="xs">
        {keys.map(({ id, nombre, usada_at }) => (
          <List.Item key={id}>
            {nombre} ({usada_at ? `usada ${ago(usada_at)}` : 'sin usar'})
          </List.Item>
        ))}
      </List>
      <Checkbox
        label={isSingle ? 'Revocarla también' : 'Revocarlas también'}
        description="El programa que la usa dejará de entrar en ese momento"
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
    </Alert>
  );
}

const whatsappOf = ({ user }: Invitation, link: string) =>
  `https://wa.me/?text=${encodeURIComponent(`Hola, ${user.full_name}. Elige tu contraseña y entra en Enruta: ${link}`)}`;

/** Copies the link of an invitation, if other devices open it; a refusal of the browser is shown in a toast. */
export async function copyLink({ enlace }: Invitation, link = sharedLink(enlace)): Promise<boolean> {
  return !!link && copyOr(link, 'Selecciónalo y cópialo a mano', { title: 'El navegador no deja copiar' });
}

/** Shows the link of an invitation, which cannot be read again later. */
export function InviteLink({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const { user, correo } = invitation;
  const link = useShared(invitation.enlace);
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
      <OnlyHere link={invitation.enlace} />
      {link && <TextInput label="Enlace de la invitación" value={link} readOnly onFocus={(event) => event.currentTarget.select()} />}
      <Group justify="flex-end">
        {link ? (
          <CopyButton copy={() => copyLink(invitation, link)}>Copiar enlace</CopyButton>
        ) : (
          <Button component="a" href={invitation.enlace} target="_blank" variant="default">
            Abrirla en este ordenador
          </Button>
        )}
        {link && (
          <Button
            component="a"
            href={whatsappOf(invitation, link)}
            target="_blank"
            rel="noreferrer"
            variant={correo ? 'default' : 'filled'}
            leftSection={<IconBrandWhatsapp size={16} aria-hidden />}
          >
            WhatsApp
          </Button>
        )}
        <Button variant={correo ? 'filled' : 'default'} onClick={onDone}>
          Listo
        </Button>
      </Group>
    </Stack>
  );
}
