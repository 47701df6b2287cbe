import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import {
  type CobroDeEmpresa,
  type DeEmpresa,
  deshacerRemesa,
  listDeEmpresas,
  ponerPlazo,
  type Remesa,
  recibirDeEmpresa,
} from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DayField } from '../ui/form/day-field.tsx';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { fecha, money, parseNumber, showNumber, today } from '../ui/format/format.ts';
import classes from '../ui/list/act-rows.module.css';
import { Section } from '../ui/page/panel.tsx';

const RemittanceDialog = lazy(() => import('./remittance-dialog.tsx'));

const sumOf = (cobros: readonly CobroDeEmpresa[]): number =>
  cobros.reduce((cents, { importe }) => cents + Math.round(importe * 100), 0) / 100;

/** «Por recibir de empresas»: what delivery companies collected at the door and have not paid, and the latest remittances. */
export function CompanyMoney() {
  const { data: cobros = [], empresas = [], sin_deuda = [], remesas = [] } = useApi(listDeEmpresas, {}).data ?? {};
  const [open, setOpen] = useState<{ act: 'pay' | 'read' | 'term'; empresa: string }>();
  const close = () => setOpen(undefined);
  const chosen = empresas.find(({ empresa }) => empresa === open?.empresa);
  const paid = cobros.filter(({ empresa }) => empresa === chosen?.empresa);
  return (
    <>
      {empresas.length > 0 && (
        <Section title="Por recibir de empresas" order={2} mb={4}>
          <Text c="dimmed" mb="xs">
            Lo que las empresas de transporte han cobrado al entregar y todavía no te han pagado.
          </Text>
          <ul className={classes.list}>
            {empresas.map((each) => (
              <li key={each.empresa} className={classes.row}>
                <Held {...each} onTerm={() => setOpen({ act: 'term', empresa: each.empresa })} />
                <Group gap="xs">
                  {(['read', 'pay'] as const).map((act) => (
                    <Button
                      key={act}
                      variant="light"
                      onClick={() => setOpen({ act, empresa: each.empresa })}
                      aria-label={act === 'pay' ? `Ha pagado ${each.empresa}` : `Leer la liquidación de ${each.empresa}`}
                    >
                      {act === 'pay' ? 'Ha pagado' : 'Leer liquidación'}
                    </Button>
                  ))}
                </Group>
              </li>
            ))}
          </ul>
          {cobros.length >= MAX_OFICINA && (
            <Text>
              Se marcan de {MAX_OFICINA} en {MAX_OFICINA}, los más antiguos primero.
            </Text>
          )}
        </Section>
      )}
      {remesas.length > 0 && <Remittances remesas={remesas} />}
      {sin_deuda.length > 0 && (
        <Group gap="xs" role="group" aria-label="Empresas que no deben nada">
          <Text>No deben nada ahora:</Text>
          {sin_deuda.map((empresa) => (
            <Button key={empresa} variant="subtle" onClick={() => setOpen({ act: 'read', empresa })}>
              Leer la liquidación de {empresa}
            </Button>
          ))}
        </Group>
      )}
      <FormDialog opened={open?.act === 'pay' && paid.length > 0} onClose={close} title={`Ha pagado ${chosen?.empresa ?? ''}`}>
        {(inDialog) => paid.length > 0 && <ReceiveForm cobros={paid} onDone={close} {...inDialog} />}
      </FormDialog>
      {open?.act === 'read' && (
        <Suspense>
          <RemittanceDialog empresa={open.empresa} onClose={close} />
        </Suspense>
      )}
      <FormDialog opened={open?.act === 'term'} onClose={close} title={`Plazo de ${chosen?.empresa ?? ''}`} fillsPhone={false}>
        {(inDialog) => chosen && <TermForm {...chosen} onDone={close} {...inDialog} />}
      </FormDialog>
    </>
  );
}

/** What a company has, since when, and whether its term has passed. */
function Held({ empresa, importe, cobros, desde, plazo, tarde, onTerm }: DeEmpresa & { onTerm: () => void }) {
  const term = plazo === 0 ? 'Sin plazo' : `Paga a ${plural(plazo, 'día')}`;
  return (
    <Text component="div">
      <strong>{money(importe)}</strong> · {empresa} · {plural(cobros, 'cobro')}, el más antiguo del {fecha(desde)}
      {tarde > 0 && (
        <Text span fw={600} c="red">
          {' '}
          · {plural(tarde, 'día tarde', 'días tarde')}
        </Text>
      )}{' '}
      ·{' '}
      <Anchor component="button" inherit underline="always" aria-label={`${term}: cambiar el de ${empresa}`} onClick={onTerm}>
        {term}
      </Anchor>
    </Text>
  );
}

