import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type CobroDeEmpresa, deshacerRemesa, listDeEmpresas, type Remesa, recibirDeEmpresa } from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DayField } from '../ui/form/day-field.tsx';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { fecha, money, parseNumber, showNumber, today } from '../ui/format/format.ts';
import classes from '../ui/list/act-rows.module.css';
import { Section } from '../ui/page/panel.tsx';

const sumOf = (cobros: readonly CobroDeEmpresa[]): number =>
  cobros.reduce((cents, { importe }) => cents + Math.round(importe * 100), 0) / 100;
const counted = (n: number) => (n === 1 ? '1 cobro' : `${n} cobros`);
const age = (days: number) => (days === 0 ? 'de hoy' : days === 1 ? 'de ayer' : `de hace ${days} días`);

/** «Por recibir de empresas»: what delivery companies collected at the door and have not paid, and the latest remittances. */
export function CompanyMoney() {
  const { data: cobros = [], remesas = [] } = useApi(listDeEmpresas, {}).data ?? {};
  const [company, setCompany] = useState<string>();
  const companies = Map.groupBy(cobros, ({ empresa }) => empresa);
  const chosen = company === undefined ? undefined : companies.get(company);
  return (
    <>
      {companies.size > 0 && (
        <Section title="Por recibir de empresas" order={2} mb={4}>
          <Text c="dimmed" mb="xs">
            Lo que las empresas de transporte han cobrado al entregar y todavía no te han pagado.
          </Text>
          <ul className={classes.list}>
            {[...companies].map(([empresa, all]) => (
              <li key={empresa} className={classes.row}>
                <Text>
                  <strong>{money(sumOf(all))}</strong> · {empresa} · {counted(all.length)}, el más antiguo {age(all[0]?.dias ?? 0)}
                </Text>
                <Button mih={48} variant="light" onClick={() => setCompany(empresa)} aria-label={`Ha pagado ${empresa}`}>
                  Ha pagado
                </Button>
              </li>
            ))}
          </ul>
          {cobros.length >= MAX_OFICINA && (
            <Text>Se cuentan los {MAX_OFICINA} cobros más antiguos: los demás aparecen al recibir estos.</Text>
          )}
        </Section>
      )}
      {remesas.length > 0 && <Remittances remesas={remesas} />}
      <FormDialog opened={!!chosen} onClose={() => setCompany(undefined)} title={`Ha pagado ${company ?? ''}`}>
        {(inDialog) => chosen && <ReceiveForm cobros={chosen} onDone={() => setCompany(undefined)} {...inDialog} />}
      </FormDialog>
    </>
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
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit={`Anotar ${counted(paid.length)}`} busy={save.isPending}>
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
  const undo = useMutate(deshacerRemesa, { failure: 'No se pudo deshacer la remesa' });
  return (
    <Section title="Pagado por empresas" order={2} mb={4}>
      <ul className={classes.list}>
        {remesas.map(({ id, empresa, fecha: day, cobros, recibido, comision, referencia }) => (
          <li key={id} className={classes.row}>
            <Text>
              <strong>{money(recibido)}</strong> · {empresa} · {fecha(day)} · {counted(cobros)}
              {comision > 0 && ` · comisión ${money(comision)}`}
              {referencia && ` · ${referencia}`}
            </Text>
            <Button
              mih={48}
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
