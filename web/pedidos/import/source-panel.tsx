import { Alert, Button, Checkbox, FileButton, Group, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet, IconFiles } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { MAX_FILAS } from '../../../contract/pedidos/fields.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { useSession } from '../../session/session.ts';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import type { Import } from './draft.ts';
import { knownColumns } from './memory.ts';
import { cellsOf, decode, type Sheet, sheetOf, TooLarge } from './sheet.ts';
import { spread } from './spread.ts';
import { type Book, chooseTabs, type IsKnown, ordersIn, sheetOfTabs } from './tabs.ts';
import { isTarget, mayTarget, TARGETS, type Target, type Targets, targetLabel } from './target.ts';
import type { Tab } from './xlsx.ts';

type Props = {
  owner: string;
  /** Workbook whose tabs the person chooses again. */
  book: Book | undefined;
  onRead: (sheet: Sheet, file: string, book?: Book) => void;
};

const UNREADABLE = 'No se pudo leer el archivo. Guárdalo como Excel (.xlsx) o CSV y elígelo otra vez.';
const TOO_LARGE = 'El archivo ocupa demasiado: deja en él solo las filas de los pedidos.';
/** Far more than the rows of an import need; reading a larger file would freeze the browser. */
const MAX_BYTES = 20_000_000;
const ZIP = [0x50, 0x4b];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

async function read(file: File): Promise<{ cells: string[][] } | { tabs: Tab[] }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // A workbook is a zip file, whatever its name.
  if (ZIP.every((byte, i) => bytes[i] === byte)) return { tabs: await (await import('./xlsx.ts')).readBook(bytes) };
  // Refuses old and encrypted workbooks, and HTML pages that a program has named .xls.
  if (OLE.every((byte, i) => bytes[i] === byte)) throw new Error('a workbook of the old format');
  const text = decode(bytes);
  if (/^\s*<(?:!doctype|html|\?xml|table|meta|head|body|style|div)/i.test(text)) throw new Error('a page');
  return { cells: cellsOf(text) };
}

