import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { FUERA_DEL_FICHERO } from '../../contract/liquidaciones/fields.ts';
import { ficheroTransferencias, type Liquidacion } from '../../contract/liquidaciones/liquidaciones.ts';
import { plural } from '../../contract/text/plural.ts';
import { useMutate } from '../api.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { money, today } from '../ui/format/format.ts';
import { ButtonLink } from '../ui/page/link.tsx';
import { toast } from '../ui/page/toast.tsx';
import { EarningsDialog } from '../users/earnings-dialog.tsx';

/* The file of transfers for the bank, and what it leaves out. */

type OutcomeProps = { file: TransferFile | undefined; busy: boolean; onClose: () => void; onRetry: (left: TransferFile['fuera']) => void };

/** Statements left out of the transfer file, each with the missing step. */
export const TransferFileOutcome = ({ file, ...rest }: OutcomeProps) => (
  <Dialog
    opened={file !== undefined}
    onClose={rest.onClose}
    title={file?.contenido === null ? missing(file.fuera) : 'Fichero de transferencias hecho'}
  >
    {file && <Content file={file} {...rest} />}
  </Dialog>
);

/** Title when nothing can be transferred: the missing IBANs, if no other reason applies. */
function missing(left: TransferFile['fuera']): string {
  if (left.some(({ motivo }) => motivo !== 'sin_iban')) return 'No hay nada que transferir';
  const people = new Set(left.map(({ user_id }) => user_id)).size;
  return people === 1 ? `Falta el IBAN de ${left[0]?.persona_nombre ?? 'una persona'}` : `Falta el IBAN de ${people} personas`;
}

function Content({
  file: { contenido, incluidas, total, fuera, sin_titular },
  busy,
  onClose,
  onRetry,
}: OutcomeProps & { file: TransferFile }) {
  const [payee, setPayee] = useState<{ id: string; full_name: string }>();
  const inside = plural(incluidas.length, 'transferencia');
  return (
    <Stack>
      {contenido !== null && (
        <Text>
          Lleva {inside}, {money(total)}, y son las que siguen elegidas. Súbelo a tu banco; después, márcalas como pagadas.
        </Text>
      )}
      {sin_titular.length > 0 && <Text>{withoutHolder(sin_titular)}</Text>}
      <Text fw={600}>{fuera.length === 1 ? 'No va en el fichero' : 'No van en el fichero'}</Text>
      <Stack component="ul" gap="xs">
        {fuera.map(({ id, numero, user_id, persona_nombre, total: due, motivo }) => (
          <Group component="li" key={id} justify="space-between">
            <Text>
              {persona_nombre}, {money(due)} ({numero}): {FUERA_DEL_FICHERO[motivo].toLowerCase().replace('iban', 'IBAN')}
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
            ) : motivo === 'nombre' ? (
              <ButtonLink to="/gestion-usuarios" size="xs" variant="default">
                Cambiar su nombre
              </ButtonLink>
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

type TransferFile = Answer<typeof ficheroTransferencias>['data'];

const withoutHolder = (names: readonly string[]) =>
  `Sin titular de la cuenta escrito van con su propio nombre: ${names.join(', ')}. Si el banco dice que no coincide, escríbelo junto al IBAN.`;

/** Downloads statements as a file of transfers for the bank. `partial` is the outcome of a file that left statements out. */
export function useTransferFile(onWritten: (ids: readonly string[]) => void) {
  const [partial, setPartial] = useState<TransferFile>();
  const write = useMutate(ficheroTransferencias, {
    success: false,
    failure: 'No se pudo hacer el fichero',
    onSuccess: ({ data }) => {
      const { nombre, contenido, incluidas, fuera, sin_titular } = data;
      if (contenido !== null) {
        const href = URL.createObjectURL(new Blob([contenido], { type: 'application/xml' }));
        Object.assign(document.createElement('a'), { href, download: nombre }).click();
        URL.revokeObjectURL(href);
        onWritten(incluidas);
      }
      setPartial(fuera.length ? data : undefined);
      const next = ['Súbelo a tu banco; después, márcalas como pagadas.', ...(sin_titular.length ? [withoutHolder(sin_titular)] : [])];
      if (!fuera.length) toast.success(next.join(' '), { title: 'Fichero de transferencias hecho' });
    },
  });
  const download = (liquidaciones: readonly Pick<Liquidacion, 'id'>[]) =>
    write.mutate({ query: { ids: liquidaciones.map(({ id }) => id).join(','), fecha: today() } });
  return { download, busy: write.isPending, partial, clear: () => setPartial(undefined) };
}
