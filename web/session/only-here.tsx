import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { can } from '../../contract/policy/policy.ts';
import { getRed, setRed } from '../../contract/settings/settings.ts';
import { useApi, useMutate } from '../api.ts';
import { isOnlyHere } from '../ui/page/loopback.ts';
import { useSession } from './session.ts';

/** The link as other devices open it: of this machine alone, with the address in the local network once that is open. */
export function useShared(link: string): string {
  const mayRead = can(useSession(), 'settings:manage');
  const onlyHere = isOnlyHere(link);
  const { data } = useApi(getRed, {}, { enabled: mayRead && onlyHere });
  const [address] = data?.data.direcciones ?? [];
  if (!onlyHere || !data?.data.abierta || !address) return link;
  const { pathname, search } = new URL(link, window.location.origin);
  return new URL(`${pathname}${search}`, address).href;
}

/** Note beside a link meant for other people that opens only on this machine, with the way to open it on telephones. */
export function OnlyHere({ link }: { link: string }) {
  const may = can(useSession(), 'settings:manage');
  const open = useMutate(setRed, { failure: 'No se ha podido abrir' });
  const { data } = useApi(getRed, {}, { enabled: may && isOnlyHere(link) });
  if (!isOnlyHere(link)) return null;
  return (
    <Group role="note" gap="sm">
      <Text>
        <strong>Aún solo se abre en este ordenador.</strong>{' '}
        {may && (
          <Anchor renderRoot={(props) => <Link {...props} to="/telefono" target="_blank" />} inherit underline="always">
            Otras maneras
          </Anchor>
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
