import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { comprobarRemesa, type FilaRemesaLeida, leerRemesa } from '../../contract/caja/caja.ts';
import { CLASES_FILA, type ClaseFila, type FormaFila, MAX_FILAS } from '../../contract/caja/fields.ts';
import { plural } from '../../contract/text/plural.ts';
import { useMutate } from '../api.ts';
import { ColumnsPanel } from '../sheets/columns-panel.tsx';
import { useSheet } from '../sheets/use-sheet.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { DayField } from '../ui/form/day-field.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { money, number, parseNumber, today } from '../ui/format/format.ts';
import { type Fila, REMITTANCE_LABELS, readRemittance } from './read-remittance.ts';

const LIMIT = 120_000;
/** Maximum number of rows shown that agree. */
const SHOWN = 100;
const WORDS: Record<ClaseFila, readonly [one: string, many: string]> = {
  exacta: ['cuadra', 'cuadran'],
  distinta: ['con otro importe', 'con otro importe'],
  sin_entregar: ['sin entregar', 'sin entregar'],
  otra_empresa: ['de otra empresa', 'de otra empresa'],
  desconocida: ['sin pedido', 'sin pedido'],
  sin_cobro: ['sin cobro', 'sin cobro'],
  ya_pagada: ['ya pagada', 'ya pagadas'],
  repetida: ['repetida', 'repetidas'],
  negativa: ['descontada', 'descontadas'],
};
const FORMAS: Record<FormaFila, string> = {
  apuntar: 'El fichero tiene razón',
  comision: 'La diferencia es comisión',
  aparte: 'La ha pagado: queda aparte, sin pedido',
  fuera: 'No la ha pagado',
};
/** What «apuntar» does to the order of a row. */
const RIGHT: Partial<Record<ClaseFila, string>> = {
  distinta: 'Cobró lo que dice el fichero',
  sin_entregar: 'Está entregado y cobrado',
  otra_empresa: 'Lo cobró esta empresa',
  negativa: 'No lo cobró: el pedido lo debe',
};
const formaText = (clase: ClaseFila, forma: FormaFila) => (forma === 'apuntar' && RIGHT[clase]) || FORMAS[forma];
type Named = Readonly<Record<number, string>>;
const NONE: Named = {};
const cents = (euros: number) => Math.round(euros * 100);
const OPTIONS = Object.entries(REMITTANCE_LABELS).map(([value, label]) => ({ value, label }));

/** Reads a company's sheet of remittance: choose, say what the columns are, say what each row is that does not agree, note it. */
export default function RemittanceDialog({ empresa, onClose }: { empresa: string; onClose: () => void }) {
  const { table, answers, answer, choice } = useSheet('remesa', empresa, MAX_FILAS);
  const read = useMemo(() => table && readRemittance(table, answers), [table, answers]);
  /** Orders that a person has named for rows, by place. */
  const [naming, setNaming] = useState<{ of?: typeof table; named: Named }>({ named: NONE });
  const named = naming.of === table ? naming.named : NONE;
  const isReady = !!read && read.missing.length + read.asked.length === 0 && read.filas.length > 0;
  const filas = useMemo(
    () =>
      isReady ? read.filas.map((fila, i): Fila => (named[i] ? { ...fila, referencia: named[i], seguimiento: null } : fila)) : undefined,
    [isReady, read, named],
  );
  // Naming an order compares again, and what was said of the other rows stays.
  const [results, setResults] = useState<{ of: typeof read; rows: readonly FilaRemesaLeida[] }>();
  const { mutate: check, isPending } = useMutate(comprobarRemesa, {
    success: false,
    failure: 'No se pudo comprobar el fichero',
    invalidates: [],
    limit: LIMIT,
    onSuccess: ({ data }) => setResults({ of: read, rows: data }),
  });
  const checking = useRef(check);
  checking.current = check;
  useEffect(() => {
    if (filas) checking.current({ body: { empresa, filas } });
  }, [filas, empresa]);
  const rows = filas && results && results.of === read ? results.rows : undefined;
  return (
    <Dialog opened onClose={onClose} title={`Liquidación de ${empresa}`} size="xl">
      <Stack>
        {!table && <Text>Elige el fichero de la empresa (Excel o CSV), con lo que te paga de cada pedido.</Text>}
        {choice(isPending)}
        {table && read && (
          <ColumnsPanel
            titles={table.titles}
            lines={table.lines}
            columns={read.columns}
            asked={read.asked}
            missing={read.missing}
            options={OPTIONS}
            onAnswer={answer}
          />
        )}
        {read && read.missing.length === 0 && read.left.length > 0 && (
          <Text c="dimmed">
            Sin número o sin importe, y por eso fuera: {read.left.length === 1 ? 'la fila' : 'las filas'}{' '}
            {read.left.slice(0, 10).join(', ')}
            {read.left.length > 10 && '…'}
          </Text>
        )}
        {filas && rows && (
          <Rows
            key={table?.titles?.join()}
            filas={filas}
            rows={rows}
            empresa={empresa}
            day={read?.day}
            busy={isPending}
            onName={(i, numero) => setNaming({ of: table, named: { ...named, [i]: numero } })}
            onRefused={() => check({ body: { empresa, filas } })}
            onDone={onClose}
          />
        )}
      </Stack>
    </Dialog>
  );
}

type RowsProps = {
  filas: readonly Fila[];
  rows: readonly FilaRemesaLeida[];
  empresa: string;
  day: string | undefined;
  busy: boolean;
  onName: (fila: number, numero: string) => void;
  onRefused: () => void;
  onDone: () => void;
};