function TermForm({ empresa, plazo, onDone, ...inDialog }: InDialog & DeEmpresa & { onDone: () => void }) {
  const form = useForm({ initialValues: { dias: String(plazo) } });
  const save = useMutate(ponerPlazo, { form, failure: 'No se pudo guardar el plazo', onSuccess: onDone });
  const submit = onValid(form, ({ dias }) => save.mutate({ body: { empresa, dias: parseNumber(dias) } }));
  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit="Guardar" busy={save.isPending}>
      <NumberField
        label="Días desde la entrega"
        description="Pasados, sale en «Hoy». Con 0 no se avisa."
        decimals={0}
        required
        data-autofocus
        {...form.getInputProps('dias')}
      />
    </DialogForm>
  );
}

function ReceiveForm({ cobros, onDone, ...inDialog }: InDialog & { cobros: readonly CobroDeEmpresa[]; onDone: () => void }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const paid = cobros.filter(({ id }) => !left.has(id));
  const form = useForm({
    initialValues: { recibido: showNumber(sumOf(cobros), 2), fecha: today(), referencia: '' },
    validate: { fecha: (day) => (day ? null : 'Indica el día') },
  });
  const save = useMutate(recibirDeEmpresa, { form, failure: 'No se pudo anotar', onSuccess: onDone });
  const sum = sumOf(paid);
  const comision = Math.round((sum - parseNumber(form.values.recibido)) * 100) / 100;
  const empresa = cobros[0]?.empresa ?? '';
  function leave(id: string, isPaid: boolean) {
    const next = new Set(left);
    if (isPaid) next.delete(id);
    else next.add(id);
    setLeft(next);
    form.setFieldValue('recibido', showNumber(sumOf(cobros.filter((cobro) => !next.has(cobro.id))), 2));
  }
  const submit = onValid(form, ({ recibido, fecha: day, referencia }) =>
    save.mutate({
      body: {
        empresa,
        cobros: paid.map(({ id }) => id),
        recibido: parseNumber(recibido),
        comision: Math.max(0, comision),
        fecha: day,
        referencia: referencia.trim() || null,
      },
    }),
  );
  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit={`Anotar ${plural(paid.length, 'cobro')}`} busy={save.isPending}>
      <Stack gap="xs" role="group" aria-label="Cobros que ha pagado">
        {cobros.map(({ id, pedido_id, numero_orden, importe, dia }) => (
          <Group key={id} wrap="nowrap">
            <Checkbox
              checked={!left.has(id)}
              onChange={(event) => leave(id, event.currentTarget.checked)}
              aria-label={`${numero_orden}, ${money(importe)}`}
            />
            <Text>
              <Anchor component={Link} to={`/pedidos/${pedido_id}`} inherit underline="always">
                {numero_orden}
              </Anchor>{' '}
              · {money(importe)} · {fecha(dia)}
            </Text>
          </Group>
        ))}
      </Stack>
      <Group gap="sm" grow align="start">
        <NumberField label="Recibido (€)" decimals={2} required {...form.getInputProps('recibido')} />
        <DayField label="Día" max={today()} required {...form.getInputProps('fecha')} />
      </Group>
      <Text aria-live="polite">
        Cobrado {money(sum)}
        {comision > 0 && `: la empresa se queda ${money(comision)} de comisión`}
        {comision < 0 && `: sobran ${money(-comision)}. Falta algún cobro por marcar`}
      </Text>
      <TextInput label="Referencia (opcional)" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />
    </DialogForm>
  );
}

function Remittances({ remesas }: { remesas: readonly Remesa[] }) {
  const undo = useMutate(deshacerRemesa, { failure: 'No se pudo deshacer' });
  return (
    <Section title="Pagado por empresas" order={2} mb={4}>
      <ul className={classes.list}>
        {remesas.map(({ id, empresa, fecha: day, cobros, recibido, comision, referencia, aparte }) => (
          <li key={id} className={classes.row}>
            <Text component="div">
              <strong>{money(recibido)}</strong> · {empresa} · {fecha(day)} · {plural(cobros, 'cobro')}
              {comision > 0 && ` · comisión ${money(comision)}`}
              {referencia && ` · ${referencia}`}
              {aparte.map((fila) => (
                <Text key={`${fila.referencia} ${fila.importe}`} c="dimmed">
                  Aparte, sin pedido: {money(fila.importe)} · {fila.referencia} · {fila.motivo}
                </Text>
              ))}
            </Text>
            <Button
              variant="subtle"
              loading={undo.isPending && undo.variables?.params.id === id}
              aria-label={`Deshacer lo pagado por ${empresa} el ${fecha(day)}`}
              onClick={() => undo.mutate({ params: { id } })}
            >
              Deshacer
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
