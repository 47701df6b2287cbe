import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Pack } from '../../../contract/products/products.ts';
import { plural } from '../../../contract/text/plural.ts';
import { FileQuestion, KnownWords, WordQuestions } from '../../sheets/question.tsx';
import { type Answers, dayIn } from '../../sheets/reading.ts';
import { HIDDEN } from '../../sheets/table.ts';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { packLabel } from '../lineas/pack-label.ts';
import { PackPicker } from '../lineas/pack-picker.tsx';
import type { UnknownPack } from './check.ts';
import type { LeftOut, Reason } from './left-out.ts';
import type { Row } from './target.ts';
import type { useImport } from './use-import.ts';

type Props = { of: ReturnType<typeof useImport> };

const SAMPLES = 5;
/** Day such as «5 de noviembre». */
const showDay = (day = '') => new Date(day).toLocaleDateString('es-ES', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Questions about the sheet; no order is created before they are answered. Below, what is known or was answered. */
export function QuestionsPanel({ of: { state, sheet, split, customers, answer } }: Props) {
  if (!state || !sheet) return null;
  const { joined } = state.answers;
  const say = (more: Partial<Answers>) => answer((answers) => ({ ...answers, ...more }));
  const { words, day, reading } = sheet;
  const n = customers.length;
  const asks = n > 0 && joined === undefined;
  const names = customers
    .slice(0, SAMPLES)
    .map(({ rows, values }) => `${values?.cliente_nombre ?? ''}: filas ${rows.map((row) => row.n).join(', ')}`);
  const example = (row: number) => {
    const { cells } = state.lines.find((line) => line.n === row) ?? {};
    return reading.columns
      .flatMap((column, at) => (column && column !== 'instrucciones' && cells?.[at] ? cells[at] : []))
      .slice(0, 3)
      .join(' · ');
  };
  if (words.length === 0 && !asks && !day && split.unsure.length === 0) return null;
  const [dayText = ''] = day?.split(' ') ?? [];
  return (
    <Panel title="Antes de crear">
      <Stack gap="sm">
        <WordQuestions words={words} titles={state.titles} example={example} onAnswer={answer} />
        {day && (
          <FileQuestion
            text={`¿Qué día es ${dayText}?`}
            detail="Las fechas de esta hoja se pueden leer de dos formas."
            choices={[false, true].map((monthFirst) => [showDay(dayIn(dayText, monthFirst)), () => say({ monthFirst })])}
          />
        )}
        {split.unsure.length > 0 && (
          <FileQuestion
            text={
              split.unsure.length === 1
                ? '1 fila no tiene dirección ni producto: ¿es un pedido?'
                : `${number(split.unsure.length)} filas no tienen dirección ni producto: ¿son pedidos?`
            }
            detail={split.unsure
              .slice(0, SAMPLES)
              .map(({ n, cells }) => `fila ${n}: ${cells.filter(Boolean).slice(0, 3).join(' · ')}`)
              .join(' — ')}
            choices={[
              ['No, quedan fuera', () => say({ notOrders: true })],
              ['Sí', () => say({ notOrders: false })],
            ]}
          />
        )}
        {asks && (
          <FileQuestion
            text={
              n === 1
                ? '1 cliente tiene varias filas: ¿juntarlas en un pedido?'
                : `${number(n)} clientes tienen varias filas: ¿juntar en un pedido las de cada uno?`
            }
            detail={`${names.join(' · ')}${n > SAMPLES ? '…' : ''}`}
            choices={[
              ['Juntar', () => say({ joined: true })],
              ['Un pedido por fila', () => say({ joined: false })],
            ]}
          />
        )}
        <KnownWords words={words} kept={state.kept} onAnswer={answer} />
      </Stack>
    </Panel>
  );
}

type LeftOutPanelProps = Props & { onChooseTabs: () => void };

const MOST = 8;
const placesOf = (rows: readonly Row[]) => {
  const all = rows.map(({ n }) => n);
  const named = all.slice(0, MOST).join(', ');
  return `${rows.length === 1 ? 'fila' : 'filas'} ${named}${all.length > MOST ? ` y ${number(all.length - MOST)} más` : ''}`;
};
const REASONS = { word: '', hidden: 'ocultas a mano o por un filtro:', titles: 'títulos repetidos:', empty: 'sin dirección ni producto:' };

/** Returns text such as «Order Status» dice Cancelled (filas 2, 5) · sin dirección ni producto: Total (fila 9). */
function reasonsOf(out: readonly LeftOut[]): string {
  const byColumn = Map.groupBy(out, ({ title, is }) => (is === 'word' ? `«${title}» dice` : REASONS[is]));
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

const outText: Record<Reason, [one: string, many: string]> = {
  word: ['1 fila queda fuera', 'filas quedan fuera'],
  hidden: ['1 fila oculta en la hoja queda fuera', 'filas ocultas en la hoja quedan fuera'],
  titles: ['1 fila repite los títulos', 'filas repiten los títulos'],
  empty: ['1 fila no es un pedido', 'filas no son pedidos'],
};

const includeLabel = (is: Reason, rows: number) =>
  `${rows === 1 ? 'Incluirla' : 'Incluirlas'}${is !== 'hidden' ? '' : rows === 1 ? ' aunque esté oculta' : ' aunque estén ocultas'}`;

/** Lists the content of the sheet that is not imported. */
export function LeftOutPanel({ of: { state, sheet, split, book, set }, onChooseTabs }: LeftOutPanelProps) {
  if (!state || !sheet) return null;
  const { titles, unread = [], included, lines } = state;
  const reasons = [...Map.groupBy(split.out, ({ is }) => is)];
  const unused = (titles ?? []).filter(
    (title, at) => title && !title.endsWith(HIDDEN) && !sheet.reading.columns[at] && lines.some(({ cells }) => cells[at]),
  );
  const covered = (titles ?? []).filter((title) => title.endsWith(HIDDEN));
  if ([reasons, unused, covered, unread].every((list) => list.length === 0)) return null;
  const bare = (title: string) => (title.endsWith(HIDDEN) ? title.slice(0, -HIDDEN.length) : title);
  return (
    <Panel title="No entra en los pedidos">
      <Stack gap="xs">
        {reasons.map(([is, out]) => (
          <FileQuestion
            key={is}
            text={out.length === 1 ? outText[is][0] : `${number(out.length)} ${outText[is][1]}`}
            detail={reasonsOf(out)}
            choices={is === 'titles' ? [] : [[includeLabel(is, out.length), () => set({ included: [...included, is] })]]}
          />
        ))}
        {covered.length > 0 && (
          <FileQuestion
            text={plural(covered.length, 'columna oculta no se lee', 'columnas ocultas no se leen')}
            detail={listOf(covered.map(bare))}
            choices={[[covered.length === 1 ? 'Leerla' : 'Leerlas', () => set({ titles: titles?.map(bare) ?? null })]]}
          />
        )}
        {unread.length > 0 && (
          <FileQuestion
            text={plural(unread.length, 'pestaña del libro no se lee', 'pestañas del libro no se leen')}
            detail={listOf(unread.map((tab) => `${tab.name}${tab.hidden ? HIDDEN : ''}`))}
            choices={book ? [['Elegir pestañas', onChooseTabs]] : []}
          />
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

type PacksProps = {
  packs: readonly Pack[] | undefined;
  unknown: readonly UnknownPack[];
  chosen: Readonly<Record<string, string>>;
  onChoose: (key: string, pack_id: string) => void;
};

/** Ambiguous pack texts, each resolved once for all its rows. */
export function PacksPanel({ packs, unknown, chosen, onChoose }: PacksProps) {
  if (!packs || unknown.length === 0) return null;
  return (
    <Panel title="Packs sin reconocer">
      <Text size="sm" c="dimmed" mb="sm">
        Elige qué pack es cada uno: vale para todas sus filas y se recuerda para la próxima vez.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {unknown.map(({ key, text, rows, guess }) => (
          <Stack key={key} gap={4} align="flex-start">
            <PackPicker
              packs={packs}
              like={text}
              label={`«${text}»`}
              description={`En ${plural(rows, 'fila')}`}
              value={packs.some(({ id }) => id === chosen[key]) ? (chosen[key] ?? null) : null}
              onChange={(id) => id && onChoose(key, id)}
              w="100%"
            />
            {guess && !chosen[key] && (
              <Button size="compact-xs" variant="light" onClick={() => onChoose(key, guess.id)}>
                Sí, es {packLabel(guess)}
              </Button>
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </Panel>
  );
}
