import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconDownload, IconEyeOff, IconLock } from '@tabler/icons-react';
import { useId } from 'react';
import { exportarPersona, type PersonaEncontrada } from '../../contract/privacidad/privacidad.ts';
import { useProvenDownload } from '../account/use-proven-download.ts';
import { fecha, number } from '../ui/format/format.ts';
import type { Blocking } from './block-dialog.tsx';

export const timesText = ({ lugar, veces }: { lugar: string; veces: number }) => `${lugar}: ${number(veces)}`;

export function Person({ persona, onBlock }: { persona: PersonaEncontrada; onBlock: (blocking: Blocking) => void }) {
  const { pedido_id, nombres, telefonos, lugar, pedidos, abiertos, lista, primero, ultimo, coincide, aparece } = persona;
  const heading = useId();
  const [name = ''] = nombres;
  const { download, isPending } = useProvenDownload();
  const target = { persona: pedido_id, label: name, pedidos, abiertos, lista };
  return (
    <Paper component="li" p="md" aria-labelledby={heading}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div style={{ minWidth: 0, flex: '1 1 16rem' }}>
          <Title order={3} size="h4" id={heading} style={{ overflowWrap: 'anywhere' }}>
            {nombres.join(' · ')}
          </Title>
          <Text style={{ overflowWrap: 'anywhere' }}>{[telefonos.join(' · ') || 'Sin teléfono', lugar].filter(Boolean).join(', ')}</Text>
          <Text mt={4}>
            {pedidos === 1 ? `1 pedido, del ${fecha(ultimo)}` : `${number(pedidos)} pedidos, del ${fecha(primero)} al ${fecha(ultimo)}`}
            {abiertos > 0 && (
              <Badge ml="xs" color="orange">
                {number(abiertos)} sin terminar
              </Badge>
            )}
          </Text>
          <Text variant="detail" mt={4}>
            Se ha encontrado en {coincide.join(', ').toLowerCase()}.
            {aparece.length > 0 && ` De sus pedidos hay además: ${aparece.map(timesText).join(' · ')}`}
          </Text>
        </div>
        <Group>
          <Button
            size="xs"
            px="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            disabled={isPending}
            aria-label={`Exportar los datos de ${name}`}
            onClick={() => download(`${exportarPersona.path}?persona=${pedido_id}`)}
          >
            Exportar
          </Button>
          <Button
            size="xs"
            px="xs"
            variant="default"
            leftSection={<IconLock size={14} aria-hidden />}
            aria-label={`Bloquear los datos de ${name}`}
            onClick={() => onBlock({ what: 'bloquear', ...target })}
          >
            Bloquear
          </Button>
          <Button
            size="xs"
            px="xs"
            variant="light"
            color="red"
            leftSection={<IconEyeOff size={14} aria-hidden />}
            aria-label={`Anonimizar los datos de ${name}`}
            onClick={() => onBlock({ what: 'anonimizar', ...target })}
          >
            Anonimizar
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
