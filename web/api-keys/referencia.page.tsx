import { Badge, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import { useApi } from '../api.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { matches } from '../ui/list/local-list.ts';
import { SearchInput } from '../ui/list/search-input.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { Section } from '../ui/page/section.tsx';
import { answerOf, bodyOf, type Call, callsByTag, curlOf, type Description, isForKeys, type Row, rowsOf, typeOf } from './description.ts';
import classes from './referencia.module.css';

/** API reference, rendered from the API's OpenAPI description. */
export default function ReferenciaPage() {
  const [{ search }, set] = useSearchState({ search: '' });
  const query = useApi(getOpenapi, {}, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <>
      <PageHeader title="Referencia de la API" subtitle="Todo lo que otro programa puede pedir a Enruta. La descripción está en inglés." />
      <SearchInput value={search} onChange={(next) => set({ search: next })} placeholder="Buscar por dirección o palabra..." />
      <Loaded query={query} failed="No se pudo cargar la descripción" waiting={<Skeletons mt="lg" heights={[120, 240, 240]} />}>
        {(data) => <Calls description={data as Description} search={search} />}
      </Loaded>
    </>
  );
}

function Calls({ description, search }: { description: Description; search: string }) {
  const found = callsByTag(description)
    .map((tag) => ({ ...tag, calls: tag.calls.filter((call) => isFound(search, call)) }))
    .filter(({ calls }) => calls.length > 0);
  if (found.length === 0)
    return <EmptyState title="Nada coincide con la búsqueda" hint="Prueba con una palabra en inglés, o con parte de la dirección." />;
  return (
    <Stack gap="xl" mt="lg">
      {found.map(({ name, description: about, calls }) => (
        <Section key={name} title={name} mb={4}>
          <Text size="sm" c="dimmed" mb="xs" lang="en">
            {withCode(about)}
          </Text>
          <Paper withBorder>
            {calls.map((call) => (
              <OneCall key={call.operationId} call={call} description={description} />
            ))}
          </Paper>
        </Section>
      ))}
    </Stack>
  );
}

const isFound = (search: string, { method, path, operationId, summary, description, tags }: Call) =>
  matches(search, `${method} ${path} ${operationId} ${summary} ${description} ${tags}`);

function OneCall({ call, description }: { call: Call; description: Description }) {
  const [opened, setOpened] = useState(false);
  return (
    <details className={classes.call} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span className={classes.method}>{call.method}</span>
        <span className={classes.path}>{call.path}</span>
        <Text span size="sm" c="dimmed" lang="en">
          {withCode(call.summary)}
        </Text>
        {!isForKeys(call) && <Badge color="gray">Sin clave</Badge>}
      </summary>
      {opened && <Details call={call} description={description} />}
    </details>
  );
}

function Details({ call, description }: { call: Call; description: Description }) {
  const body = bodyOf(call);
  const answer = answerOf(call);
  const parameters = call.parameters.map(({ name, required = false, description: about = '', schema }) => ({
    name,
    type: typeOf(schema),
    required,
    description: about,
  }));
  return (
    <Stack gap="md" p="md" pt={0}>
      <Text size="sm" lang="en">
        {withCode(call.description)}
      </Text>
      <Facts title="Parámetros" rows={parameters} />
      {body && <Facts title={`Contenido: ${typeOf(body)}`} rows={rowsOf(description, body)} />}
      {answer && <Facts title={`Respuesta: ${typeOf(answer)}`} rows={rowsOf(description, answer)} />}
      <div>
        <Title order={3} size="sm" mb={4}>
          Ejemplo
        </Title>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus */}
        <pre className={classes.sample} tabIndex={0}>
          {curlOf(description, call, window.location.origin)}
        </pre>
      </div>
    </Stack>
  );
}

function Facts({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={3} size="sm" mb={4}>
        {title}
      </Title>
      <dl className={classes.facts}>
        {rows.map(({ name, type, required, description }) => (
          <Fact key={name} name={required ? `${name} (obligatorio)` : name} says={description ? `${type} · ${description}` : type} />
        ))}
      </dl>
    </div>
  );
}

function Fact({ name, says }: { name: string; says: string }) {
  return (
    <>
      <dt className={classes.path}>{name}</dt>
      <dd>{withCode(says)}</dd>
    </>
  );
}

/** Renders text between backticks as code. */
const withCode = (text: string): ReactNode =>
  text.split(/`([^`]+)`/).map((part, n) =>
    n % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <code key={n} className={classes.code}>
        {part}
      </code>
    ) : (
      part
    ),
  );
