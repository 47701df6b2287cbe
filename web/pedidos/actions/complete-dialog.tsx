import { Button, Checkbox, Group, Input, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useLocalStorage } from '@mantine/hooks';
import { type Ref, useRef, useState } from 'react';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { INPUTS } from '../../../contract/pedidos/inputs.ts';
import { METODO_ENTREGA_OPTIONS, METODOS_ENTREGA, type MetodoEntrega } from '../../../contract/pedidos/metodos.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import { focusFirst } from '../../ui/form/form-actions.tsx';
import { ThumbForm } from '../../ui/form/thumb-form.tsx';
import { LineList } from '../lineas/line-list.tsx';
import { type Named, Subject } from '../subject.tsx';
import { type CobroValues, CollectFields, cobroBody, cobroErrors, cobroOf } from './collect-fields.tsx';
import { KnownMethod } from './known-method.tsx';
import { ProofFields } from './proof-fields.tsx';
import { type Parts, useParts } from './use-parts.ts';
import { NO_PROOF, type ProofValues, useProof } from './use-proof.ts';
import { type StepProps, useStep } from './use-step.ts';
import { StepWithdrawn } from './withdrawn.tsx';
import '@mantine/core/styles/Checkbox.css';
import { MOTIVO_PARTE_LABEL, MOTIVOS_PARTE } from '../../../contract/devoluciones/fields.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import type { SeenLine } from '../lineas/use-lines.ts';
import { lineWords } from '../summary.ts';
import classes from './parts-fields.module.css';

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
      ...cobroOf(props.pedido.por_cobrar ?? 0),
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
      <CollectFields due={parts.due} form={form} />
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
      <Button variant="default" mih={44} onClick={parts.open}>
        No se entrega todo
      </Button>
    );
  }
  return (
    <Input.Wrapper label="Qué no se entrega" labelElement="div" error={parts.error}>
      <Stack mt={4}>
        {parts.lines ? parts.lines.map((line) => <Line key={line.numero} line={line} parts={parts} />) : <Skeleton h={64} />}
        <Button variant="subtle" size="compact-md" mih={44} onClick={parts.close}>
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
                styles={{ body: { minHeight: 44, alignItems: 'center' } }}
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
