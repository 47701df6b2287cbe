import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { can } from '../../contract/policy/policy.ts';
import { getUser } from '../../contract/session/session.ts';
import { getRed, setRed } from '../../contract/settings/settings.ts';
import { useApi, useMutate } from '../api.ts';
import { useSession } from './session.ts';
import { isOnlyHere, sharedLink } from './shared-link.ts';

/** `sharedLink` that follows the network being opened while the link is on the screen. */
export function useShared(link: string): string | undefined {
  const { data } = useApi(getUser, {}, { enabled: isOnlyHere(link), staleTime: 60_000 });
  return data ? sharedLink(link, data.negocio.direccion) : sharedLink(link);
}

/** Note in place of a link that only this machine opens, with the way to open it on telephones. */
export function OnlyHere({ link }: { link: string }) {
  const may = can(useSession(), 'settings:manage');
  const shared = useShared(link);
  const open = useMutate(setRed, { failure: 'No se ha podido abrir', invalidates: [getRed, getUser] });
  const { data } = useApi(getRed, {}, { enabled: may && !shared });
  if (shared) return null;
  return (
    <Group role="note" gap="sm">
      <Text>
        <strong>Aún solo se abre en este ordenador.</strong>{' '}
        {may ? (
          <Anchor renderRoot={(props) => <Link {...props} to="/telefono" target="_blank" />} inherit underline="always">
            Otras maneras
          </Anchor>
        ) : (
          'Pide a la oficina que abra Enruta a los teléfonos.'
        )}
      </Text>
      {data?.data.puede && (
        <Button size="compact-sm" disabled={open.isPending} onClick={() => open.mutate({ body: { abierta: true } })}>
          Abrir en esta wifi
        </Button>
      )}
    </Group>
  );
}
