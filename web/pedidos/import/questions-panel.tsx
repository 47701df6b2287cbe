import { Button, Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { HIDDEN } from './columns.ts';
import { type LeftOut, unusedOf } from './left-out.ts';
import { unsaidPayments } from './payment.ts';
import type { Row } from './row.ts';
import type { useImport } from './use-import.ts';

type Props = { of: ReturnType<typeof useImport> };

const SAMPLES = 5;

/** Questions about the sheet; no order is created before they are answered. */
export function QuestionsPanel({ of: { state, quantity, customers, unanswered, setColumns, notQuantity, set } }: Props) {
  if (!state || unanswered === 0) return null;
  const { titles, columns, rows, juntar } = state;
  const samples = quantity === undefined ? [] : rows.flatMap(({ cells }) => cells[quantity] || []).slice(0, SAMPLES);
  const names = customers
    .slice(0, SAMPLES)
    .map(({ rows, values }) => `${values?.cliente_nombre ?? 'Sin nombre'}: filas ${rows.map(({ n }) => n).join(', ')}`);
  const n = customers.length;
  return (
    <Panel title="Antes de crear">
      <Stack gap="sm">
        {quantity !== undefined && (
          <Question
            text={`¿La columna «${titles?.[quantity] || quantity + 1}» es la cantidad?`}
            detail={`Dice ${samples.join(', ')}${rows.length > SAMPLES ? '…' : ''}. Ninguna otra columna dice cuántos son.`}
            yes="Sí"
            no="No"
            onYes={() => setColumns(columns.map((column, at) => (at === quantity ? 'cantidad' : column)))}
            onNo={() => notQuantity(quantity)}
          />
        )}
        {n > 0 && juntar === undefined && (
          <Question
            text={
              n === 1
                ? '1 cliente tiene varias filas: ¿juntarlas en un pedido?'
                : `${number(n)} clientes tienen varias filas: ¿juntar en un pedido las de cada uno?`
            }
            detail={`${names.join(' · ')}${n > SAMPLES ? '…' : ''}`}
            yes="Juntar"
            no="Un pedido por fila"
            onYes={() => set({ juntar: true })}
            onNo={() => set({ juntar: false })}
          />
        )}
      </Stack>
    </Panel>
  );
}

type QuestionProps = { text: string; detail: string; yes: string; no: string; onYes: () => void; onNo: () => void };

function Question({ text, detail, yes, no, onYes, onNo }: QuestionProps) {
  const id = useId();
  return (
    <Group role="group" aria-labelledby={id} gap="xs" justify="space-between">
      <div>
        <Text size="md" id={id} fw={500}>
          {text}
        </Text>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onYes}>
          {yes}
        </Button>
        <Button size="xs" variant="default" onClick={onNo}>
          {no}
        </Button>
      </Group>
    </Group>
  );
}

type LeftOutPanelProps = { of: ReturnType<typeof useImport>; onChooseTabs: () => void };

const MOST = 8;
const placesOf = (rows: readonly Row[]) => {
  const all = rows.map(({ n }) => n);
  const named = all.slice(0, MOST).join(', ');
  return `${rows.length === 1 ? 'fila' : 'filas'} ${named}${all.length > MOST ? ` y ${number(all.length - MOST)} más` : ''}`;
};
const WORDS = { state: '', sum: 'sumas', note: 'notas sin datos de un pedido', titles: 'títulos repetidos', hidden: 'ocultas' };

/** Returns text such as «Order Status» dice Cancelled (filas 2, 5) · sumas: Total (fila 9). */
function reasonsOf(out: readonly LeftOut[]): string {
  const byColumn = Map.groupBy(out, ({ title, is = 'state' }) => (is === 'state' ? `«${title}» dice` : `${WORDS[is]}:`));
  return [...byColumn]
    .map(([reason, rows]) => {
      const words = [...Map.groupBy(rows, ({ text }) => text)].map(
        ([text, these]) => `${text.length > 40 ? `${text.slice(0, 40)}…` : text} (${placesOf(these.map(({ row }) => row))})`,
      );
      return `${reason} ${words.slice(0, MOST).join(', ')}${words.length > MOST ? '…' : ''}`;
    })
    .join(' · ');
}

