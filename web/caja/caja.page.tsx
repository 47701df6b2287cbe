import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Caja, confirmarCaja, entregarCaja, listCajas, recibirCaja } from '../../contract/caja/caja.ts';
import { ESTADO_CAJA_LABEL } from '../../contract/caja/fields.ts';
import { problemOf } from '../../contract/kit/fields.ts';
import { can } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi, useMutate } from '../api.ts';
import { type UnsentCash, unsentCash } from '../outbox/unsent-cash.ts';
import { outboxFor } from '../pedidos/actions/outbox.ts';
import { EntregasTabs } from '../pedidos/entregas/entregas-tabs.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { fecha, isoDay, money, parseNumber, showNumber } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import OfficeLists from './office-lists.tsx';

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
        {({ data }) => (
          <Stack>
            {data.length + unsent.length > 0 ? (
              <InHand data={data} unsent={unsent} />
            ) : (
              <EmptyState
                title="No hay efectivo cobrado"
                hint="Aquí sale lo que se cobra en efectivo al entregar los pedidos contra reembolso."
              />
            )}
            <Stack component="ul" gap="xs">
              {data.map((caja) => (
                <Day key={nameOf(caja)} caja={caja} office={office} onCount={() => setCounted(nameOf(caja))} />
              ))}
            </Stack>
          </Stack>
        )}
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
  const asked = estado === 'abierta' || (office && estado === 'entregada');
  const act = office ? `Recibir ${money(contado ?? esperado)}` : 'Entregar caja';
  const day = ronda > 1 ? `${fecha(dia)} (${ronda}.ª entrega)` : fecha(dia);
  const whose = office ? ` de ${transportista_nombre}` : '';
  return (
    <Paper component="li" p="sm">
      <Group justify="space-between">
        <div>
          <Group>
            <Text variant="title">{office ? `${transportista_nombre}, ${day}` : day}</Text>
            <Badge color={COLOR[estado]} autoContrast={false}>
              {ESTADO_CAJA_LABEL[estado]}
            </Badge>
          </Group>
          <Text>
            Cobrado {money(esperado)} ({plural(cobros, 'cobro')}){contado !== null && ` · Entregado ${money(contado)}`}
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
          <Button variant={office && estado === 'abierta' ? 'light' : 'filled'} onClick={onCount} aria-label={`${act}${whose} del ${day}`}>
            {act}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

type Props = { caja: Caja | undefined; office: boolean; unsent: readonly UnsentCash[]; onClose: () => void };

/** «Entregar caja» for a carrier; «Recibir caja» for the office, before and after the hand-over. */
function CountDialog({ caja, office, unsent, onClose }: Props) {
  const title = office ? 'Recibir caja' : 'Entregar caja';
  return (
    <FormDialog opened={!!caja} onClose={onClose} title={title} fillsPhone={false}>
      {(inDialog) => caja && <CountForm caja={caja} office={office} unsent={unsent} title={title} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

type FormProps = InDialog & { caja: Caja; office: boolean; unsent: readonly UnsentCash[]; title: string; onDone: () => void };
function CountForm({ caja, office, unsent, title, onDone, dirty, onCancel }: FormProps) {
  const due = caja.contado ?? caja.esperado;
  const field = office ? 'recibido' : 'contado';
  const form = useForm({
    initialValues: { contado: showNumber(due, 2), recibido: showNumber(due, 2), motivo: '' },
    validate: {
      [field]: (typed: string) => problemOf({ kind: 'money' }, parseNumber(typed)) ?? null,
      motivo: (typed, values) => (parseNumber(values[field]) !== due && !typed.trim() ? 'Indica el motivo de la diferencia' : null),
    },
  });
  const words = { form, failure: 'No se pudo guardar la caja', onSuccess: onDone };
  const handOver = useMutate(entregarCaja, { ...words, success: 'Caja entregada' });
  const confirm = useMutate(confirmarCaja, { ...words, success: 'Caja recibida' });
  const receive = useMutate(recibirCaja, { ...words, success: 'Caja recibida' });
  const busy = handOver.isPending || confirm.isPending || receive.isPending;
  const differs = parseNumber(form.values[field]) !== due;
  const submit = form.onSubmit((values) => {
    const motivo = values.motivo.trim() || null;
    const amount = parseNumber(values[field]);
    if (caja.caja_id) confirm.mutate({ params: { id: caja.caja_id }, body: { recibido: amount, motivo } });
    else if (office) receive.mutate({ body: { transportista_id: caja.transportista_id, dia: caja.dia, recibido: amount, motivo } });
    else handOver.mutate({ body: { dia: caja.dia, contado: amount, motivo } });
  });
  return (
    <DialogForm onSubmit={submit} submit={title} busy={busy} onCancel={onCancel} form={form} dirty={dirty}>
      <Text size="md">
        {office && `${caja.transportista_nombre}, `}
        {fecha(caja.dia)}: {caja.caja_id ? 'entregados' : 'cobrados'} <strong>{money(due)}</strong>
      </Text>
      <NotCounted cash={unsent} />
      <NumberField label={office ? 'Recibido (€)' : 'Contado (€)'} decimals={2} size="lg" data-autofocus {...form.getInputProps(field)} />
      {(differs || form.errors.motivo) && (
        <GrowingTextarea label="Motivo de la diferencia" minRows={2} maxLength={300} {...form.getInputProps('motivo')} />
      )}
    </DialogForm>
  );
}

const LOOK_MS = 5000;

/** Cash of unsent and refused steps on this phone: in hand, but in no day of the Caja yet. */
function useUnsentCash(isCarrier: boolean): readonly UnsentCash[] {
  const actor = useSession();
  const { data } = useQuery({
    queryKey: ['telefono', 'efectivo', actor.id],
    queryFn: async () => {
      const outbox = outboxFor(actor);
      return unsentCash([...(await outbox.unsent()), ...(await outbox.refused())]);
    },
    refetchInterval: LOOK_MS,
    networkMode: 'always',
    enabled: isCarrier,
  });
  return data ?? [];
}

const sumOf = (cash: readonly UnsentCash[]): number => cash.reduce((sum, { importe }) => sum + importe, 0);

const named = (cash: readonly UnsentCash[]) => (cash.length === 1 ? `1 cobro (${cash[0]?.numero ?? ''})` : `${cash.length} cobros`);

function Unsent({ cash }: { cash: readonly UnsentCash[] }) {
  const waiting = cash.filter(({ rechazado }) => !rechazado);
  const refused = cash.filter(({ rechazado }) => rechazado);
  return (
    <>
      {waiting.length > 0 && (
        <Text role="status">
          De ellos, <strong>{money(sumOf(waiting))}</strong> de {named(waiting)} que este teléfono no ha enviado todavía. Si entregas la
          caja antes, serán otra entrega del mismo día.
        </Text>
      )}
      {refused.length > 0 && (
        <Text role="status">
          De ellos, <strong>{money(sumOf(refused))}</strong> de {named(refused)} que no se ha registrado: los registra la oficina.
        </Text>
      )}
    </>
  );
}

/** Tells the carrier to leave unsent cash out of the count. */
function NotCounted({ cash }: { cash: readonly UnsentCash[] }) {
  if (cash.length === 0) return null;
  return (
    <Text role="note">
      No cuentes aquí <strong>{money(sumOf(cash))}</strong> de {named(cash)}: este teléfono no los ha enviado, y entran en la caja cuando
      lleguen. Si puedes, espera a tener cobertura.
    </Text>
  );
}