/** The rows by kind, with what is said of each that does not agree, and what is noted by them. */
function Rows({ filas, rows, empresa, day, busy, onName, onRefused, onDone }: RowsProps) {
  const [said, setSaid] = useState<Readonly<Record<number, FormaFila>>>({});
  const [fecha, setFecha] = useState(day ?? today());
  const [referencia, setReferencia] = useState('');
  const [comision, setComision] = useState('0,00');
  const save = useMutate(leerRemesa, {
    failure: 'No se pudo anotar la liquidación',
    limit: LIMIT,
    onSuccess: onDone,
    onError: onRefused,
  });
  const formaOf = ({ fila, formas }: FilaRemesaLeida) => formas.find((forma) => forma === said[fila]);
  const [agreed, asked] = [rows.filter(({ formas }) => formas.length === 0), rows.filter(({ formas }) => formas.length > 0)];
  const open = asked.filter((row) => !formaOf(row)).length;
  const paid = asked.filter((row) => formaOf(row) && formaOf(row) !== 'fuera');
  const counted = [...agreed, ...paid].flatMap(({ fila }) => filas[fila] ?? []);
  const whole = parseNumber(comision) || 0;
  const received = counted.reduce((sum, { importe, comision: own = 0 }) => sum + cents(importe) - cents(Number(own)), 0) - cents(whole);
  const say = (some: readonly FilaRemesaLeida[], forma: FormaFila) =>
    setSaid({ ...said, ...Object.fromEntries(some.map(({ fila }) => [fila, forma])) });
  const submit = () => {
    const body = filas.map((fila, i) => ({ ...fila, forma: rows[i] ? formaOf(rows[i]) : undefined }));
    save.mutate({ body: { empresa, filas: body, comision: whole, fecha, referencia: referencia.trim() || null } });
  };
  return (
    <>
      {CLASES_FILA.map((clase) => {
        const some = rows.filter((row) => row.clase === clase);
        return some.length > 0 && <Kind key={clase} clase={clase} rows={some} formaOf={formaOf} onSay={say} onName={onName} />;
      })}
      <Group gap="sm" grow align="start">
        <DayField label="Día" max={today()} required value={fecha} onChange={setFecha} />
        <NumberField label="Comisión de toda la liquidación (€)" decimals={2} value={comision} onChange={setComision} />
        <TextInput
          label="Referencia (opcional)"
          maxLength={120}
          autoComplete="off"
          value={referencia}
          onChange={(event) => setReferencia(event.currentTarget.value)}
        />
      </Group>
      <Group justify="space-between">
        <Text size="md" fw={600} aria-live="polite">
          Has recibido {money(received / 100)}
          {open > 0 && ` · ${open === 1 ? 'Falta 1 fila' : `Faltan ${number(open)} filas`} por decidir`}
        </Text>
        <Button loading={save.isPending} disabled={busy || open > 0 || counted.length === 0 || !fecha} onClick={submit}>
          Anotar {plural(counted.length, 'fila')}
        </Button>
      </Group>
    </>
  );
}

type KindProps = {
  clase: ClaseFila;
  rows: readonly FilaRemesaLeida[];
  formaOf: (row: FilaRemesaLeida) => FormaFila | undefined;
  onSay: (rows: readonly FilaRemesaLeida[], forma: FormaFila) => void;
  onName: (fila: number, numero: string) => void;
};

function Kind({ clase, rows, formaOf, onSay, onName }: KindProps) {
  const title = plural(rows.length, ...WORDS[clase]);
  // What asks nothing may be cut; what is to be decided stands whole.
  const shown = clase === 'exacta' ? rows.slice(0, SHOWN) : rows;
  const common = (rows[0]?.formas ?? []).filter((forma) => rows.every(({ formas }) => formas.includes(forma)));
  const optionsOf = (formas: readonly FormaFila[]) => formas.map((forma) => ({ value: forma, label: formaText(clase, forma) }));
  return (
    <details open={clase !== 'exacta'}>
      <Text component="summary" fw={600}>
        {title}
      </Text>
      {rows.length > 1 && common.length > 0 && (
        <Group gap="xs" my="xs" role="group" aria-label={`Todas las filas: ${title}`}>
          {common.map((forma) => (
            <Button key={forma} size="xs" variant="default" onClick={() => onSay(rows, forma)}>
              Todas: {formaText(clase, forma)}
            </Button>
          ))}
        </Group>
      )}
      <Stack component="ul" gap="xs" aria-label={`Filas: ${title}`}>
        {shown.map((row) => (
          <li key={row.fila}>
            <Text>
              <strong>{money(row.importe)}</strong> ·{' '}
              {row.pedido_id ? (
                <Anchor component={Link} to={`/pedidos/${row.pedido_id}`} inherit underline="always">
                  {row.referencia}
                </Anchor>
              ) : (
                row.referencia
              )}{' '}
              · {row.message}
            </Text>
            {row.formas.length > 0 && (
              <Group gap="xs">
                <Select
                  size="xs"
                  w={320}
                  aria-label={`Qué se hace con ${row.referencia}`}
                  data={optionsOf(row.formas)}
                  value={formaOf(row) ?? null}
                  placeholder="¿Qué se hace con ella?"
                  allowDeselect={false}
                  onChange={(value) => value && onSay([row], value as FormaFila)}
                />
                {clase === 'desconocida' && (
                  <TextInput
                    size="xs"
                    placeholder="O di de qué pedido es"
                    aria-label={`Pedido de ${row.referencia}`}
                    maxLength={40}
                    onBlur={(event) => event.currentTarget.value.trim() && onName(row.fila, event.currentTarget.value.trim())}
                  />
                )}
              </Group>
            )}
          </li>
        ))}
      </Stack>
      {rows.length > shown.length && <Text>Y {number(rows.length - shown.length)} más.</Text>}
    </details>
  );
}
