import { Badge, Group, Text } from '@mantine/core';
import { IconBan, IconBellRinging } from '@tabler/icons-react';

type Said = {
  nota?: string | null | undefined;
  avisar_antes?: boolean | undefined;
  bloqueado_motivo?: string | null | undefined;
};

export const AvisarAntes = () => (
  <Badge color="orange" style={{ flexShrink: 0 }} leftSection={<IconBellRinging size={12} stroke={2} aria-hidden />}>
    Avisar antes
  </Badge>
);

/** Badges of a customer in a list. */
export function Signs({ avisar_antes, bloqueado_motivo }: Said) {
  if (!avisar_antes && !bloqueado_motivo) return null;
  return (
    <Group gap={4}>
      {bloqueado_motivo && (
        <Badge color="red" style={{ flexShrink: 0 }} leftSection={<IconBan size={12} stroke={2} aria-hidden />}>
          Bloqueado
        </Badge>
      )}
      {avisar_antes && <AvisarAntes />}
    </Group>
  );
}

export function SaidOfCliente({ nota, avisar_antes, label = 'Nota del cliente' }: Said & { label?: string }) {
  if (!nota && !avisar_antes) return null;
  return (
    <div>
      {avisar_antes && <AvisarAntes />}
      {nota && (
        <Text mt={avisar_antes ? 4 : 0} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {label && (
            <Text span inherit fw={600}>
              {label}:{' '}
            </Text>
          )}
          {nota}
        </Text>
      )}
    </div>
  );
}
