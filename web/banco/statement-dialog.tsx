import { Alert, Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { leerExtracto, type MovimientoLeido } from '../../contract/banco/banco.ts';
import { plural } from '../../contract/text/plural.ts';
import { useMutate } from '../api.ts';
import { ColumnsPanel } from '../sheets/columns-panel.tsx';
import { useKeptAnswers } from '../sheets/kept.ts';
import { type Book, openFile } from '../sheets/open-file.ts';
import { FileQuestion } from '../sheets/question.tsx';
import { type Answers, NO_ANSWERS } from '../sheets/reading.ts';
import { type Table, tableOfTabs } from '../sheets/table.ts';
import { TabsQuestion } from '../sheets/tabs-question.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { number } from '../ui/format/format.ts';
import { readStatement } from './read-statement.ts';
import { readBankSheet, STATEMENT_LABELS } from './sheet-columns.ts';
import { creditsIn, partsByDay } from './statement.ts';
import '@mantine/core/styles/Alert.css';

/** Movements sent at once, so that the bar moves. */
const PART = 500;
const LIMIT = 120_000;
const OPTIONS = Object.entries(STATEMENT_LABELS).map(([value, label]) => ({ value, label }));

type Total = { nuevos: number; conocidos: number; apuntados: number };

/** Reads a bank's file: choose, say what the columns of a sheet are, send, see what was booked. */
export default function StatementDialog({ iban, onClose }: { iban: string; onClose: () => void }) {
  const [file, setFile] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState('');
  const [sheet, setSheet] = useState<Table>();
  const [tabs, setTabs] = useState<Book>();
  const [sent, setSent] = useState<{ done: number; of: number }>();
  const [total, setTotal] = useState<Total>();
  const save = useMutate(leerExtracto, { success: false, failure: 'No se pudo leer el extracto', limit: LIMIT });
  const kept = useKeptAnswers('banco');

  async function send(name: string, formato: 'n43' | 'camt' | 'hoja', movimientos: readonly MovimientoLeido[]) {
    setSheet(undefined);
    if (movimientos.length === 0) return setFailed('Ese fichero no tiene ningún abono.');
    const extracto = crypto.randomUUID();
    const sum = { nuevos: 0, conocidos: 0, apuntados: 0 };
    let done = 0;
    setSent({ done, of: movimientos.length });
    try {
      for (const part of partsByDay(movimientos, PART)) {
        const { data } = await save.mutateAsync({ body: { extracto, fichero: name.slice(0, 200), formato, movimientos: part } });
        for (const key of ['nuevos', 'conocidos', 'apuntados'] as const) sum[key] += data[key];
        done += part.length;
        setSent({ done, of: movimientos.length });
      }
      setTotal(sum);
    } catch {
      setFailed('El extracto no se ha leído entero. Elígelo otra vez: lo que ya está no se apunta dos veces.');
    }
    setSent(undefined);
  }
  async function open(chosen: File | null) {
    if (!chosen) return;
    setFile(chosen.name);
    setFailed('');
    setTotal(undefined);
    setSheet(undefined);
    setTabs(undefined);
    setBusy(true);
    const read = await readStatement(chosen);
    const opened = 'formato' in read && read.formato === 'hoja' ? await openFile(chosen, kept.known) : undefined;
    setBusy(false);
    if ('error' in read) setFailed(read.error);
    else if (read.formato !== 'hoja') await send(chosen.name, read.formato, read.movimientos);
    else if (opened && 'error' in opened) setFailed(opened.error);
    else if (opened && 'ask' in opened) setTabs(opened.ask);
    else if (opened) setSheet(opened.table);
  }

  return (
    <Dialog opened onClose={onClose} title="Leer extracto del banco" size="xl" dismissible={!sent}>
      <Stack>
        {!total && (
          <Text>
            Descarga el extracto de la web de tu banco como Norma 43 (o Cuaderno 43) o camt.053; si no los tiene, como Excel o CSV. Da igual
            si repite días: nada se apunta dos veces.
          </Text>
        )}
        {!sent && (
          <Group>
            <FileButton onChange={(chosen) => void open(chosen)}>
              {(props) => (
                <Button {...props} loading={busy || kept.loading} variant={total || sheet ? 'default' : 'filled'}>
                  {file ? 'Elegir otro fichero' : 'Elegir fichero'}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
        {failed && (
          <Alert color="red" variant="light" role="alert">
            {failed}
          </Alert>
        )}
        {tabs && (
          <TabsQuestion
            tabs={tabs.tabs}
            known={kept.known}
            onRead={(some) => {
              setSheet(tableOfTabs(tabs.tabs, some, kept.known));
              setTabs(undefined);
            }}
          />
        )}
        {sheet && <SheetQuestions key={file} table={sheet} iban={iban} onRead={(movimientos) => void send(file, 'hoja', movimientos)} />}
        {sent && (
          <Stack gap="xs">
            <Text aria-live="polite">
              Leyendo {number(sent.done)} de {plural(sent.of, 'abono')}
            </Text>
            <progress value={sent.done} max={sent.of} aria-label="Abonos leídos" style={{ width: '100%' }} />
          </Stack>
        )}
        {total && <Done total={total} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={!!sent} onClick={onClose}>
            {total ? 'Cerrar' : 'Cancelar'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Done({ total: { nuevos, conocidos, apuntados } }: { total: Total }) {
  const wait = nuevos - apuntados;
  return (
    <div role="status">
      <Text size="md" fw={600}>
        {plural(nuevos, 'abono nuevo', 'abonos nuevos')}
        {conocidos > 0 && ` · ${plural(conocidos, 'ya estaba leído', 'ya estaban leídos')}`}
      </Text>
      {nuevos > 0 && (
        <Text>
          {apuntados > 0 && `${plural(apuntados, 'apuntado solo', 'apuntados solos')}. `}
          {wait > 0 && `${plural(wait, 'espera', 'esperan')} en la lista a que digas de qué es.`}
        </Text>
      )}
    </div>
  );
}

type QuestionsProps = { table: Table; iban: string; onRead: (movimientos: MovimientoLeido[]) => void };

/** Asks what the columns of a bank's sheet are, and keeps the answers for its next one. */
function SheetQuestions({ table, iban, onRead }: QuestionsProps) {
  const kept = useKeptAnswers('banco');
  const { titles, lines } = table;
  const width = lines[0]?.cells.length ?? 0;
  const [answers, setAnswers] = useState<Answers>(() => ({ ...NO_ANSWERS, ...kept.answersFor(titles, width) }));
  const [account, setAccount] = useState(iban);
  const { columns, asked, missing, date, movements, left } = useMemo(
    () => readBankSheet(table, answers, account),
    [table, answers, account],
  );
  function answer(make: (answers: Answers) => Answers) {
    const made = make(answers);
    setAnswers(made);
    kept.keep(titles, width, made);
  }
  const credits = creditsIn(movements);
  const ready = missing.length + asked.length === 0 && !date;
  return (
    <>
      <ColumnsPanel titles={titles} lines={lines} columns={columns} asked={asked} missing={missing} options={OPTIONS} onAnswer={answer} />
      {date && (
        <FileQuestion
          text={`¿«${date}» dice primero el día o el mes?`}
          choices={[
            ['El día', () => answer((now) => ({ ...now, monthFirst: false }))],
            ['El mes', () => answer((now) => ({ ...now, monthFirst: true }))],
          ]}
        />
      )}
      {!columns.includes('cuenta') && (
        <TextInput label="De qué cuenta es" maxLength={40} value={account} onChange={(event) => setAccount(event.currentTarget.value)} />
      )}
      {left.length > 0 && (
        <Text c="dimmed">
          Sin fecha o sin importe, y por eso fuera: {left.length === 1 ? 'la fila' : 'las filas'} {left.slice(0, 10).join(', ')}
          {left.length > 10 && '…'}
        </Text>
      )}
      <Group>
        <Button disabled={!ready || credits.length === 0} onClick={() => onRead(credits)}>
          {`Leer ${plural(credits.length, 'abono')}`}
        </Button>
      </Group>
    </>
  );
}
