import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { registrarLoQuePaso } from '../../../contract/caja/caja.ts';
import { LLAMADO_LABEL } from '../../../contract/pedidos/attempts.ts';
import { describeEstado } from '../../../contract/pedidos/estados.ts';
import { pedidoLabel } from '../../../contract/pedidos/fields.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { happenedEarlier } from '../../../contract/pedidos/happened.ts';
import { companyLabel } from '../../../contract/pedidos/metodos.ts';
import { getHistorial, type HistoryEntry, type Intento, listIntentos } from '../../../contract/pedidos/pedidos.ts';
import { stepInPast } from '../../../contract/pedidos/words.ts';
import { can, ROLE_LABEL, ROLES } from '../../../contract/policy/policy.ts';
import { TIPO_LABEL } from '../../../contract/pruebas/fields.ts';
import { useApi, useMutate } from '../../api.ts';
import { type Commented, CommentForm, useComments } from '../../comentarios/comments.tsx';
import { useSession } from '../../session/session.ts';
import { agoWords, fecha, fechaHora, hora, money } from '../../ui/format/format.ts';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { Section } from '../../ui/page/panel.tsx';
import classes from './timeline.module.css';

const SHOWN = 8;

const FAILED = stepInPast(TRANSITIONS.fallar.label);
const SAME_MS = 60_000;

/** History and comments of an order, newest first; a carrier sees only the comments. */
export function OrderTimeline({ pedido }: { pedido: Commented & { motivo?: string | null | undefined } }) {
  const { id } = pedido;
  const actor = useSession();
  const [all, setAll] = useState(false);
  const reads = can(actor, 'pedido:history', pedido);
  const comments = useComments(pedido);
  const history = useApi(getHistorial, { params: { id } }, { enabled: reads });
  const attempts = useApi(listIntentos, { params: { id } }, { enabled: reads && !!pedido.motivo }).data?.data;
  if (!reads && !comments.may) return null;
  // The same step, which both record with a time of their own.
  const attemptOf = ({ accion, created_at, ocurrido_at }: HistoryEntry) =>
    accion === FAILED
      ? attempts?.find((attempt) => Math.abs(Date.parse(attempt.created_at) - Date.parse(ocurrido_at ?? created_at)) < SAME_MS)
      : undefined;
  const entries: { at: string; key: string; comment?: true; node: ReactNode }[] = [
    ...(history.data?.data ?? []).map((entry) => ({
      at: entry.created_at,
      key: entry.id,
      node: <Step entry={entry} attempt={attemptOf(entry)} />,
    })),
    // Attempts that the history does not hold.
    ...(attempts ?? [])
      .filter((attempt) => !history.data?.data.some((entry) => attemptOf(entry) === attempt))
      .map((attempt) => ({ at: attempt.created_at, key: attempt.id, node: <Attempt attempt={attempt} /> })),
    ...comments.written.map(({ at, key, author, texto }) => ({
      at,
      key,
      comment: true as const,
      node: <Comment {...{ at, author, texto }} />,
    })),
  ].sort((first, second) => second.at.localeCompare(first.at));
  const title = reads ? 'Historia y comentarios' : 'Comentarios';
  const failed = [
    [history, 'No se pudo cargar el historial'],
    [comments, 'No se pudieron cargar los comentarios'],
  ] as const;
  const waits = (reads && history.isPending) || comments.isLoading;
  return (
    <Section title={title} order={3} mb="xs">
      <Stack>
        {!comments.closed && comments.may && <CommentForm key={id} pedido={pedido} personas={comments.personas} />}
        {failed.map(
          ([{ error, data, refetch }, words]) =>
            error && !data && <ErrorState key={words} title={words} error={error} onRetry={() => void refetch()} />,
        )}
        {waits && !failed.some(([{ error }]) => error) && <Skeleton h={88} role="status" aria-label="Cargando el historial" />}
        {entries.length > 0 && (
          <ol className={classes.list} aria-label={title}>
            {(all ? entries : entries.slice(0, SHOWN)).map(({ key, comment, node }) => (
              <li key={key} data-comment={comment}>
                {node}
              </li>
            ))}
          </ol>
        )}
        {!all && entries.length > SHOWN && (
          <Button variant="subtle" size="compact-sm" style={{ alignSelf: 'start' }} onClick={() => setAll(true)}>
            Ver todo ({entries.length})
          </Button>
        )}
      </Stack>
    </Section>
  );
}

const roleOf = (role: string) => ROLES.find((known) => known === role);

function Comment({ at, author, texto }: { at: string; author: string; texto: string }) {
  return (
    <>
      <Text variant="detail">
        {author} · <Ago at={at} />
      </Text>
      <Text className={classes.text}>{texto}</Text>
    </>
  );
}

/** Details of a failed attempt: the call and the photos. */
const Details = ({ attempt: { llamado, fotos, created_at } }: { attempt: Intento }) => (
  <>
    {llamado && <Text>Llamó: {LLAMADO_LABEL[llamado].toLowerCase()}</Text>}
    <Pictures of={fotos.map((foto) => ({ tipo: 'foto', ...foto }))} at={created_at} what="del intento" />
  </>
);

