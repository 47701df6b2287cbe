import { Anchor, Badge, Button, Text } from '@mantine/core';
import { IconBuildingBank, IconCheck, IconX } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ESTADOS_LIQUIDACION, MAX_PAGADAS, mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import { type Liquidacion, listLiquidaciones, pagarLiquidaciones } from '../../contract/liquidaciones/liquidaciones.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { fecha, money, number, today } from '../ui/format/format.ts';
import { ChoiceBar } from '../ui/list/choice-bar.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters, useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Section } from '../ui/page/panel.tsx';
import { PaymentFields, usePaymentForm } from './payment-form.tsx';
import { TransferFileOutcome, useTransferFile } from './transfer-file.tsx';

export const PaidBadge = ({ pagada_el }: Pick<Liquidacion, 'pagada_el'>) => (
  <Badge color={pagada_el ? 'green' : 'yellow'} style={{ flexShrink: 0 }}>
    {pagada_el ? `Pagada el ${fecha(pagada_el)}` : 'Por pagar'}
  </Badge>
);

const Numero = ({ id, numero }: Liquidacion) => (
  <Anchor component={Link} to={`/liquidaciones/${id}`} inherit fw={600} style={{ whiteSpace: 'nowrap' }}>
    {numero}
  </Anchor>
);

const Mes = ({ mes }: { mes: string }) => {
  const words = mesEnPalabras(mes);
  return <>{words.charAt(0).toUpperCase() + words.slice(1)}</>;
};

const isKnown = (estado: string): estado is keyof typeof ESTADOS_LIQUIDACION => Object.hasOwn(ESTADOS_LIQUIDACION, estado);

const MONTHS = 24;
function endedMonths(): string[] {
  const [year = 0, month = 0] = today().split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, i) => new Date(Date.UTC(year, month - 2 - i, 1)).toISOString().slice(0, 7));
}

const PERSON: Column<Liquidacion> = { key: 'persona', at: 'line', title: 'Persona', render: ({ persona_nombre }) => persona_nombre };
const COLUMNS: Column<Liquidacion>[] = [
  { key: 'numero', at: 'title', title: 'Número', width: 160, render: (row) => <Numero {...row} /> },
  { key: 'mes', at: 'line', title: 'Mes', width: 170, render: ({ mes }) => <Mes mes={mes} /> },
  { key: 'num_lineas', at: 'labelled', title: 'Líneas', width: 90, align: 'right', render: ({ num_lineas }) => number(num_lineas) },
  { key: 'total', at: 'aside', title: 'Total', width: 130, align: 'right', render: ({ total }) => money(total) },
  { key: 'pago', at: 'foot', title: 'Pago', width: 190, render: (row) => <PaidBadge {...row} /> },
];

export function Statements({ persona, everybodys }: { persona?: string; everybodys: boolean }) {
  const [{ mes, estado, page }, set] = useSearchState({ mes: '', estado: '', page: 1 });
  const months = endedMonths();
  const known = isKnown(estado) ? estado : undefined;
  const query = {
    page,
    ...(persona && { user_id: persona }),
    ...(months.includes(mes) && { mes }),
    ...(known && { estado: known }),
  };
  const { data, error, refetch, isPlaceholderData } = useApi(listLiquidaciones, { query }, { keepPrevious: true });
  const [ticked, setTicked] = useState<readonly Liquidacion[]>([]);
  // Current rows of the ticked statements, without statements paid meanwhile.
  const chosen = ticked.flatMap(({ id }) => (data?.data ?? []).filter((row) => row.id === id && !row.pagada_el));
  const navigate = useNavigate();
  const [first, ...rest] = COLUMNS;
  const columns = everybodys && first ? [first, PERSON, ...rest] : COLUMNS;
  return (
    <Section title={everybodys ? 'Liquidaciones cerradas' : 'Mis liquidaciones'} mb="xs">
      <Filters>
        <FilterSelect
          label="Mes"
          data={[{ value: '', label: 'Mes: todos' }, ...months.map((value) => ({ value, label: mesEnPalabras(value) }))]}
          value={months.includes(mes) ? mes : ''}
          onChange={(value) => set({ mes: value })}
        />
        <FilterSelect
          label="Pago"
          data={[{ value: '', label: 'Pago: todas' }, ...Object.entries(ESTADOS_LIQUIDACION).map(([value, label]) => ({ value, label }))]}
          value={known ?? ''}
          onChange={(value) => set({ estado: value })}
        />
      </Filters>
      <DataTable<Liquidacion>
        label="Liquidaciones"
        rows={data?.data}
        columns={columns}
        empty={
          query.mes || known || persona
            ? { title: 'Ninguna liquidación coincide', hint: 'Prueba con otro mes o con otro pago.' }
            : { title: 'Todavía no hay liquidaciones', hint: 'Hay una por persona y mes, cuando el mes se cierra.' }
        }
        error={{ title: 'No se pudieron cargar las liquidaciones', cause: error, onRetry: () => void refetch() }}
        busy={isPlaceholderData}
        pages={{ of: data, noun: 'liquidaciones', onPage: (next) => set({ page: next }) }}
        {...(everybodys && {
          selection: {
            rows: chosen,
            onChange: (rows: Liquidacion[]) => setTicked(rows.filter(({ pagada_el }) => !pagada_el)),
            label: ({ numero }: Liquidacion) => `Seleccionar ${numero}`,
          },
        })}
        onRow={({ id }) => void navigate({ to: '/liquidaciones/$id', params: { id } })}
      />
      {everybodys && (
        <PayMany
          chosen={chosen}
          onClear={() => setTicked([])}
          onKeep={(ids) => setTicked((data?.data ?? []).filter(({ id }) => ids.includes(id)))}
        />
      )}
    </Section>
  );
}