/** Quotes up to eight headings and counts the rest, such as «A», …, «H» y 3 más. */
const listOf = (titles: readonly string[]) => {
  const named = titles.slice(0, MOST).map((title) => `«${title}»`);
  return `${named.join(', ')}${titles.length > MOST ? ` y ${number(titles.length - MOST)} más` : ''}`;
};

/** Lists the content of the sheet that is not imported. */
export function LeftOutPanel({ of: { state, book, takeIn, showColumns }, onChooseTabs }: LeftOutPanelProps) {
  if (!state) return null;
  const { fuera = [], titles, columns, rows, sinLeer = [] } = state;
  const hidden = fuera.filter(({ is }) => is === 'hidden');
  const others = fuera.filter(({ is }) => is !== 'hidden');
  const unused = unusedOf(titles, columns, rows);
  const covered = (titles ?? []).filter((title) => title.endsWith(HIDDEN));
  const unpaid = unsaidPayments(rows, columns);
  if ([fuera, unused, unpaid, covered, sinLeer].every((list) => list.length === 0)) return null;
  return (
    <Panel title="No entra en los pedidos">
      <Stack gap="xs">
        {others.length > 0 && (
          <Offer
            text={others.length === 1 ? '1 fila queda fuera' : `${number(others.length)} filas quedan fuera`}
            detail={reasonsOf(others)}
            button={others.length === 1 ? 'Incluirla' : 'Incluirlas'}
            onPress={() => takeIn(false)}
          />
        )}
        {hidden.length > 0 && (
          <Offer
            text={
              hidden.length === 1
                ? '1 fila oculta en la hoja queda fuera'
                : `${number(hidden.length)} filas ocultas en la hoja quedan fuera`
            }
            detail={`Ocultas a mano o por un filtro: ${placesOf(hidden.map(({ row }) => row))}`}
            button={hidden.length === 1 ? 'Incluir la oculta' : 'Incluir las ocultas'}
            onPress={() => takeIn(true)}
          />
        )}
        {covered.length > 0 && (
          <Offer
            text={covered.length === 1 ? '1 columna oculta no se lee' : `${number(covered.length)} columnas ocultas no se leen`}
            detail={listOf(covered.map((title) => title.slice(0, -HIDDEN.length)))}
            button={covered.length === 1 ? 'Leerla' : 'Leerlas'}
            onPress={showColumns}
          />
        )}
        {sinLeer.length > 0 && (
          <Offer
            text={sinLeer.length === 1 ? '1 pestaña del libro no se lee' : `${number(sinLeer.length)} pestañas del libro no se leen`}
            detail={listOf(sinLeer.map((tab) => `${tab.name}${tab.hidden ? HIDDEN : ''}`))}
            button={book && 'Elegir pestañas'}
            onPress={onChooseTabs}
          />
        )}
        {unpaid.length > 0 && (
          <Text size="sm">
            Dicen cómo se paga, pero no que esté pagado: se crean sin pago ({placesOf(unpaid)}). Escríbelo en «Ya pagado con» si lo está.
          </Text>
        )}
        {unused.length > 0 && (
          <Text size="sm">
            {unused.length === 1 ? `La columna ${listOf(unused)} no se usa.` : `No se usan las columnas ${listOf(unused)}.`}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

type OfferProps = { text: string; detail: string; button: string | undefined; onPress: () => void };

function Offer({ text, detail, button, onPress }: OfferProps) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
      <div>
        <Text size="md" fw={500}>
          {text}
        </Text>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      </div>
      {button && (
        <Button size="xs" variant="default" onClick={onPress} style={{ flexShrink: 0 }}>
          {button}
        </Button>
      )}
    </Group>
  );
}
