import type { UseFormReturnType } from '@mantine/form';
import { MOTIVOS_PARTE, menosPorCobrar, type Parte, partesRefusal } from '../../../contract/devoluciones/fields.ts';
import { getPedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { parseNumber, showNumber } from '../../ui/format/format.ts';
import type { SeenLine } from '../lineas/use-lines.ts';
import type { Named } from '../subject.tsx';

/** `partes`: undelivered quantities as typed, by line and reason, as JSON; empty if everything is delivered. */
export type PartsValues = { partes: string; cobrado: string };
export type PartsForm = Pick<UseFormReturnType<PartsValues>, 'values' | 'errors' | 'setFieldValue' | 'setFieldError'>;

const keyOf = (numero: number, motivo: string) => `${numero} ${motivo}`;
const typedIn = (partes: string): Record<string, string> => (partes ? JSON.parse(partes) : {});

/** Partial delivery in the form that completes an order (decision 074); `offered` is false in a shop without it. */
export function useParts<V extends PartsValues>(parent: UseFormReturnType<V>, pedido: Named) {
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
export type Parts = ReturnType<typeof useParts>;

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