type Props = { chosen: readonly Liquidacion[]; onClear: () => void; onKeep: (ids: readonly string[]) => void };

const sum = (chosen: readonly Liquidacion[]) => chosen.reduce((cents, { total }) => cents + Math.round(total * 100), 0) / 100;

/** Actions on the chosen unpaid statements: a bank file, and a common payment. */
function PayMany({ chosen, onClear, onKeep }: Props) {
  const [paying, setPaying] = useState(false);
  // Deselects statements that the file left out, so that «Marcar como pagadas» cannot reach these statements.
  const { download, busy, partial, clear: forget } = useTransferFile(onKeep);
  if (chosen.length === 0) return null;
  const tooMany = chosen.length > MAX_PAGADAS;
  return (
    <>
      <ChoiceBar
        of="Liquidaciones elegidas"
        label={`${plural(chosen.length, 'liquidación', 'liquidaciones')}, ${money(sum(chosen))}`}
        notes={
          tooMany && (
            <Text size="xs" c="var(--mantine-color-error)">
              Como máximo {MAX_PAGADAS} a la vez
            </Text>
          )
        }
      >
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBuildingBank size={16} aria-hidden />}
          disabled={busy || tooMany}
          onClick={() => download(chosen)}
        >
          Fichero de transferencias
        </Button>
        <Button size="xs" leftSection={<IconCheck size={16} aria-hidden />} disabled={tooMany} onClick={() => setPaying(true)}>
          Marcar como pagadas
        </Button>
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={16} aria-hidden />} onClick={onClear}>
          Quitar selección
        </Button>
      </ChoiceBar>
      <TransferFileOutcome file={partial} busy={busy} onClose={forget} onRetry={download} />
      <FormDialog opened={paying} onClose={() => setPaying(false)} title="Marcar como pagadas" fillsPhone={false}>
        {(inDialog) => <PayForm chosen={chosen} onDone={() => setPaying(false)} onPaid={onClear} {...inDialog} />}
      </FormDialog>
    </>
  );
}

type FormProps = InDialog & { chosen: readonly Liquidacion[]; onDone: () => void; onPaid: () => void };

function PayForm({ chosen, onDone, onPaid, ...inDialog }: FormProps) {
  const form = usePaymentForm();
  const save = useMutate(pagarLiquidaciones, {
    form,
    failure: 'No se pudieron marcar como pagadas',
    onSuccess: () => {
      onDone();
      onPaid();
    },
    onError: ({ status }) => status === 409 && onDone(),
  });
  const submit = onValid(form, (values) =>
    save.mutate({ body: { ...values, liquidaciones: chosen.map(({ id, version }) => ({ id, version })) } }),
  );
  const many = plural(chosen.length, 'liquidación', 'liquidaciones');

  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit={`Marcar ${many}`} busy={save.isPending}>
      <Text>
        {many}, {money(sum(chosen))}. Se avisa a cada persona.
      </Text>
      <PaymentFields form={form} example="Remesa…" />
    </DialogForm>
  );
}
