import { Badge, Text } from '@mantine/core';
import { ZONAS, zonaOf } from '../../contract/zonas/zonas.ts';
import { useSession } from '../session/session.ts';

type Props = { address: Parameters<typeof zonaOf>[0] };

function useLejos(address: Props['address']): string | undefined {
  const used = useSession().zonas !== undefined;
  const zona = used ? zonaOf(address) : undefined;
  return zona && zona !== 'peninsula' ? ZONAS[zona].label : undefined;
}

/** Warns that an address is on an island, in Ceuta or in Melilla, if the shop uses zones. */
export function Lejos({ address }: Props) {
  const zona = useLejos(address);
  if (!zona) return null;
  return (
    <Text fw={600} mt={4} role="note">
      {zona}: puede tardar y costar más
    </Text>
  );
}

/** Zone of a remote address as a badge, for lists. */
export function LejosBadge({ address }: Props) {
  const zona = useLejos(address);
  if (!zona) return null;
  return (
    <Badge size="xs" color="orange" title={`${zona}: puede tardar y costar más`}>
      {zona}
    </Badge>
  );
}
