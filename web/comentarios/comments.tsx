import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSessionStorage } from '@mantine/hooks';
import { useRef } from 'react';
import { addComentario, type Comentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { MAX_COMENTARIO } from '../../contract/comentarios/fields.ts';
import { can, ROLE_LABEL, ROLES } from '../../contract/policy/policy.ts';
import { useApi, useMutate } from '../api.ts';
import { draftName } from '../drafts.ts';
import { isComment, type Operation } from '../outbox/operation.ts';
import { hasOutbox } from '../pedidos/actions/outbox.ts';
import { useCarrierWords } from '../pedidos/actions/use-carrier-words.ts';
import { useOperations } from '../pedidos/actions/use-operations.ts';
import type { Named } from '../pedidos/subject.tsx';
import { useSession } from '../session/session.ts';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';
import { fechaHora } from '../ui/format/format.ts';
import { ErrorState } from '../ui/list/error-state.tsx';
import { Section } from '../ui/page/section.tsx';
import classes from './comments.module.css';

/** An order without customer data takes no more comments. */
type Sealed = { anonimizado_at?: string | null | undefined; bloqueado_at?: string | null | undefined };
type Props = { pedido: Parameters<typeof can<'pedido:comment'>>[2] & Sealed & Named };

export default function Comments({ pedido }: Props) {
  const actor = useSession();
  return can(actor, 'pedido:comment', pedido) ? (
    <Written pedido={pedido} closed={!!pedido.anonimizado_at || !!pedido.bloqueado_at} />
  ) : null;
}

function Written({ pedido, closed }: { pedido: Named; closed: boolean }) {
  const { id } = pedido;
  const { data, error, refetch } = useApi(listComentarios, { params: { id } });
  const kept = useOperations().operations.filter((one) => one.pedido === id && isComment(one) && one.state !== 'rechazado');
  return (
    <Section title="Comentarios" order={3} mb="sm">
      <Stack gap="sm">
        {error && !data && <ErrorState title="No se pudieron cargar los comentarios" error={error} onRetry={() => void refetch()} />}
        {!error && !data && <Skeleton h={48} role="status" aria-label="Cargando..." />}
        {(data?.data.length ?? 0) + kept.length > 0 && (
          <ul className={classes.list} aria-label="Comentarios">
            {data?.data.map((comentario) => (
              <One key={comentario.id} comentario={comentario} />
            ))}
            {kept.map((act) => (
              <Kept key={act.id} operation={act} />
            ))}
          </ul>
        )}
        {!closed && <CommentForm key={id} pedido={pedido} personas={data?.personas ?? []} />}
        {closed && data?.data.length === 0 && (
          <Text size="sm" c="dimmed">
            No hay comentarios.
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function One({ comentario: { autor_nombre, autor_role, texto, created_at } }: { comentario: Comentario }) {
  const role = ROLES.find((known) => known === autor_role);
  return (
    <li className={classes.one}>
      <Text size="xs" c="dimmed">
        {autor_nombre}
        {role && ` (${ROLE_LABEL[role]})`} · <time dateTime={created_at}>{fechaHora(created_at)}</time>
      </Text>
      <Text size="sm" className={classes.text}>
        {texto}
      </Text>
    </li>
  );
}

/** A comment that is unsent, or sent but not in the loaded list yet. */
const Kept = ({ operation: { at, body, state } }: { operation: Operation }) => (
  <li className={classes.one}>
    <Text size="xs" c="dimmed">
      {state === 'pendiente' && 'Pendiente de enviar · '}
      <time dateTime={at}>{fechaHora(at)}</time>
    </Text>
    <Text size="sm" className={classes.text}>
      {String(body.texto)}
    </Text>
  </li>
);

/** Maximum number of names offered; typing narrows them. */
const NAMED = 6;

function CommentForm({ pedido, personas }: { pedido: Named; personas: readonly string[] }) {
  const { id } = pedido;
  const actor = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, keep] = useSessionStorage({
    key: draftName(actor.id, `-comentario-${id}`),
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const form = useForm({
    initialValues: { texto: draft },
    onValuesChange: ({ texto }) => keep(texto),
    validate: { texto: (texto) => (texto.trim() ? null : 'Escribe el comentario') },
  });
  const empty = () => form.setFieldValue('texto', '');
  const failure = 'No se pudo guardar el comentario';
  const add = useMutate(addComentario, { form, failure, onSuccess: empty });
  const { write, writing } = useCarrierWords(pedido, { form, failure });
  const busy = add.isPending || writing;
  const submit = form.onSubmit(({ texto }) => {
    if (hasOutbox(actor)) void write(texto).then((done) => done && empty());
    else add.mutate({ params: { id }, body: { texto } });
  });
  const call = (name: string) => {
    const { texto } = form.values;
    form.setFieldValue('texto', `${texto}${texto && !/\s$/.test(texto) ? ' ' : ''}@${name} `);
    field.current?.focus();
  };
  const typed = form.values.texto.match(/@([^@\n]*)$/)?.[1]?.toLowerCase();
  const offered = personas.filter((name) => !form.values.texto.includes(`@${name}`));
  const named = (typed ? offered.filter((name) => name.toLowerCase().startsWith(typed)) : offered).slice(0, NAMED);
  return (
    <form onSubmit={submit} noValidate aria-label="Comentar">
      <Stack gap="xs">
        <GrowingTextarea
          {...form.getInputProps('texto')}
          ref={field}
          label="Escribe un comentario"
          placeholder={personas.length ? 'Con @ y el nombre se avisa a esa persona' : undefined}
          minRows={2}
          maxRows={8}
          maxLength={MAX_COMENTARIO}
        />
        <Group justify="space-between" gap="xs">
          <Group gap={4}>
            {named.map((name) => (
              <Button
                key={name}
                size="compact-sm"
                variant="subtle"
                aria-label={`Avisar a ${name}`}
                onClick={() => (typed === undefined ? call(name) : complete(name))}
              >
                @{name}
              </Button>
            ))}
          </Group>
          <Button type="submit" variant="default" disabled={busy}>
            {busy ? 'Guardando...' : 'Comentar'}
          </Button>
        </Group>
      </Stack>
    </form>
  );

  // Replaces the partial name after the last @.
  function complete(name: string) {
    form.setFieldValue('texto', form.values.texto.replace(/@[^@\n]*$/, `@${name} `));
    field.current?.focus();
  }
}
