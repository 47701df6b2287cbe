import { FORM_INDEX, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import { getPedido, isWhole, type Pedido, setLineas } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { call, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { type Difference, mergeValues } from '../../ui/form/conflict.ts';
import { onValid } from '../../ui/form/form-actions.tsx';
import { rulesOf } from '../../ui/form/rules.ts';
import { money, showNumber } from '../../ui/format/format.ts';
import { toast } from '../../ui/page/toast.tsx';
import { packProblem, usePacks } from './pack-picker.tsx';
import { isFixed, type LineaValues, lineasBody, lineasFrom, lineasRules, orderedLines, parseEuros } from './values.ts';

export type EditLineasValues = { lineas: LineaValues[]; envio: string; descuento: string };
type Field = keyof EditLineasValues;

const REQUIRED = 'Completa los campos obligatorios';
const linesOf = ({ lineas }: Pedido): readonly Linea[] => lineas ?? [];
/** Form content without the React keys of the lines, to compare. */
const contentOf = ({ lineas, envio, descuento }: EditLineasValues) =>
  JSON.stringify([lineas.map(({ key: _, ...linea }) => linea), envio, descuento]);

/** Edits an order's lines and, with `free`, shipping and discount. After a conflict typed values stay; `conflict` lists differences. */
export function useEditLineas(initial: Pedido, onSaved: () => void) {
  const actor = useSession();
  const free = can(actor, 'pedido:create-free');
  const { packs } = usePacks();
  const valuesOf = (pedido: Pedido): EditLineasValues => ({
    lineas: lineasFrom(linesOf(pedido), free),
    envio: showNumber(pedido.envio, 2),
    descuento: showNumber(pedido.descuento, 2),
  });
  // Order from which the form was filled. Background refetches replace the order only while the form is untouched.
  const [base, setBase] = useState(initial);
  const kept = linesOf(base);
  const [conflict, setConflict] = useState<{ differences: Difference<Field>[]; mine: LineaValues[] }>();
  const form = useForm<EditLineasValues>({
    initialValues: valuesOf(initial),
    validate: {
      lineas: lineasRules((id) => packProblem(packs, id, REQUIRED), REQUIRED),
      ...rulesOf(PEDIDO_FIELDS, ['envio', 'descuento']),
    },
    validateInputOnBlur: [`lineas.${FORM_INDEX}.cantidad`, `lineas.${FORM_INDEX}.precio_unitario`, 'envio', 'descuento'],
  });
  const isChanged = () => contentOf(form.getValues()) !== contentOf(valuesOf(base));

  function fill(pedido: Pedido, values = valuesOf(pedido)) {
    setBase(pedido);
    form.setValues(values);
  }
  useEffect(() => {
    if (initial.version > base.version && !isChanged()) fill(initial);
  });

  const save = useMutate(setLineas, {
    form,
    failure: 'No se pudieron cambiar los productos',
    onStale: () => void reconcile(),
    onSuccess: onSaved,
  });

  const wordsOf = (lineas: readonly LineaValues[], known: readonly Linea[]) =>
    orderedLines(lineas, packs, known)
      .map(({ cantidad, words, unit }) => `${cantidad ?? '—'} × ${words} a ${money(unit)}`)
      .join('; ');
  const inWords = (values: EditLineasValues, known: readonly Linea[]) => ({ ...values, lineas: wordsOf(values.lineas, known) });

  async function reconcile() {
    const stored = await call(getPedido, { params: { id: base.id } }).catch(() => undefined);
    if (!stored || !isWhole(stored.data))
      return toast.error('Otra persona ha cambiado este pedido, y no se pudo leer cómo ha quedado. Vuelve a guardar.');
    const fresh = stored.data;
    const now = valuesOf(fresh);
    const typed = form.getValues();
    const mine = { ...typed, lineas: moved(typed.lineas, kept, linesOf(fresh)) };
    const text = inWords(mine, linesOf(fresh));
    const { differences, values } = mergeValues(inWords(valuesOf(base), kept), text, inWords(now, linesOf(fresh)));
    setConflict({ differences, mine: mine.lineas });
    fill(fresh, { ...values, lineas: values.lineas === text.lineas ? mine.lineas : now.lineas });
  }
  function pick(field: Field, value: string) {
    if (field !== 'lineas') return form.setFieldValue(field, value);
    const stored = valuesOf(base).lineas;
    form.setFieldValue('lineas', value === wordsOf(stored, kept) ? stored : (conflict?.mine ?? stored));
  }

  const submit = onValid(form, ({ lineas, envio, descuento }) => {
    const amounts = free && { envio: parseEuros(envio) ?? 0, descuento: parseEuros(descuento) ?? 0 };
    save.mutate({ params: { id: base.id }, body: { lineas: lineasBody(lineas, kept), ...amounts, version: base.version } });
  });

  const ordered = orderedLines(form.values.lineas, packs, kept);
  const conflictText = conflict && inWords(form.values, kept);
  return { form, submit, saving: save.isPending, base, kept, free, packs, ordered, isChanged, conflict, conflictText, pick };
}

/** Maps edited lines to those now stored. A removed line is new at today's price, or dropped if only a superadmin may write it. */
function moved(lineas: readonly LineaValues[], before: readonly Linea[], now: readonly Linea[]): LineaValues[] {
  const left = [...now];
  return lineas.flatMap((linea) => {
    const { numero, ...rest } = linea;
    const was = before.find((line) => line.numero === numero);
    if (!was) return [rest];
    const at = left.findIndex(
      ({ pack_id, producto, precio_unitario }) =>
        pack_id === was.pack_id && producto === was.producto && precio_unitario === was.precio_unitario,
    );
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found) return [{ ...linea, numero: found.numero }];
    return isFixed(linea) && !linea.pack_id ? [] : [rest];
  });
}
