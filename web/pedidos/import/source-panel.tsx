import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { MAX_FILAS } from '../../../contract/pedidos/fields.ts';
import { type Book, openFile } from '../../sheets/open-file.ts';
import { type CountKnown, type Table, tableOfTabs, tableOfTexts } from '../../sheets/table.ts';
import { TabsQuestion } from '../../sheets/tabs-question.tsx';
import { splitCells } from '../../sheets/text-file.ts';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';

type Props = {
  /** Workbook whose tabs the person chooses again. */
  book: Book | undefined;
  known: CountKnown;
  onRead: (table: Table, file: string, book?: Book) => void;
};

export function SourcePanel({ book, known, onRead }: Props) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const [reading, setReading] = useState(false);
  const [asked, setAsked] = useState(book);
  const resetFile = useRef<() => void>(null);

  function take(table: Table, file: string, from?: Book) {
    const visible = table.lines.filter(({ hidden }) => !hidden).length;
    if (table.lines.length === 0) setError('No hay ninguna fila de pedidos. Copia también las filas que están bajo los títulos.');
    else if (visible > MAX_FILAS)
      setError(`Hay ${number(visible)} filas, y a la vez se crean ${number(MAX_FILAS)} como máximo: repártelas en varias veces.`);
    else onRead(table, file, from);
  }
  async function open(file: File | null | undefined) {
    if (!file) return;
    setError('');
    setAsked(undefined);
    setReading(true);
    const opened = await openFile(file, known);
    setReading(false);
    resetFile.current?.();
    if ('error' in opened) setError(opened.error);
    else if ('ask' in opened) setAsked(opened.ask);
    else take(opened.table, file.name, opened.book);
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    void open(event.dataTransfer.files[0]);
  }

  return (
    <Panel title="Pega los pedidos o elige un archivo" busy={reading}>
      <Stack gap="sm" onDragOver={(event: DragEvent) => event.preventDefault()} onDrop={drop}>
        <Textarea
          label="Filas de la hoja"
          description="Cópialas de tu hoja de cálculo, mejor con sus títulos, y pégalas aquí: se leen al momento."
          placeholder={'Cliente\tTeléfono\tDirección\tCP\tCiudad\tPack\tCantidad'}
          rows={9}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            // Intercepts a paste of several lines or columns; a single word is ordinary text.
            if (text.trim() || !/[\n\t;]/.test(pasted.trim())) return;
            event.preventDefault();
            setText(pasted);
            setError('');
            take(tableOfTexts(splitCells(pasted, known), known), '');
          }}
        />
        {asked && (
          <TabsQuestion tabs={asked.tabs} known={known} onRead={(read) => take(tableOfTabs(asked.tabs, read, known), asked.file, asked)} />
        )}
        {error && (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
            {error}
          </Alert>
        )}
        <Group gap="xs">
          <Button
            disabled={!text.trim() || reading}
            onClick={() => {
              setError('');
              take(tableOfTexts(splitCells(text, known), known), '');
            }}
          >
            Leer las filas
          </Button>
          <FileButton onChange={(file) => void open(file)} accept=".csv,.txt,.tsv,.xlsx" resetRef={resetFile}>
            {(props) => (
              <Button {...props} variant="default" loading={reading} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
                Elegir archivo
              </Button>
            )}
          </FileButton>
        </Group>
        <Text size="sm" c="dimmed">
          También puedes soltar aquí el archivo: Excel (.xlsx) o CSV, hasta {number(MAX_FILAS)} filas. Hacen falta el nombre, la dirección y
          el pack de cada pedido. No se crea nada hasta que todo esté bien.
        </Text>
      </Stack>
    </Panel>
  );
}
