import { Alert, Button, FileButton, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import Papa from 'papaparse';
import { useState } from 'react';
import { comprobarRespuesta, type Envio, type FilaLeida, leerRespuesta, listEnvios } from '../../contract/envios/envios.ts';
import { MAX_ENVIO, type Resultado } from '../../contract/envios/fields.ts';
import { RESPUESTA_TARGETS, type RespuestaTarget, respuestaColumns } from '../../contract/envios/respuesta.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { PEDIDO_FIELDS } from '../../contract/pedidos/fields.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { useMutate } from '../api.ts';
import { decode, sheetOf } from '../pedidos/import/sheet.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { number } from '../ui/format/format.ts';

const LIMIT = 120_000;
/** Maximum number of rows shown; rows that need attention come first. */
const SHOWN = 100;
const WORDS: Record<Resultado, readonly [one: string, many: string]> = {
  completar: ['entregado', 'entregados'],
  incidencia: ['no entregado', 'no entregados'],
  igual: ['ya estaba', 'ya estaban'],
  en_camino: ['aún en camino', 'aún en camino'],
  no_encaja: ['no es de este envío', 'no son de este envío'],
};
const ORDER = Object.keys(WORDS) as Resultado[];

/** Reads a company's answer file: choose, preview, accept. */
export default function ReplyFileDialog({ envio, onClose }: { envio: Envio; onClose: () => void }) {
  const [file, setFile] = useState<AnswerFile>();
  const [refused, setRefused] = useState('');
  const [seen, setSeen] = useState<{ rows: readonly FilaLeida[]; done?: string }>();
  const params = { id: envio.id };
  const check = useMutate(comprobarRespuesta, {
    success: false,
    failure: 'No se pudo comprobar el fichero',
    limit: LIMIT,
    onSuccess: ({ data }) => setSeen({ rows: data }),
  });
  const accept = useMutate(leerRespuesta, {
    success: false,
    failure: 'No se pudo leer la respuesta',
    limit: LIMIT,
    invalidates: [listEnvios, listPedidos],
    onSuccess: ({ data, message }) => setSeen({ rows: data, done: message }),
  });

  function use(answer: AnswerFile | undefined) {
    setFile(answer);
    setSeen(undefined);
    if (answer && answer.columns.referencia !== undefined) check.mutate({ params, body: { filas: filasOf(answer) } });
  }
  async function open(chosen: File | null) {
    if (!chosen) return;
    const answer = readAnswer(new Uint8Array(await chosen.arrayBuffer()));
    const tooLong = answer !== undefined && answer.rows.length > MAX_ENVIO;
    if (!answer) setRefused('Ese fichero no tiene filas: elige el CSV que te ha dado la empresa.');
    else if (tooLong)
      setRefused(`Ese fichero tiene ${number(answer.rows.length)} filas, y se leen ${number(MAX_ENVIO)} como máximo: divídelo.`);
    else setRefused('');
    use(tooLong ? undefined : answer);
  }

  return (
    <Dialog opened onClose={onClose} title={`Respuesta de ${envio.empresa}`} size="lg">
      <Stack>
        {!file && <Text>Elige el CSV que te ha dado la empresa, con los números de seguimiento o las incidencias.</Text>}
        {!seen?.done && (
          <Group>
            <FileButton onChange={(chosen) => void open(chosen)} accept=".csv,.txt,.tsv">
              {(props) => (
                <Button {...props} variant={file ? 'default' : 'filled'} loading={check.isPending}>
                  {file ? 'Elegir otro fichero' : 'Elegir fichero'}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
        {refused && (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
            {refused}
          </Alert>
        )}
        {file && !seen?.done && <Columns file={file} onChange={(columns) => use({ ...file, columns })} />}
        {seen && <Preview {...seen} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {seen?.done ? 'Cerrar' : 'Cancelar'}
          </Button>
          {file && seen && !seen.done && (
            <Button loading={accept.isPending} onClick={() => accept.mutate({ params, body: { filas: filasOf(file) } })}>
              Aceptar
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Columns({ file, onChange }: { file: AnswerFile; onChange: (columns: AnswerFile['columns']) => void }) {
  const data = [
    { value: '', label: 'No se usa' },
    ...file.titles.map((title, i) => ({ value: String(i), label: title || `Columna ${i + 1}` })),
  ];
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      {TARGETS.map((target) => (
        <Select
          key={target}
          label={RESPUESTA_TARGETS[target]}
          data={data}
          value={String(file.columns[target] ?? '')}
          error={target === 'referencia' && file.columns.referencia === undefined ? 'Di en qué columna está' : undefined}
          onChange={(value) => {
            const { [target]: _, ...others } = file.columns;
            onChange(value ? { ...others, [target]: Number(value) } : others);
          }}
        />
      ))}
    </SimpleGrid>
  );
}

function Preview({ rows, done }: { rows: readonly FilaLeida[]; done?: string }) {
  const counts = ORDER.flatMap((of) => {
    const n = rows.filter(({ resultado }) => resultado === of).length;
    return n ? `${number(n)} ${WORDS[of][n === 1 ? 0 : 1]}` : [];
  });
  const shown = rows.toSorted((a, b) => ORDER.indexOf(b.resultado) - ORDER.indexOf(a.resultado));
  return (
    <>
      <Text size="md" fw={600} aria-live="polite">
        {done ? `${done}: ` : ''}
        {counts.join(' · ')}
      </Text>
      <ul aria-label="Filas de la respuesta">
        {shown.slice(0, SHOWN).map(({ fila, referencia, message }) => (
          <Text key={fila} component="li">
            <strong>{referencia}</strong>: {message}
          </Text>
        ))}
      </ul>
      {shown.length > SHOWN && <Text>Y {number(shown.length - SHOWN)} más.</Text>}
    </>
  );
}

/** Headings and rows of an answer, with the columns recognised or chosen. */
type AnswerFile = { titles: string[]; rows: string[][]; columns: Partial<Record<RespuestaTarget, number>> };

const known = (titles: readonly string[]) => respuestaColumns(titles).referencia !== undefined;

/** Parses a company's answer file; undefined if the file has no rows. */
function readAnswer(bytes: Uint8Array): AnswerFile | undefined {
  const text = decode(bytes).replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(text, { delimitersToGuess: [';', '\t', '|', ','], skipEmptyLines: 'greedy' });
  const { titles, lines } = sheetOf(data, known);
  const [first, ...rest] = titles ? [titles, ...lines.map(({ cells }) => cells)] : lines.map(({ cells }) => cells);
  return first && rest.length ? { titles: first, rows: rest, columns: respuestaColumns(first) } : undefined;
}

/** Rows in the server's format, without rows that have no reference. */
function filasOf({ rows, columns }: AnswerFile): BodyIn<typeof leerRespuesta>['filas'] {
  const cell = (row: string[], target: RespuestaTarget, max: number) =>
    (columns[target] === undefined ? '' : (row[columns[target]] ?? '')).slice(0, max);
  return rows
    .map((row) => ({
      referencia: cell(row, 'referencia', 80),
      // Cuts one character above the server's limit, so that the server refuses a long number instead of storing a part.
      seguimiento: cell(row, 'seguimiento', PEDIDO_FIELDS.numero_seguimiento.max + 1),
      estado: cell(row, 'estado', 300),
    }))
    .filter(({ referencia }) => referencia);
}

const TARGETS = Object.keys(RESPUESTA_TARGETS) as RespuestaTarget[];
