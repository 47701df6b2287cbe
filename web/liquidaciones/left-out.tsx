import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FUERA_DE_REMESA } from '../../contract/liquidaciones/fields.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { money } from '../ui/format/format.ts';
import { ButtonLink } from '../ui/page/link.tsx';
import { EarningsDialog } from '../users/earnings-dialog.tsx';
import type { Remesa } from './use-remesa.ts';

type Props = { remesa: Remesa | undefined; busy: boolean; onClose: () => void; onRetry: (left: Remesa['fuera']) => void };

/** Statements left out of the transfer file, each with the missing step. */
export const LeftOut = ({ remesa, ...rest }: Props) => (
  <Dialog
    opened={remesa !== undefined}
    onClose={rest.onClose}
    title={remesa?.contenido === null ? missing(remesa.fuera) : 'Fichero de transferencias hecho'}
  >
    {remesa && <Content remesa={remesa} {...rest} />}
  </Dialog>
);

/** Title when nothing can be transferred: what is missing, if it is the same for all. */
function missing(left: Remesa['fuera']): string {
  if (left.some(({ motivo }) => motivo !== 'sin_iban')) return 'No hay nada que transferir';
  const people = new Set(left.map(({ user_id }) => user_id)).size;
  return people === 1 ? `Falta el IBAN de ${left[0]?.persona_nombre}` : `Falta el IBAN de ${people} personas`;
}

function Content({ remesa: { contenido, incluidas, total, fuera }, busy, onClose, onRetry }: Props & { remesa: Remesa }) {
  const [payee, setPayee] = useState<{ id: string; full_name: string }>();
  const inside = incluidas.length === 1 ? '1 transferencia' : `${incluidas.length} transferencias`;
  return (
    <Stack>
      {contenido !== null && (
        <Text>
          Lleva {inside}, {money(total)}, y son las que siguen elegidas. Súbelo a tu banco; después, márcalas como pagadas.
        </Text>
      )}
      <Text fw={600}>{fuera.length === 1 ? 'No va en el fichero' : 'No van en el fichero'}</Text>
      <Stack component="ul" gap="xs">
        {fuera.map(({ id, numero, user_id, persona_nombre, total: due, motivo }) => (
          <Group component="li" key={id} justify="space-between">
            <Text>
              {persona_nombre}, {money(due)} ({numero}): {FUERA_DE_REMESA[motivo].toLowerCase().replace('iban', 'IBAN')}
            </Text>
            {motivo === 'sin_iban' ? (
              <Button
                size="xs"
                variant="default"
                aria-label={`Escribir su IBAN: ${persona_nombre}`}
                onClick={() => setPayee({ id: user_id, full_name: persona_nombre })}
              >
                Escribir su IBAN
              </Button>
            ) : (
              <ButtonLink to="/liquidaciones/$id" params={{ id }} size="xs" variant="default">
                Ver la liquidación
              </ButtonLink>
            )}
          </Group>
        ))}
      </Stack>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
        {fuera.some(({ motivo }) => motivo === 'sin_iban') && (
          <Button loading={busy} onClick={() => onRetry(fuera)}>
            Hacer otro fichero con estas
          </Button>
        )}
      </Group>
      <EarningsDialog user={payee} onClose={() => setPayee(undefined)} />
    </Stack>
  );
}
