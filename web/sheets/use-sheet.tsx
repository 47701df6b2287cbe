import { Alert, Button, FileButton, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { number } from '../ui/format/format.ts';
import type { Use } from './headings.ts';
import { useKeptAnswers } from './kept.ts';
import { type Book, openFile } from './open-file.ts';
import { type Answers, hasAnswers, NO_ANSWERS } from './reading.ts';
import { type Table, tableOfTabs } from './table.ts';
import { TabsQuestion } from './tabs-question.tsx';

/**
 * A company's file of at most `most` rows: chosen, opened and asked about, with the answers kept for the next file of `origen`. `isKept`: an
 * earlier file of its format has been answered about.
 */
export function useSheet(uso: Use, origen: string, most: number) {
  const [table, setTable] = useState<Table>();
  const [tabs, setTabs] = useState<Book>();
  const [answers, setAnswers] = useState<Answers>(NO_ANSWERS);
  const [isKept, setIsKept] = useState(false);
  const [refused, setRefused] = useState('');
  const kept = useKeptAnswers(uso, origen);
  const widthOf = ({ lines }: Table) => lines[0]?.cells.length ?? 0;

  function take(found: Table) {
    const n = found.lines.length;
    setTabs(undefined);
    setRefused(
      n === 0
        ? 'Ese fichero no tiene filas: elige el que te ha dado la empresa.'
        : n > most
          ? `Ese fichero tiene ${number(n)} filas, y se leen ${number(most)} como máximo: divídelo.`
          : '',
    );
    setTable(n > 0 && n <= most ? found : undefined);
    const before = kept.answersFor(found.titles, widthOf(found));
    setAnswers(before);
    setIsKept(hasAnswers(before));
  }
  async function open(chosen: File | null) {
    if (!chosen) return;
    const opened = await openFile(chosen, kept.known);
    if ('error' in opened) {
      setTable(undefined);
      setRefused(opened.error);
    } else if ('ask' in opened) setTabs(opened.ask);
    else take(opened.table);
  }
  function answer(make: (answers: Answers) => Answers) {
    if (!table) return;
    const made = make(answers);
    setAnswers(made);
    kept.keep(table.titles, widthOf(table), made);
  }
  /** The button, and what is asked or refused about the file as a whole. */
  const choice = (busy: boolean): ReactNode => (
    <>
      <Group>
        <FileButton onChange={(chosen) => void open(chosen)} accept=".csv,.txt,.tsv,.xlsx">
          {(props) => (
            <Button {...props} variant={table ? 'default' : 'filled'} loading={busy || kept.loading}>
              {table ? 'Elegir otro fichero' : 'Elegir fichero'}
            </Button>
          )}
        </FileButton>
      </Group>
      {tabs && <TabsQuestion tabs={tabs.tabs} known={kept.known} onRead={(some) => take(tableOfTabs(tabs.tabs, some, kept.known))} />}
      {refused && (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
          {refused}
        </Alert>
      )}
    </>
  );
  return { table, answers, isKept, answer, choice };
}
