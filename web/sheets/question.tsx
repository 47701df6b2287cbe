import { Button, Group, Select, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { MEANINGS, type WordKind } from '../../contract/sheets/words.ts';
import { number } from '../ui/format/format.ts';
import { type Answers, shownWord, type Word, withWord } from './reading.ts';

type Choice = readonly [label: string, choose: () => void];
type QuestionProps = { text: string; detail?: string; choices: readonly Choice[]; children?: ReactNode };

/** A question about a file, or something to know about it, with a button for each answer. */
export function FileQuestion({ text, detail, choices, children }: QuestionProps) {
  const id = useId();
  return (
    <Group role="group" aria-labelledby={id} gap="xs" justify="space-between">
      <div>
        <Text size="md" id={id} fw={500} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {detail && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {choices.map(([label, choose]) => (
          <Button key={label} size="xs" variant="default" onClick={choose}>
            {label}
          </Button>
        ))}
        {children}
      </Group>
    </Group>
  );
}

const meaningsOf = (kind: WordKind) => Object.entries(MEANINGS[kind]).map(([value, label]) => ({ value, label }));
/** Meanings with a button of their own; the others are in a list. */
const BUTTONS = 5;
/** Text such as 2 filas dicen «Enviado». */
const rowsWithWord = ({ rows, text }: Word) => {
  const quoted = text === '' ? 'nada' : shownWord(text);
  const no = text === '' ? 'no ' : '';
  return rows === 1 ? `1 fila ${no}dice ${quoted}` : `${number(rows)} filas ${no}dicen ${quoted}`;
};

type Props = { words: readonly Word[]; onAnswer: (make: (answers: Answers) => Answers) => void };
type WordProps = Props & { titles: readonly string[] | null; example: (row: number) => string };

/** Asks what each unknown word means: once for all its rows, and for later files of the same format. */
export function WordQuestions({ words, titles, example, onAnswer }: WordProps) {
  return words
    .filter(({ meaning }) => meaning === undefined)
    .map((word) => {
      const { kind, text, at, example: row } = word;
      const answer = (meaning: string) => onAnswer((answers) => withWord(answers, kind, text, meaning));
      const others = meaningsOf(kind).slice(BUTTONS);
      return (
        <FileQuestion
          key={`${kind} ${text}`}
          text={`${rowsWithWord(word)}${titles?.[at] ? ` en «${titles[at]}»` : ''}`}
          detail={`Por ejemplo, la fila ${row}: ${example(row)}`}
          choices={meaningsOf(kind)
            .slice(0, BUTTONS)
            .map(({ value, label }) => [label, () => answer(value)])}
        >
          {others.length > 0 && (
            <Select
              aria-label={`Otro significado de ${shownWord(text)}`}
              placeholder="Otra cosa…"
              size="xs"
              data={others}
              value={null}
              onChange={(value) => value && answer(value)}
            />
          )}
        </FileQuestion>
      );
    });
}

/** What the words of a file mean, known or answered, each to be changed. */
export function KnownWords({ words, kept, onAnswer }: Props & { kept: boolean }) {
  const known = words.filter(({ meaning }) => meaning !== undefined);
  if (known.length === 0) return null;
  return (
    <details>
      <Text component="summary" size="sm">
        {kept ? 'Como la última vez: ' : 'Así se entiende: '}
        {known
          .slice(0, 6)
          .map(
            ({ kind, text, meaning = '' }) =>
              `${shownWord(text)}, ${(MEANINGS[kind] as Record<string, string>)[meaning]?.toLowerCase() ?? ''}`,
          )
          .join(' · ')}
        {known.length > 6 && '…'} (cambiar)
      </Text>
      {known.map((word) => (
        <Select
          key={`${word.kind} ${word.text}`}
          label={rowsWithWord(word)}
          size="xs"
          mt="xs"
          maw={420}
          data={meaningsOf(word.kind)}
          value={word.meaning ?? ''}
          allowDeselect={false}
          onChange={(value) => value && onAnswer((answers) => withWord(answers, word.kind, word.text, value))}
        />
      ))}
    </details>
  );
}