const Attempt = ({ attempt }: { attempt: Intento }) => (
  <>
    <Comment at={attempt.created_at} author={`Intento fallido · ${attempt.transportista_nombre}`} texto={attempt.motivo} />
    <Details attempt={attempt} />
  </>
);

/** How long ago, with the full date under the pointer and for readers. */
const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={fechaHora(at)}>
    <VisuallyHidden>{fechaHora(at)}</VisuallyHidden>
    <span aria-hidden>{agoWords(at)}</span>
  </time>
);

/** A step in one grey line; changed fields are folded behind that line. */
function Step({ entry, attempt }: { entry: HistoryEntry; attempt: Intento | undefined }) {
  const role = roleOf(entry.actor_role);
  const { estado_anterior: before, estado_nuevo: after } = entry;
  const changes = Object.entries(entry.cambios);
  const line = (
    <Text variant="detail" component="span">
      <span className={classes.what}>{stepInPast(entry.accion)}</span>
      {after && (
        <>
          {' · '}
          {before && (
            <>
              {describeEstado(before).label} <Arrow />{' '}
            </>
          )}
          {describeEstado(after).label}
        </>
      )}
      {` · ${entry.actor_nombre}`}
      {role && ` (${ROLE_LABEL[role]})`} · <Ago at={entry.created_at} />
    </Text>
  );
  return (
    <>
      {changes.length === 0 ? (
        line
      ) : (
        <details className={classes.edit}>
          <summary>{line}</summary>
          {changes.map(([field, [from, to]]) => (
            <Text key={field} component="div" className={classes.text}>
              <Text span inherit c="dimmed">
                {pedidoLabel(field)}:{' '}
              </Text>
              <Shown field={field} value={from} none="no tenía" /> <Arrow /> <Shown field={field} value={to} none="ya no tiene" />
            </Text>
          ))}
        </details>
      )}
      <Times entry={entry} />
      {entry.nota && <Text className={classes.text}>«{entry.nota}»</Text>}
      {attempt && <Details attempt={attempt} />}
      <Pictures of={entry.pruebas ?? []} at={entry.created_at} what="del paso sin registrar" />
      {entry.sin_registrar && <Register entry={entry} amount={entry.sin_registrar} />}
    </>
  );
}

/** Button to record the money collected in a refused delivery. */
function Register({ entry: { id, actor_nombre }, amount }: { entry: HistoryEntry; amount: number }) {
  const save = useMutate(registrarLoQuePaso, { failure: 'No se pudo registrar' });
  return (
    <>
      <Text>
        {actor_nombre} cobró <strong>{money(amount)}</strong>, que no están en ninguna caja.
      </Text>
      <Button size="compact-md" variant="light" loading={save.isPending} onClick={() => save.mutate({ params: { id } })}>
        Registrar lo que pasó
      </Button>
    </>
  );
}

/** Signatures and photos of an attempt or a refused step, and which are missing. */
function Pictures({ of, at, what }: { of: NonNullable<HistoryEntry['pruebas']>; at: string; what: string }) {
  const missing = of.filter(({ enviada }) => !enviada).map(({ tipo }) => TIPO_LABEL[tipo].toLowerCase());
  return (
    <>
      {missing.length > 0 && <Text c="dimmed">Falta por llegar: {missing.join(', ')}</Text>}
      {of.map(
        ({ tipo, url }) =>
          url && (
            <a key={url} href={url} target="_blank" rel="noreferrer" className={classes.proof}>
              <img src={url} alt={`${TIPO_LABEL[tipo]} ${what}, ${fechaHora(at)}`} loading="lazy" />
            </a>
          ),
      )}
    </>
  );
}

/** Both times of a step that was sent long after it happened, and the telephone's time if the server adjusted it. */
function Times({ entry }: { entry: HistoryEntry }) {
  const { created_at, ocurrido_at, ocurrido_dicho } = entry;
  const sameDay = ocurrido_at && fecha(ocurrido_at) === fecha(created_at);
  const when = (at: string) => (sameDay ? hora(Date.parse(at)) : fechaHora(at));
  return (
    <>
      {ocurrido_at && happenedEarlier(entry) && (
        <Text fw={500}>
          Registrado a las {hora(Date.parse(created_at))}, ocurrió {sameDay ? 'a las' : 'el'} {when(ocurrido_at)}
        </Text>
      )}
      {ocurrido_dicho && <Text variant="detail">El teléfono decía {fechaHora(ocurrido_dicho)}: hora ajustada</Text>}
    </>
  );
}

const Arrow = () => <IconArrowRight size={14} aria-label="pasa a" role="img" style={{ verticalAlign: '-2px' }} />;

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function Shown({ field, value, none }: { field: string; value: string | null; none: string }) {
  if (!value) return none;
  if (field === 'fecha_estimada') return fecha(value);
  return INSTANT.test(value) ? fechaHora(value) : companyLabel(value);
}
