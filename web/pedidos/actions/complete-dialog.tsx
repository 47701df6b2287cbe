import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, Group, Input, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useLocalStorage } from '@mantine/hooks';
import { type Ref, useRef, useState } from 'react';
import { MOTIVO_PARTE_LABEL, MOTIVOS_PARTE, menosPorCobrar, type Parte, partesRefusal } from '../../../contract/devoluciones/fields.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { INPUTS } from '../../../contract/pedidos/inputs.ts';
import { firmLabel, METODO_ENTREGA_OPTIONS, METODOS_ENTREGA, type MetodoEntrega } from '../../../contract/pedidos/metodos.ts';
import { getPedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import { focusFirst } from '../../ui/form/form-actions.tsx';
import { NumberField } from '../../ui/form/form-number.tsx';
import { ThumbForm } from '../../ui/form/thumb-form.tsx';
import { parseNumber, showNumber } from '../../ui/format/format.ts';
import { LineList } from '../lineas/line-list.tsx';
import type { SeenLine } from '../lineas/use-lines.ts';
import { type Named, Subject } from '../subject.tsx';
import { lineWords } from '../summary.ts';
import { type CobroValues, CollectFields, cobroBody, cobroErrors, initialCobro } from './collect-fields.tsx';
import { KnownMethod } from './known-method.tsx';
import classes from './parts-fields.module.css';
import { ProofFields } from './proof-fields.tsx';
import { NO_PROOF, type ProofValues, useProof } from './use-proof.ts';
import { type StepProps, useStep } from './use-step.ts';
import { StepWithdrawn } from './withdrawn.tsx';

type Props = {
  pedido: Named | undefined;
  onClose: () => void;
  made?: boolean;
  success?: string | undefined;
};

export const CompleteDialog = ({ pedido, onClose, made, success = 'Pedido marcado como completado exitosamente' }: Props) => (
  <FormDialog opened={!!pedido} onClose={onClose} title="Completar Entrega">
    {(inDialog) => pedido && <CompleteForm pedido={pedido} made={made} success={success} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

type Values = ProofValues & {
  metodo_entrega: MetodoEntrega | null;
  numero_seguimiento: string;
  empresa_transporte: string;
  partes: string;
} & CobroValues;

function CompleteForm({ success, ...props }: StepProps & { success: string }) {
  const tile = useRef<HTMLButtonElement>(null);
  const number = useRef<HTMLInputElement>(null);
  // Preselects the last delivery method: a carrier usually keeps to one.
  const [last, storeLast] = useLocalStorage({ key: 'enruta-metodo-entrega', defaultValue: '', getInitialValueInEffect: false });
  // Skips the question for the shop's own van: the office chose the method when assigning the order.
  const isOwnVan = props.pedido.empresa_transporte === 'manual';
  const [asksMethod, askMethod] = useState(!isOwnVan);
  const metodo_entrega = isOwnVan ? 'manual' : (METODOS_ENTREGA.find((method) => method === last) ?? null);
  const form = useForm<Values>({
    initialValues: {
      ...NO_PROOF,
      metodo_entrega,
      numero_seguimiento: '',
      empresa_transporte: '',
      partes: '',
      ...initialCobro(props.pedido.por_cobrar ?? 0),
    },
  });
  const parts = useParts(form, props.pedido);
  const damaged = parts.left.some(({ motivo }) => motivo === 'danado');
  const { prove, ...proof } = useProof(form, damaged);
  const { save, busy, withdrawn } = useStep(form, props, { success, failure: 'Error al completar el pedido' });

  function submit(withNumber: boolean) {
    const { metodo_entrega, ...typed } = form.values;
    const numero_seguimiento = withNumber ? typed.numero_seguimiento.trim() : '';
    const noNumber = withNumber && !numero_seguimiento;
    const unpaid = cobroErrors(parts.due, form.values);
    const refusal = parts.refusal();
    form.setErrors({
      ...unpaid,
      ...(refusal && { partes: refusal }),
      ...(!metodo_entrega && { metodo_entrega: TRANSITIONS.completar.input.metodo_entrega }),
      ...(noNumber && { numero_seguimiento: 'Por favor, introduce el número de seguimiento' }),
    });
    if (!metodo_entrega) return tile.current?.focus();
    if (noNumber) return number.current?.focus();
    if (refusal) return;
    if (Object.keys(unpaid).length > 0) return focusFirst(form, unpaid);
    if (asksMethod) storeLast(metodo_entrega);
    const step = {
      estado: TRANSITIONS.completar.to,
      paso: 'completar' as const,
      metodo_entrega,
      numero_seguimiento: numero_seguimiento || null,
      // Only «otro» needs the name of a company.
      empresa_transporte: (metodo_entrega === 'otro' && typed.empresa_transporte.trim()) || null,
      ...cobroBody(parts.due, form.values),
      ...(parts.left.length > 0 && { no_entregado: parts.left }),
    };
    void prove((proved, files) => save({ ...step, ...proved }, files));
  }

  const company = form.values.empresa_transporte.trim() || firmLabel(form.values.metodo_entrega);
  // A manual delivery has no tracking number.
  const inPerson = form.values.metodo_entrega === 'manual';
  const other = inPerson ? undefined : { label: 'Completar sin número', onClick: () => submit(false) };
  if (withdrawn !== undefined) return <StepWithdrawn pedido={props.pedido} by={withdrawn} onClose={props.onDone} />;
  return (
    <ThumbForm onSubmit={() => submit(!inPerson)} submit="Completar entrega" busy={busy || proof.preparing} other={other}>
      <div>
        <Subject pedido={props.pedido} />
        {!parts.isOpen && (
          <Text component="div" mt={4}>
            <LineList pedido={props.pedido} />
          </Text>
        )}
      </div>
      {parts.offered && <PartsFields parts={parts} />}
      <CollectFields due={parts.due} company={props.pedido.en_empresa ?? company} form={form} />
      {asksMethod || !inPerson ? (
        <ChoiceTiles
          label="Método de entrega"
          cols={{ base: 2, xs: 3 }}
          options={METODO_ENTREGA_OPTIONS}
          current={tile}
          value={form.values.metodo_entrega}
          onChange={(value) => form.setFieldValue('metodo_entrega', value)}
          error={form.errors.metodo_entrega}
        />
      ) : (
        <KnownMethod onChange={() => askMethod(true)} />
      )}
      {!inPerson && <ShippedFields form={form} number={number} />}
      {proof.reglas && <ProofFields {...proof} reglas={proof.reglas} pedido={props.pedido} damaged={damaged} />}
    </ThumbForm>
  );
}

const ShippedFields = ({ form, number }: { form: UseFormReturnType<Values>; number: Ref<HTMLInputElement> }) => (
  <>
    <TextInput
      ref={number}
      label={`${INPUTS.numero_seguimiento.label} (opcional)`}
      maxLength={INPUTS.numero_seguimiento.max}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      {...form.getInputProps('numero_seguimiento')}
    />
    {form.values.metodo_entrega === 'otro' && (
      <TextInput
        label={`${INPUTS.empresa_transporte.label} (opcional)`}
        maxLength={INPUTS.empresa_transporte.max}
        autoComplete="organization"
        {...form.getInputProps('empresa_transporte')}
      />
    )}
  </>
);

/** Undelivered units by line and reason; a single button until the carrier opens the fields. */
function PartsFields({ parts }: { parts: Parts }) {
  if (!parts.isOpen) {
    return (
      <Button variant="default" mih={48} onClick={parts.open}>
        No se entrega todo
      </Button>
    );
  }
  return (
    <Input.Wrapper label="Qué no se entrega" labelElement="div" error={parts.error}>
      <Stack mt={4}>
        {parts.lines ? parts.lines.map((line) => <Line key={line.numero} line={line} parts={parts} />) : <Skeleton h={64} />}
        <Button variant="subtle" size="compact-md" mih={48} onClick={parts.close}>
          Se entrega todo
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

function Line({ line, parts }: { line: SeenLine; parts: Parts }) {
  const { numero, cantidad } = line;
  return (
    <fieldset className={classes.line}>
      <Text component="legend" fw={600}>
        {lineWords(line)}
      </Text>
      <Group grow preventGrowOverflow={false} wrap="nowrap">
        {MOTIVOS_PARTE.map((motivo) => {
          const [value, label] = [parts.valueOf(numero, motivo), MOTIVO_PARTE_LABEL[motivo]];
          // A single unit is either delivered or not, so a checkbox suffices.
          if (cantidad === 1)
            return (
              <Checkbox
                key={motivo}
                label={label}
                styles={{ body: { minHeight: 48, alignItems: 'center' } }}
                checked={value === '1'}
                onChange={(event) => parts.type(numero, motivo, event.currentTarget.checked ? '1' : '')}
              />
            );
          return (
            <NumberField key={motivo} label={label} placeholder="0" value={value} onChange={(typed) => parts.type(numero, motivo, typed)} />
          );
        })}
      </Group>
    </fieldset>
  );
}

/** `partes`: undelivered quantities as typed, by line and reason, as JSON; empty if everything is delivered. */
type PartsValues = { partes: string; cobrado: string };
type PartsForm = Pick<UseFormReturnType<PartsValues>, 'values' | 'errors' | 'setFieldValue' | 'setFieldError'>;

const keyOf = (numero: number, motivo: string) => `${numero} ${motivo}`;
const typedIn = (partes: string): Record<string, string> => (partes ? JSON.parse(partes) : {});

/** Partial delivery in the form that completes an order (decision 074); `offered` is false in a shop without it. */
function useParts<V extends PartsValues>(parent: UseFormReturnType<V>, pedido: Named) {
  // Setters of a form with more fields accept more names, so their type differs.
  const form = parent as unknown as PartsForm;
  const offered = useSession().partes === true;
  const { partes } = form.values;
  const isOpen = offered && partes !== '';
  const { data } = useApi(getPedido, { params: { id: pedido.id } }, { enabled: isOpen && !pedido.lineas });
  const lines: readonly SeenLine[] | undefined = pedido.lineas ?? data?.data.lineas;
  const typed = typedIn(partes);
  const left = partsOf(typed, lines ?? []);
  const dueOf = (parts: readonly Parte[]) =>
    Math.max(0, Math.round(((pedido.por_cobrar ?? 0) - menosPorCobrar(lines ?? [], parts)) * 100) / 100);

  function write(next: string) {
    const due = dueOf(partsOf(typedIn(next), lines ?? []));
    form.setFieldValue('partes', next);
    // Collects only what the delivered units cost.
    if (pedido.por_cobrar) form.setFieldValue('cobrado', showNumber(due, 2));
  }
  return {
    offered,
    isOpen,
    lines,
    error: form.errors.partes,
    /** Undelivered units, for the body of the step. */
    left: isOpen ? left : [],
    /** Euros to collect for the delivered units. */
    due: isOpen ? dueOf(left) : (pedido.por_cobrar ?? 0),
    valueOf: (numero: number, motivo: string) => typed[keyOf(numero, motivo)] ?? '',
    type: (numero: number, motivo: string, value: string) => write(JSON.stringify({ ...typed, [keyOf(numero, motivo)]: value })),
    open: () => write('{}'),
    close: () => write(''),
    /** Reason in Spanish why the quantities are refused; undefined if they are accepted. */
    refusal: () => (isOpen ? refusalOf(typed, lines, left) : undefined),
  };
}
type Parts = ReturnType<typeof useParts>;

const partsOf = (typed: Record<string, string>, lines: readonly SeenLine[]): Parte[] =>
  lines.flatMap(({ numero }) =>
    MOTIVOS_PARTE.flatMap((motivo) => {
      const cantidad = parseNumber(typed[keyOf(numero, motivo)] ?? '');
      return cantidad > 0 ? [{ numero, cantidad, motivo }] : [];
    }),
  );

function refusalOf(typed: Record<string, string>, lines: readonly SeenLine[] | undefined, left: readonly Parte[]): string | undefined {
  if (!lines) return 'Las líneas del pedido aún no se han cargado';
  const isWrong = (value: string) => value.trim() !== '' && !(Number.isInteger(parseNumber(value)) && parseNumber(value) >= 0);
  if (Object.values(typed).some(isWrong)) return 'Escribe cuántos no se entregan';
  return partesRefusal(lines, left);
}
