import { Anchor, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import {
  type Abono,
  apuntarMovimiento,
  cerrarMovimiento,
  deshacerExtracto,
  type Extracto,
  listAbonos,
  listExtractos,
  soltarMovimiento,
} from '../../contract/banco/banco.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { fecha, fechaHora, money, number, parseNumber, showNumber } from '../ui/format/format.ts';
import classes from '../ui/list/act-rows.module.css';
import { Section } from '../ui/page/panel.tsx';
import '@mantine/core/styles/Radio.css';

const StatementDialog = lazy(() => import('./statement-dialog.tsx'));

/** «Del banco»: statements read, and their credits that wait. Nothing until a statement is read, unless `offered`. */
export function BankMovements({ offered }: { offered: boolean }) {
  const statements = useApi(listExtractos, {}).data?.data;
  const [reading, setReading] = useState(false);
  const [done, setDone] = useState(false);
  const [open, setOpen] = useState<Abono>();
  const isUsed = !!statements && statements.length > 0;
  const iban = useApi(getSettings, {}, { enabled: reading }).data?.data.companyIban;
  const waiting = useApi(listAbonos, {}, { enabled: isUsed }).data;
  if (!isUsed && !offered) return null;
  return (
    <Section title="Del banco" order={2} mb="lg">
      <Group justify="space-between" mb="xs">
        <Text c="dimmed">Lo que ha llegado a tu cuenta y no se ha apuntado solo.</Text>
        <Button variant="light" onClick={() => setReading(true)}>
          Leer extracto
        </Button>
      </Group>
      {waiting && waiting.data.length > 0 && (
        <ul className={classes.list} aria-label="Abonos por revisar">
          {waiting.data.map((movement) => (
            <Waiting key={movement.id} movement={movement} onOpen={() => setOpen(movement)} />
          ))}
        </ul>
      )}
      {waiting && waiting.total > waiting.data.length && (
        <Text>
          Se muestran {number(waiting.data.length)} de {number(waiting.total)}: los demás aparecen al resolver estos.
        </Text>
      )}
      {isUsed && waiting?.total === 0 && <Text>Todo lo leído está apuntado.</Text>}
      {isUsed && (
        <details className={classes.done} onToggle={({ currentTarget }) => setDone(currentTarget.open)}>
          <Text component="summary">Extractos leídos y abonos apuntados</Text>
          {statements.map((statement) => (
            <Statement key={statement.id} statement={statement} />
          ))}
          {done && <Settled />}
        </details>
      )}
      {reading && iban !== undefined && (
        <Suspense>
          <StatementDialog iban={iban} onClose={() => setReading(false)} />
        </Suspense>
      )}
      <FormDialog opened={!!open} onClose={() => setOpen(undefined)} title="¿De qué es este abono?" fillsPhone={false}>
        {(inDialog) => open && <MovementForm key={open.id} movement={open} onDone={() => setOpen(undefined)} {...inDialog} />}
      </FormDialog>
    </Section>
  );
}

/** What a proposal pays, in words; many card payments as their number. */
function proposed({ destino, partes, comision }: NonNullable<Abono['propuesta']>): string {
  const what =
    destino === 'pasarela'
      ? `${number(partes.length)} pagos con tarjeta`
      : partes.map(({ texto, importe }) => `${texto}, ${money(importe)}`).join(' · ');
  return comision > 0 ? `${what}; la pasarela se queda ${money(comision)}` : what;
}

function Waiting({ movement, onOpen }: { movement: Abono; onOpen: () => void }) {
  const { id, fecha: day, importe, resto, texto, propuesta, resolucion, motivo } = movement;
  const book = useMutate(apuntarMovimiento, { failure: 'No se pudo apuntar' });
  const accept = ({ destino, partes, comision }: NonNullable<typeof propuesta>) =>
    book.mutate({ params: { id }, body: { destino, comision, partes: partes.map(({ clave, importe }) => ({ clave, importe })) } });
  return (
    <li className={classes.row}>
      <div>
        <Text>
          <strong>{money(resto)}</strong>
          {resto !== importe && ` de ${money(importe)}`} · {fecha(day)} · {texto}
        </Text>
        {importe < 0 && <Text c="dimmed">El banco ha deshecho un abono: anula en su pedido el pago que lo apuntó.</Text>}
        {resolucion === 'devolver' && <Text fw={600}>Por devolver: «{motivo}»</Text>}
        {propuesta && <Text c="dimmed">¿{proposed(propuesta)}?</Text>}
      </div>
      <Group gap="xs">
        {propuesta && (
          <Button loading={book.isPending} aria-label={`Apuntar ${money(resto)}: ${proposed(propuesta)}`} onClick={() => accept(propuesta)}>
            Apuntar
          </Button>
        )}
        <Button variant="light" aria-label={`Otra cosa con ${money(resto)} del ${fecha(day)}`} onClick={onOpen}>
          Otra cosa
        </Button>
      </Group>
    </li>
  );
}

const CHOICES = {
  pedido: 'Es de un pedido',
  devolver: 'Hay que devolverlo',
  devuelto: 'Ya está devuelto',
  visto: 'No es de ningún pedido',
} as const;
type Choice = keyof typeof CHOICES;

function MovementForm({ movement, onDone, ...inDialog }: InDialog & { movement: Abono; onDone: () => void }) {
  const { id, resto, texto, importe } = movement;
  const form = useForm({
    initialValues: { que: (importe < 0 ? 'visto' : 'pedido') as Choice, numero: '', importe: showNumber(resto, 2), motivo: '' },
    validate: {
      numero: (text, { que }) => (que === 'pedido' && !text.trim() ? 'Indica de qué pedido es' : null),
      motivo: (text, { que }) => (que !== 'pedido' && !text.trim() ? 'Indica el motivo' : null),
    },
  });
  const words = { form, failure: 'No se pudo guardar', onSuccess: onDone };
  const book = useMutate(apuntarMovimiento, words);
  const close = useMutate(cerrarMovimiento, words);
  const submit = onValid(form, ({ que, numero, importe: typed, motivo }) => {
    if (que !== 'pedido') return close.mutate({ params: { id }, body: { resolucion: que, motivo } });
    book.mutate({ params: { id }, body: { destino: 'pedidos', partes: [{ clave: numero.trim(), importe: parseNumber(typed) }] } });
  });
  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit="Guardar" busy={book.isPending || close.isPending}>
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {money(resto)} · {texto}
      </Text>
      <Radio.Group label="Qué se hace con él" {...form.getInputProps('que')}>
        <Stack gap="xs" mt={4}>
          {Object.entries(CHOICES)
            .filter(([value]) => importe > 0 || value === 'visto')
            .map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
        </Stack>
      </Radio.Group>
      {form.values.que === 'pedido' ? (
        <>
          <TextInput label="Pedido" placeholder="ORD-…" maxLength={40} autoComplete="off" {...form.getInputProps('numero')} />
          <NumberField label="Importe que cuenta (€)" decimals={2} {...form.getInputProps('importe')} />
        </>
      ) : (
        <GrowingTextarea label="Motivo" withAsterisk aria-required minRows={2} maxLength={300} {...form.getInputProps('motivo')} />
      )}
    </DialogForm>
  );
}

function Statement({ statement: { id, fichero, leido_por, created_at, movimientos } }: { statement: Extracto }) {
  const undo = useMutate(deshacerExtracto, { failure: 'No se pudo deshacer el extracto' });
  return (
    <div className={classes.row}>
      <Text>
        {fichero} · {fechaHora(created_at)} · {leido_por} · {plural(movimientos, 'abono')}
      </Text>
      <Button
        variant="subtle"
        loading={undo.isPending}
        aria-label={`Deshacer el extracto ${fichero}`}
        onClick={() => undo.mutate({ params: { id } })}
      >
        Deshacer
      </Button>
    </div>
  );
}

/** The latest credits that are booked or settled, each with its way back. */
function Settled() {
  const { data = [] } = useApi(listAbonos, { query: { hechos: 'si' } }).data ?? {};
  const release = useMutate(soltarMovimiento, { failure: 'No se pudo soltar' });
  return data.map(({ id, fecha: day, importe, texto, motivo }) => (
    <div key={id} className={classes.row}>
      <Text>
        {money(importe)} · {fecha(day)} · {texto}
        {motivo && ` · «${motivo}»`}
      </Text>
      <Button variant="subtle" aria-label={`Soltar ${money(importe)} del ${fecha(day)}`} onClick={() => release.mutate({ params: { id } })}>
        Soltar
      </Button>
    </div>
  ));
}

/** The line of Configuración that leads here. */
export const BankLine = () => (
  <Text>
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/pagos-por-revisar" search={{ banco: 'si' }} />}>
      Lee el extracto de tu banco
    </Anchor>{' '}
    y los pagos por transferencia se apuntan solos.
  </Text>
);