export function SourcePanel({ owner, book, onRead }: Props) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const [reading, setReading] = useState(false);
  const [asked, setAsked] = useState(book);
  const resetFile = useRef<() => void>(null);
  const isKnown = (titles: readonly string[]) => knownColumns(owner, titles, titles.length) !== undefined;

  function take(read: Sheet, file: string, from?: Book) {
    const sheet = spread(read);
    const visible = sheet.lines.filter(({ hidden }) => !hidden).length;
    if (sheet.lines.length === 0) setError('No hay ninguna fila de pedidos. Copia también las filas que están bajo los títulos.');
    else if (visible > MAX_FILAS)
      setError(`Hay ${number(visible)} filas, y a la vez se crean ${number(MAX_FILAS)} como máximo: repártelas en varias veces.`);
    else onRead(sheet, file, from);
  }
  function takeBook(from: Book) {
    const { read, ask } = chooseTabs(from.tabs, isKnown);
    if (ask) setAsked(from);
    else take(sheetOfTabs(from.tabs, read, isKnown), from.file, from);
  }
  async function open(file: File | null | undefined) {
    if (!file) return;
    if (file.size > MAX_BYTES) return setError(TOO_LARGE);
    setError('');
    setAsked(undefined);
    setReading(true);
    try {
      const found = await read(file);
      if ('tabs' in found) takeBook({ file: file.name, tabs: found.tabs });
      else take(sheetOf(found.cells, isKnown), file.name);
    } catch (cause) {
      setError(cause instanceof TooLarge ? TOO_LARGE : UNREADABLE);
    } finally {
      setReading(false);
      resetFile.current?.();
    }
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
            take(sheetOf(cellsOf(pasted), isKnown), '');
          }}
        />
        {asked && (
          <TabsQuestion book={asked} isKnown={isKnown} onRead={(read) => take(sheetOfTabs(asked.tabs, read, isKnown), asked.file, asked)} />
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
              take(sheetOf(cellsOf(text), isKnown), '');
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

type TabsQuestionProps = { book: Book; isKnown: IsKnown; onRead: (read: readonly Tab[]) => void };

/** Asks which tabs of a workbook are read; the visible ones with orders are proposed. */
function TabsQuestion({ book: { tabs }, isKnown, onRead }: TabsQuestionProps) {
  const [chosen, setChosen] = useState(() => chooseTabs(tabs, isKnown).read);
  const n = chosen.length;
  const described = (tab: Tab) => {
    const orders = ordersIn(tab, isKnown);
    const rows = orders === 0 ? 'sin pedidos a la vista' : orders === 1 ? '1 fila' : `${number(orders)} filas`;
    return `${tab.name} (${tab.hidden ? 'oculta, ' : ''}${rows})`;
  };
  return (
    <Alert color="blue" variant="light" icon={<IconFiles size={18} />} title="¿Qué pestañas del libro se leen?">
      <Stack gap="xs">
        {tabs.map((tab) => (
          <Checkbox
            key={tab.name}
            label={described(tab)}
            checked={chosen.includes(tab)}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              setChosen((now) => tabs.filter((each) => (each === tab ? checked : now.includes(each))));
            }}
          />
        ))}
        <Group gap="md">
          <Button size="xs" disabled={n === 0} onClick={() => onRead(chosen)}>
            {n === 1 ? `Leer ${chosen[0]?.name ?? ''}` : `Leer las ${number(n)} pestañas`}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

type ColumnsPanelProps = {
  state: Import;
  /** Required targets without a column. */
  missing: readonly Target[];
  onChange: (columns: Targets) => void;
  onToggleTitles: () => void;
};

/** Offers «Contra reembolso» to people with the permission. If the sheet uses the column anyway, the server explains its refusal. */
const optionsFor = (actor: SessionUser, columns: Targets) => [
  { value: '', label: 'No se usa' },
  ...TARGETS.filter(
    (target) => mayTarget(actor, target) && (target !== 'contra_reembolso' || actor.contra_reembolso || columns.includes(target)),
  ).map((target) => ({ value: target, label: targetLabel(target) })),
];
const SAMPLES = 3;

/** Panel to assign columns to fields. Starts collapsed if the sheet has headings and no required field is missing. */
export function ColumnsPanel({ state: { titles, columns, rows }, missing, onChange, onToggleTitles }: ColumnsPanelProps) {
  const options = optionsFor(useSession(), columns);
  const [wanted, setWanted] = useState(titles === null);
  const opened = wanted || missing.length > 0;
  const used = columns.filter(Boolean).length;
  const samples = (at: number) =>
    rows
      .flatMap(({ cells }) => cells[at] || [])
      .slice(0, SAMPLES)
      .join(' · ');
  return (
    <Panel
      title="Columnas"
      mb={opened ? 'xs' : 0}
      aside={
        missing.length === 0 && (
          <Button variant="default" size="xs" aria-expanded={opened} onClick={() => setWanted(!wanted)}>
            {opened ? 'Cerrar' : `Se usan ${used} de ${columns.length}: revisar`}
          </Button>
        )
      }
    >
      {opened && (
        <Stack gap="sm">
          {missing.length > 0 && (
            <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
              Di en qué columna está: {missing.map((target) => targetLabel(target).toLowerCase()).join(', ')}.
            </Alert>
          )}
          <Checkbox label="La primera fila son los títulos" checked={titles !== null} onChange={onToggleTitles} />
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4, xl: 6 }} spacing="sm">
            {columns.map((column, at) => (
              <Select
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
                key={at}
                label={titles?.[at] || `Columna ${at + 1}`}
                description={samples(at) || 'Vacía'}
                styles={{ description: { overflow: 'hidden', whiteSpace: 'nowrap', textOverflow: 'ellipsis' } }}
                data={options}
                value={column}
                allowDeselect={false}
                onChange={(value) => onChange(columns.map((each, i) => (i !== at ? each : isTarget(value) ? value : '')))}
              />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            Dos columnas del mismo campo se juntan, como la calle y su número. Se recuerda para la próxima hoja con estos títulos.
          </Text>
        </Stack>
      )}
    </Panel>
  );
}
