import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { comprobarRespuesta, type Envio, type FilaLeida, leerRespuesta, listEnvios } from '../../contract/envios/envios.ts';
import { MAX_ENVIO, type Resultado } from '../../contract/envios/fields.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { MEANINGS } from '../../contract/sheets/words.ts';
import { plural } from '../../contract/text/plural.ts';
import { useMutate } from '../api.ts';
import { ColumnsPanel } from '../sheets/columns-panel.tsx';
import { FileQuestion, KnownWords, WordQuestions } from '../sheets/question.tsx';
import type { Answers } from '../sheets/reading.ts';
import type { Table } from '../sheets/table.ts';
import { useSheet } from '../sheets/use-sheet.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { number } from '../ui/format/format.ts';
import { ANSWER_LABELS, readAnswer } from './read-answer.ts';

const LIMIT = 120_000;
/** Maximum number of rows shown of each result. */
const SHOWN = 100;
const WORDS: Record<Resultado, readonly [one: string, many: string]> = {
  no_encaja: ['no se lee', 'no se leen'],
  incidencia: ['no entregado', 'no entregados'],
  en_camino: ['aún en camino', 'aún en camino'],
  completar: ['entregado', 'entregados'],
  igual: ['ya estaba', 'ya estaban'],
};
const RESULTS = Object.keys(WORDS) as Resultado[];
const OPTIONS = Object.entries(ANSWER_LABELS).map(([value, label]) => ({ value, label }));

/** Reads a company's answer file: choose, say what is not known, see what would happen, accept. */
export default function ReplyFileDialog({ envio, onClose }: { envio: Envio; onClose: () => void }) {
  const { table, answers, isKept, answer, choice } = useSheet('respuesta', envio.empresa, MAX_ENVIO);
  const [results, setResults] = useState<{ filas: unknown; rows: readonly FilaLeida[]; done?: string }>();
  const params = { id: envio.id };
  const { mutate: check, isPending } = useMutate(comprobarRespuesta, {
    success: false,
    failure: 'No se pudo comprobar el fichero',
    limit: LIMIT,
    onSuccess: ({ data }, { body }) => setResults({ filas: body.filas, rows: data }),
  });
  const accept = useMutate(leerRespuesta, {
    success: false,
    failure: 'No se pudo leer la respuesta',
    limit: LIMIT,
    invalidates: [listEnvios, listPedidos],
    onSuccess: ({ data, message }, { body }) => setResults({ filas: body.filas, rows: data, done: message }),
  });
  const read = useMemo(() => table && readAnswer(table, answers), [table, answers]);
  const filas = read?.ready ? read.filas : undefined;
  // Results of other answers say nothing of these.
  const seen = filas && results?.filas === filas ? results : undefined;
  const checking = useRef(check);
  checking.current = check;
  useEffect(() => {
    if (filas) checking.current({ params: { id: envio.id }, body: { filas } });
  }, [filas, envio.id]);

  const done = seen?.done;
  return (
    <Dialog opened onClose={onClose} title={`Respuesta de ${envio.empresa}`} size="xl">
      <Stack>
        {!table && <Text>Elige el fichero que te ha dado la empresa (Excel o CSV), con los números de seguimiento o las incidencias.</Text>}
        {!done && choice(isPending)}
        {table && read && !done && <Questions table={table} read={read} kept={isKept} onAnswer={answer} />}
        {seen && <Preview {...seen} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {done ? 'Cerrar' : 'Cancelar'}
          </Button>
          {filas && seen && !done && (
            <Button loading={accept.isPending} onClick={() => accept.mutate({ params, body: { filas } })}>
              Aceptar
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

type QuestionsProps = {
  table: Table;
  read: ReturnType<typeof readAnswer>;
  kept: boolean;
  onAnswer: (make: (answers: Answers) => Answers) => void;
};

function Questions({ table: { titles, lines }, read, kept, onAnswer }: QuestionsProps) {
  const { columns, asked, words, unsaid } = read;
  const missing = columns.includes('referencia') ? [] : [ANSWER_LABELS.referencia];
  const example = (row: number) =>
    lines
      .find(({ n }) => n === row)
      ?.cells.filter(Boolean)
      .slice(0, 3)
      .join(' · ') ?? '';
  return (
    <>
      <ColumnsPanel titles={titles} lines={lines} columns={columns} asked={asked} missing={missing} options={OPTIONS} onAnswer={onAnswer} />
      {missing.length === 0 && (
        <>
          <WordQuestions words={words} titles={titles} example={example} onAnswer={onAnswer} />
          {unsaid && (
            <FileQuestion
              text="El fichero no dice en qué estado está cada envío: ¿qué ha sido de ellos?"
              choices={Object.entries(MEANINGS.estado).map(([unsaid, label]) => [
                label,
                () => onAnswer((answers) => ({ ...answers, unsaid })),
              ])}
            />
          )}
          <KnownWords words={words} kept={kept} onAnswer={onAnswer} />
        </>
      )}
    </>
  );
}

/** What becomes of the orders, by result, with the rows behind each. */
function Preview({ rows, done }: { rows: readonly FilaLeida[]; done?: string }) {
  const byResult = Map.groupBy(rows, ({ resultado }) => resultado);
  const groups = RESULTS.flatMap((of) => {
    const these = byResult.get(of);
    return these ? [{ of, these, title: plural(these.length, ...WORDS[of]) }] : [];
  });
  return (
    <>
      <Text size="md" fw={600} aria-live="polite">
        {done ? `${done}: ` : ''}
        {groups.map(({ title }) => title).join(' · ')}
      </Text>
      {groups.map(({ of, these, title }) => (
        <details key={of} open={of !== 'igual'}>
          <Text component="summary" fw={600}>
            {title}
          </Text>
          <ul aria-label={`Filas: ${title}`}>
            {these.slice(0, SHOWN).map(({ fila, referencia, message }) => (
              <Text key={fila} component="li">
                <strong>{referencia}</strong>: {message}
              </Text>
            ))}
          </ul>
          {these.length > SHOWN && <Text>Y {number(these.length - SHOWN)} más.</Text>}
        </details>
      ))}
    </>
  );
}
