import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Caja, listCajas } from '../../contract/caja/caja.ts';
import { ESTADO_CAJA_LABEL } from '../../contract/caja/fields.ts';
import { can } from '../../contract/policy/policy.ts';
import { useApi } from '../api.ts';
import type { UnsentCash } from '../outbox/unsent-cash.ts';
import { EntregasTabs } from '../pedidos/entregas/entregas-tabs.tsx';
import { useSession } from '../session/session.ts';
import { fecha, isoDay, money } from '../ui/format/format.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { CountDialog } from './count-dialog.tsx';
import OfficeLists from './office-lists.tsx';
import { sumOf, Unsent, useUnsentCash } from './unsent.tsx';

const COLOR = { abierta: 'orange', entregada: 'blue', confirmada: 'green' } as const;

/** Cash collected at the door, by day: all carriers' cash for a superadmin, else the carrier's own. */
export default function CajaPage() {
  const office = can(useSession(), 'caja:confirm');
  const cajas = useApi(listCajas, {});
  // Stores the day's key, not the day, so that the dialog follows cash collected meanwhile.
  const [counted, setCounted] = useState<string>();
  const unsent = useUnsentCash(!office);
  return (
    <>
      <PageHeader
        title="Caja"
        subtitle={office ? 'El efectivo que tiene cada transportista, y desde cuándo' : 'El efectivo que has cobrado, día a día'}
      />
      <EntregasTabs />
      <Loaded query={cajas} failed="No se pudo cargar la caja" waiting={<Skeletons heights={[84, 84]} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Stack>
              {unsent.length > 0 ? (
                <InHand data={data} unsent={unsent} />
              ) : (
                <EmptyState
                  title="No hay efectivo cobrado"
                  hint="Aquí sale lo que se cobra en efectivo al entregar los pedidos contra reembolso."
                />
              )}
            </Stack>
          ) : (
            <Stack>
              <InHand data={data} unsent={unsent} />
              <Stack component="ul" gap="xs">
                {data.map((caja) => (
                  <Day key={nameOf(caja)} caja={caja} office={office} onCount={() => setCounted(nameOf(caja))} />
                ))}
              </Stack>
            </Stack>
          )
        }
      </Loaded>
      {!cajas.data && unsent.length > 0 && <InHand data={[]} unsent={unsent} />}
      {office && <OfficeLists />}
      <CountDialog
        unsent={unsent}
        office={office}
        caja={cajas.data?.data.find((caja) => nameOf(caja) === counted)}
        onClose={() => setCounted(undefined)}
      />
    </>
  );
}

const nameOf = ({ transportista_id, dia, ronda }: Caja) => `${transportista_id} ${dia} ${ronda}`;

/** All cash in hand: the server's sum, plus collections that the server has not accepted. */
function InHand({ data, unsent }: { data: readonly Caja[]; unsent: readonly UnsentCash[] }) {
  const open = data.filter(({ estado }) => estado === 'abierta');
  const since = [...open.map(({ dia }) => dia), ...unsent.map(({ at }) => isoDay(at))].sort()[0];
  const sum = open.reduce((all, { esperado }) => all + esperado, 0) + sumOf(unsent);
  return (
    <>
      <Text size="md" fw={600} aria-live="polite">
        {`En mano: ${money(sum)}${since ? `, desde el ${fecha(since)}` : ''}`}
      </Text>
      <Unsent cash={unsent} />
    </>
  );
}

function Day({ caja, office, onCount }: { caja: Caja; office: boolean; onCount: () => void }) {
  const { dia, ronda, estado, esperado, contado, recibido, cobros, transportista_nombre } = caja;
  const received = office && estado === 'abierta';
  const asked = estado === 'abierta' || (office && estado === 'entregada');
  const act = received ? `Recibir ${money(esperado)}` : office ? 'Confirmar caja' : 'Entregar caja';
  const day = ronda > 1 ? `${fecha(dia)} (${ronda}.ª entrega)` : fecha(dia);
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between">
        <div>
          <Group>
            <Text size="md" fw={600}>
              {office ? `${transportista_nombre}, ${day}` : day}
            </Text>
            <Badge variant="light" color={COLOR[estado]} autoContrast={false}>
              {ESTADO_CAJA_LABEL[estado]}
            </Badge>
          </Group>
          <Text>
            Cobrado {money(esperado)} ({cobros === 1 ? '1 cobro' : `${cobros} cobros`})
            {contado !== null && ` · Entregado ${money(contado)}`}
            {recibido !== null && ` · Recibido ${money(recibido)}`}
          </Text>
          {[caja.motivo, caja.confirmada_motivo].map(
            (motivo) =>
              motivo && (
                <Text key={motivo} c="dimmed">
                  «{motivo}»
                </Text>
              ),
          )}
        </div>
        {asked && (
          <Button
            mih={44}
            variant={received ? 'light' : 'filled'}
            onClick={onCount}
            aria-label={
              received ? `${act} de ${transportista_nombre}, del ${day}` : `${act} del ${day}${office ? ` de ${transportista_nombre}` : ''}`
            }
          >
            {act}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
