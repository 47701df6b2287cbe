import { Alert, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { createDevolucion, type Devolucion } from '../../contract/devoluciones/devoluciones.ts';
import { DESTINO_OPTIONS, type Destino, MOTIVO_DEVOLUCION_OPTIONS, type MotivoDevolucion } from '../../contract/devoluciones/fields.ts';
import { problemOf } from '../../contract/kit/fields.ts';
import type { Linea } from '../../contract/pedidos/lineas.ts';
import { afterDiscount } from '../../contract/pedidos/money.ts';
import { getPedido, isWhole, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { useApi, useMutate } from '../api.ts';
import { ChoiceTiles } from '../ui/form/choice-tiles.tsx';
import { FormActions, focusFirst } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { money, number, parseNumber, showNumber } from '../ui/format/format.ts';
import classes from './returns.module.css';

type Props = { id: string; returns: readonly Devolucion[]; onDone: () => void; dirty?: Ref<() => boolean> | undefined };

export function ReturnForm({ id, ...props }: Props) {
  const { data } = useApi(getPedido, { params: { id } });
  if (!data || !isWhole(data.data)) return <Skeleton h={160} role="status" aria-label="Cargando..." />;
  const left = leftOf(data.data.lineas ?? [], props.returns);
  if (left.length === 0) return <Alert color="gray">Ya se ha devuelto todo lo que se entregó.</Alert>;
  return <Fields pedido={data.data} left={left} onDone={props.onDone} dirty={props.dirty} />;
}

type Left = Linea & { left: number };

/** Lines with units that can still be returned. */
function leftOf(lineas: readonly Linea[], returns: readonly Devolucion[]): Left[] {
  const back = returns.filter(({ anulada_at }) => !anulada_at).flatMap((devolucion) => devolucion.lineas);
  return lineas
    .map((linea) => ({
      ...linea,
      left: linea.cantidad - back.filter(({ numero }) => numero === linea.numero).reduce((sum, { cantidad }) => sum + cantidad, 0),
    }))
    .filter(({ left }) => left > 0);
}

type Values = {
  lineas: { cantidad: string; destino: Destino }[];
  motivo: MotivoDevolucion | null;
  nota: string;
  reembolso: string;
  referencia: string;
};

/** Units returned of each line; 0 without a number. */
const unitsOf = ({ lineas }: Values) => lineas.map(({ cantidad }) => (cantidad.trim() ? (parseNumber(cantidad) ?? 0) : 0));

type FieldsProps = Pick<Props, 'onDone' | 'dirty'> & { pedido: Pedido; left: readonly Left[] };
/** State of the form. Suggests a refund for the returned units until the person types an amount. */
function useReturn(pedido: Pedido, left: readonly Left[]) {
  const only = left.length === 1;
  // Upper bound of a refund: the amount paid and not refunded.
  const refundable = Math.max(0, Math.round((pedido.pagado - pedido.reembolsado) * 100) / 100);
  const goods_cents = (pedido.lineas ?? []).reduce((sum, line) => sum + line.precio_total * 100, 0);
  const cost = (many: readonly number[]) => {
    const cents = left.reduce((sum, { precio_total, cantidad }, i) => sum + (precio_total * 100 * (many[i] ?? 0)) / cantidad, 0);
    return Math.round(afterDiscount(cents, { goods_cents, descuento_cents: pedido.descuento * 100 })) / 100;
  };
  const refundOf = (worth: number) => (Math.min(worth, refundable) > 0 ? showNumber(Math.min(worth, refundable), 2) : '');
  const typedRefund = useRef(false);
  const form = useForm<Values>({
    initialValues: {
      lineas: left.map((line) => ({ cantidad: only ? String(line.left) : '', destino: line.unidades > 0 ? 'stock' : 'baja' })),
      motivo: null,
      nota: '',
      reembolso: only ? refundOf(cost(left.map((line) => line.left))) : '',
      referencia: '',
    },
    validate: {
      lineas: {
        cantidad: (typed, { lineas }, path) => {
          const index = Number(path.split('.')[1]);
          const most = left[index]?.left ?? 0;
          if (lineas.every(({ cantidad }) => !cantidad.trim() || parseNumber(cantidad) === 0))
            return index === 0 ? 'Indica qué se devuelve' : null;
          return problemOf({ kind: 'integer', max: most, invalid: `Entre 0 y ${number(most)}` }, parseNumber(typed || '0')) ?? null;
        },
      },
      motivo: (motivo) => (motivo ? null : 'Elige el motivo'),
      reembolso: (typed) => (typed.trim() && problemOf({ kind: 'money' }, parseNumber(typed))) || null,
    },
  });
  const chosen = unitsOf(form.values);
  const worth = cost(chosen);
  const suggested = refundOf(worth);
  const suggest = useEffectEvent((refund: string) => {
    if (!typedRefund.current && form.getValues().reembolso !== refund) form.setFieldValue('reembolso', refund);
  });
  useEffect(() => suggest(suggested), [suggested]);
  const typeRefund = (value: string) => {
    typedRefund.current = true;
    form.getInputProps('reembolso').onChange(value);
  };
  return { form, chosen, worth, typeRefund };
}

function Fields({ pedido, left, onDone, dirty }: FieldsProps) {
  const { form, chosen, worth, typeRefund } = useReturn(pedido, left);
  const reason = useRef<HTMLButtonElement>(null);
  const save = useMutate(createDevolucion, { form: byRow(form), failure: 'No se pudo registrar la devolución', onSuccess: onDone });
  useImperativeHandle(dirty, () => () => form.isDirty() && !save.isPending);

  const submit = form.onSubmit(
    ({ lineas, motivo, nota, reembolso, referencia }) => {
      if (!motivo) return;
      save.mutate({
        params: { id: pedido.id },
        body: {
          lineas: left.flatMap(({ numero }, i) => {
            const destino = lineas[i]?.destino ?? 'baja';
            return chosen[i] ? [{ numero, cantidad: chosen[i], destino }] : [];
          }),
          motivo,
          nota: nota.trim() || null,
          reembolso: reembolso.trim() ? (parseNumber(reembolso) ?? null) : null,
          referencia: referencia.trim() || null,
          version: pedido.version,
        },
      });
    },
    (errors) => (Object.keys(errors).some((name) => name !== 'motivo') ? focusFirst(form, errors) : reason.current?.focus()),
  );

  return (
    <form onSubmit={submit} noValidate aria-label="Registrar devolución">
      <Stack gap="xs">
        {left.map((line, i) => (
          <fieldset key={line.numero} className={classes.linea}>
            <legend>{line.producto}</legend>
            <NumberField
              label={`Devueltos (de ${number(line.left)})`}
              required={left.length === 1}
              autoFocus={i === 0}
              {...form.getInputProps(`lineas.${i}.cantidad`)}
            />
            {line.unidades > 0 && (
              <Select label="Destino" data={DESTINO_OPTIONS} checkIconPosition="right" {...form.getInputProps(`lineas.${i}.destino`)} />
            )}
          </fieldset>
        ))}
        {/* Tiles instead of a list save one click. */}
        <ChoiceTiles
          label="Motivo"
          cols={{ base: 1, xs: 2 }}
          options={MOTIVO_DEVOLUCION_OPTIONS}
          value={form.values.motivo}
          onChange={(motivo) => form.setFieldValue('motivo', motivo)}
          error={form.errors.motivo}
          current={reason}
        />
        <TextInput label="Nota (opcional)" maxLength={300} autoComplete="off" {...form.getInputProps('nota')} />
        <div className={classes.linea}>
          <NumberField label="Reembolso (€)" decimals={2} placeholder="0,00" {...form.getInputProps('reembolso')} onChange={typeRefund} />
          <TextInput label="Referencia" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />
        </div>
        <Text variant="detail">
          {worth > 0 && `Lo devuelto costó ${money(worth)}. `}
          El dinero se devuelve en el banco; aquí se anota.
        </Text>
        <FormActions submit="Registrar devolución" busy={save.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}

/** Maps errors of the server to rows: the server numbers only the lines sent, and the form also has lines without returned units. */
function byRow(form: Pick<UseFormReturnType<Values>, 'getValues' | 'setErrors' | 'getInputNode'>) {
  const sent = () => unitsOf(form.getValues()).flatMap((units, i) => (units ? [i] : []));
  const rename = (name: string) =>
    name.replace(/^lineas\.(\d+)\.numero$/, 'lineas.$1.cantidad').replace(/^lineas\.(\d+)/, (_, n) => `lineas.${sent()[Number(n)] ?? 0}`);
  return {
    setErrors: (errors: Record<string, string>) =>
      form.setErrors(Object.fromEntries(Object.entries(errors).map(([name, error]) => [rename(name), error]))),
    getInputNode: (name: string) => form.getInputNode(rename(name)),
  };
}
