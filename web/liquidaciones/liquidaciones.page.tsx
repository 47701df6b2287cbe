import { Alert, Anchor, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAdjustments, IconInfoCircle, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isGana, mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import { cerrarMes, crearAjuste, listPorCerrar, type PorCerrar } from '../../contract/liquidaciones/liquidaciones.ts';
import { can } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi, useMutate } from '../api.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { Picker } from '../ui/form/picker.tsx';
import { money, number, parseNumber } from '../ui/format/format.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader, Section } from '../ui/page/panel.tsx';
import { OpenByPerson, OpenLines } from './open.tsx';
import { Statements } from './statements.tsx';

export default function LiquidacionesPage() {
  return can(useSession(), 'liquidacion:manage') ? <Office /> : <Own />;
}

const Own = () => (
  <>
    <PageHeader title="Liquidaciones" subtitle="Lo que ganas con cada pedido, y lo que se te ha liquidado" />
    <Stack gap="xl" data-in-turn>
      <OpenLines />
      <Statements everybodys={false} />
    </Stack>
  </>
);

function Office() {
  const [{ persona }, set] = useSearchState({ persona: '', abiertas: 1, page: 1 });
  const [adjusting, setAdjusting] = useState(false);
  const known = /^[\da-f-]{36}$/i.test(persona) ? { persona } : {};
  return (
    <>
      <PageHeader
        title="Liquidaciones"
        subtitle="Lo que gana cada persona, mes a mes"
        actions={
          <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />} onClick={() => setAdjusting(true)}>
            Ajuste
          </Button>
        }
      />
      <Stack gap="xl" data-in-turn>
        <ToClose />
        {known.persona ? (
          <OpenLines key={known.persona} {...known} onBack={() => set({ persona: '', abiertas: 1 })} />
        ) : (
          <OpenByPerson onChoose={(id) => set({ persona: id, abiertas: 1 })} />
        )}
        <Statements everybodys {...known} />
      </Stack>
      <AdjustDialog opened={adjusting} onClose={() => setAdjusting(false)} {...known} />
    </>
  );
}

type Props = { opened: boolean; onClose: () => void; persona?: string };

const AdjustDialog = ({ opened, onClose, persona }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title="Ajuste">
    {(inDialog) => <AdjustForm onDone={onClose} persona={persona ?? ''} {...inDialog} />}
  </FormDialog>
);

const MAX = 1_000_000;

function AdjustForm({ persona, onDone, dirty, onCancel }: InDialog & { persona: string; onDone: () => void }) {
  const users = useApi(listUsers, {});
  const form = useForm({
    initialValues: { user_id: persona, importe: '', nota: '' },
    validate: {
      user_id: (id) => (id ? null : 'Elige una persona'),
      importe: (typed) => {
        const euros = parseNumber(typed);
        if (!euros) return 'Indica el importe';
        return Math.abs(euros) > MAX || Number(euros.toFixed(2)) !== euros ? 'Importe no válido' : null;
      },
      nota: (nota) => (nota.trim() ? null : 'Explica el ajuste: la persona lo leerá'),
    },
  });
  const save = useMutate(crearAjuste, { form, failure: 'No se pudo anotar el ajuste', onSuccess: onDone });
  const submit = onValid(form, ({ importe, ...body }) => save.mutate({ body: { ...body, importe: parseNumber(importe) } }));
  const input = form.getInputProps('user_id');
  const people = (users.data?.data ?? []).filter(({ role }) => isGana(role));
  return (
    <DialogForm onSubmit={submit} submit="Anotar ajuste" busy={save.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <Text c="dimmed">Va a la próxima liquidación de la persona, que lo verá con su nota.</Text>
      <Picker
        {...input}
        label="Persona"
        placeholder="Elige una persona"
        data={people.map(({ id, full_name }) => ({ value: id, label: full_name }))}
        value={form.values.user_id || null}
        onChange={(value) => input.onChange(value ?? '')}
        error={input.error ?? users.error?.message}
        nothingFoundMessage="Nadie se llama así"
        required
      />
      <NumberField
        label="Importe (€)"
        description="Con un menos delante para quitar: -12,50"
        decimals={2}
        min={-MAX}
        required
        {...form.getInputProps('importe')}
      />
      <GrowingTextarea label="Nota" minRows={2} maxLength={300} required {...form.getInputProps('nota')} />
    </DialogForm>
  );
}

const summary = ({ personas, lineas, total }: PorCerrar) => `${plural(personas, 'persona')}, ${plural(lineas, 'línea')}, ${money(total)}`;

/** Ended months ready to be closed; renders nothing if there are none. */
function ToClose() {
  const months = useApi(listPorCerrar, {});
  if (months.data?.data.length === 0) return null;
  return (
    <Section title="Meses por cerrar" mb="xs">
      <Loaded query={months} failed="No se pudieron cargar los meses" waiting={<Skeletons heights={[36]} />}>
        {({ data }) => (
          <Stack component="ul" gap="xs">
            {data.map((month) => (
              <Month key={month.mes} month={month} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Month({ month }: { month: PorCerrar }) {
  const words = mesEnPalabras(month.mes);
  const close = useMutate(cerrarMes, { failure: `No se pudo cerrar ${words}` });
  const ask = () =>
    void confirm({
      title: `Cerrar ${words}`,
      message: (
        <Stack gap="xs">
          <Text size="md">
            Se hace una liquidación para cada persona: <strong>{summary(month)}</strong>.
          </Text>
          <Repeated of={month.repetidos} />
          <Text c="dimmed">Se avisa a cada una. Una liquidación cerrada no cambia nunca: lo que se corrija después va a la siguiente.</Text>
        </Stack>
      ),
      confirm: `Cerrar ${words}`,
      action: () => close.mutateAsync({ body: { mes: month.mes } }),
    });
  return (
    <Paper component="li" p="sm">
      <Group justify="space-between">
        <div>
          <Text size="md" fw={600} style={{ textTransform: 'capitalize' }}>
            {words.replace(' de ', ' ')}
          </Text>
          <Text c="dimmed">{summary(month)}</Text>
        </div>
        <Button leftSection={<IconLock size={16} aria-hidden />} onClick={ask}>
          Cerrar {words}
        </Button>
      </Group>
    </Paper>
  );
}

/** Orders with several paid failed attempts, to check before closing the month. */
function Repeated({ of }: { of: PorCerrar['repetidos'] }) {
  if (of.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconInfoCircle size={18} />} title="Intentos fallidos repetidos">
      <Text>Se pagan varios intentos del mismo pedido. Míralos antes de cerrar:</Text>
      <Box component="ul" m={0} pl="md" mah={160} style={{ overflowY: 'auto' }}>
        {of.map(({ pedido_id, numero_orden, persona_nombre, intentos, importe }) => (
          <li key={`${pedido_id} ${persona_nombre}`}>
            <Anchor component={Link} to={`/pedidos/${pedido_id}`} size="sm" underline="always">
              {numero_orden}
            </Anchor>
            {`: ${number(intentos)} intentos de ${persona_nombre}, ${money(importe)}`}
          </li>
        ))}
      </Box>
    </Alert>
  );
}
