import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSessionStorage } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { addComentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { MAX_COMENTARIO } from '../../contract/comentarios/fields.ts';
import { can, ROLE_LABEL, ROLES } from '../../contract/policy/policy.ts';
import { useApi, useMutate } from '../api.ts';
import { draftName } from '../drafts.ts';
import { isComment } from '../outbox/operation.ts';
import { hasOutbox, type StepTexts, writeWords } from '../pedidos/actions/outbox.ts';
import { notStored } from '../pedidos/actions/use-carrier-step.ts';
import { useOperations } from '../pedidos/actions/use-operations.ts';
import type { Named } from '../pedidos/subject.tsx';
import { useSession } from '../session/session.ts';
import { GrowingTextarea } from '../ui/form/form-actions.tsx';

/** An order without customer data takes no more comments. */
type Sealed = { anonimizado_at?: string | null | undefined; bloqueado_at?: string | null | undefined };
export type Commented = Parameters<typeof can<'pedido:comment'>>[2] & Sealed & Named;

/** Comments on an order, with those that this device has not sent or read back yet. `closed`: the order takes no more comments. */
export function useComments(pedido: Commented) {
  const may = can(useSession(), 'pedido:comment', pedido);
  const { data, error, isLoading, refetch } = useApi(listComentarios, { params: { id: pedido.id } }, { enabled: may });
  const kept = useOperations().operations.filter((row) => row.pedido === pedido.id && isComment(row) && row.state !== 'rechazado');
  const written = [
    ...(data?.data ?? []).map(({ id, created_at, autor_nombre, autor_role, texto }) => {
      const role = ROLES.find((known) => known === autor_role);
      return { key: id, at: created_at, author: role ? `${autor_nombre} (${ROLE_LABEL[role]})` : autor_nombre, texto };
    }),
    ...kept.map(({ id, at, body, state }) => ({
      key: id,
      at,
      author: state === 'pendiente' ? 'Pendiente de enviar' : 'Enviado',
      texto: String(body.texto),
    })),
  ];
  const closed = !!pedido.anonimizado_at || !!pedido.bloqueado_at;
  return { may, closed, written, personas: data?.personas ?? [], data, error, isLoading, refetch };
}

/** Maximum number of names offered; typing narrows them. */
const NAMED = 6;

/** Field to write a comment; people to mention are offered while it is used. */
export function CommentForm({ pedido, personas }: { pedido: Named; personas: readonly string[] }) {
  const { id } = pedido;
  const actor = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, storeDraft] = useSessionStorage({
    key: draftName(actor.id, `-comentario-${id}`),
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const form = useForm({
    initialValues: { texto: draft },
    onValuesChange: ({ texto }) => storeDraft(texto),
    validate: { texto: (texto) => (texto.trim() ? null : 'Escribe el comentario') },
  });
  const empty = () => form.setFieldValue('texto', '');
  const failure = 'No se pudo guardar el comentario';
  const add = useMutate(addComentario, { form, failure, onSuccess: empty });
  const { write, writing } = useCarrierWords(pedido, { form, failure });
  const [used, setUsed] = useState(draft !== '');
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
    <form onSubmit={submit} noValidate aria-label="Comentar" onFocus={() => setUsed(true)}>
      <Stack gap="xs">
        <GrowingTextarea
          {...form.getInputProps('texto')}
          ref={field}
          label="Escribe un comentario"
          placeholder={personas.length ? 'Con @ y el nombre se avisa a esa persona' : undefined}
          minRows={used ? 2 : 1}
          maxRows={8}
          maxLength={MAX_COMENTARIO}
        />
        {used && (
          <Group justify="space-between">
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
        )}
      </Stack>
    </form>
  );

  // Replaces the partial name after the last @.
  function complete(name: string) {
    form.setFieldValue('texto', form.values.texto.replace(/@[^@\n]*$/, `@${name} `));
    field.current?.focus();
  }
}

/** Sends a carrier's comment on an order through the outbox. `write` resolves to false if the comment must be corrected or repeated. */
function useCarrierWords(pedido: Named, texts: StepTexts) {
  const actor = useSession();
  const [writing, setWriting] = useState(false);
  async function write(texto: string): Promise<boolean> {
    if (writing) return false;
    setWriting(true);
    try {
      return await writeWords(actor, pedido, texto, texts);
    } catch (error) {
      notStored(error, texts.failure);
      return false;
    } finally {
      setWriting(false);
    }
  }
  return { write, writing };
}
