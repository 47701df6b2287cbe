import { Button, Group, Stack, Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, type Ref, useImperativeHandle } from 'react';
import type { InDialog } from '../dialog/form-dialog.tsx';

type Props = {
  /** Label of the submit button; `pending` replaces it while saving. */
  submit: string;
  pending?: string;
  busy: boolean;
  onCancel: () => void;
  /** Irreversible action: a red button, and «Volver» beside it, because «Cancelar» would be ambiguous. */
  danger?: boolean;
  cancel?: string;
  /** Another button, before the submit button. */
  also?: ReactNode;
};

export function FormActions(props: Props) {
  const { submit, pending = 'Guardando...', busy, onCancel, danger = false, also, cancel = danger ? 'Volver' : 'Cancelar' } = props;
  return (
    <Group justify="flex-end" mt="xs">
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      {also}
      <Button type="submit" color={danger ? 'red' : undefined} disabled={busy}>
        {busy ? pending : submit}
      </Button>
    </Group>
  );
}

type FormProps = Props & {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** With `dirty` of the dialog: closing asks before changes of the form are lost, unless the form is being saved. */
  form?: { isDirty: () => boolean };
  dirty?: Ref<() => boolean>;
  gap?: 'xs' | 'sm' | 'md';
  autoComplete?: string;
  'aria-label'?: string;
  children: ReactNode;
};

/** Form in a dialog: fields below one another, and the buttons. */
export function DialogForm({ onSubmit, form, dirty, gap = 'sm', autoComplete, 'aria-label': label, children, ...actions }: FormProps) {
  useImperativeHandle(dirty, () => () => !!form?.isDirty() && !actions.busy);
  return (
    <form onSubmit={onSubmit} noValidate autoComplete={autoComplete} aria-label={label}>
      <Stack gap={gap}>
        {children}
        <FormActions {...actions} />
      </Stack>
    </form>
  );
}

export type FocusableForm = { getInputNode: (path: string) => HTMLElement | null };

/** Maximum number of frames to wait for a folded section to open for a field with an error. */
const PATIENCE = 12;

/** Focuses the first field with an error, once the form has rendered such a field. */
export function focusFirst(form: FocusableForm, errors: Record<string, unknown>, left = PATIENCE): void {
  requestAnimationFrame(() => {
    const nodes = Object.keys(errors).flatMap((field) => form.getInputNode(field) ?? []);
    if (nodes.length === 0 && left > 0) return focusFirst(form, errors, left - 1);
    nodes.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]?.focus();
  });
}

type Submit<V, T> = UseFormReturnType<V, T>['onSubmit'];

/** Submit handler of a form: calls `save` with its values, or focuses the first field with an error. */
export const onValid = <V, T>(
  form: FocusableForm & { onSubmit: Submit<V, T> },
  save: Parameters<Submit<V, T>>[0],
): ReturnType<Submit<V, T>> => form.onSubmit(save, (errors) => focusFirst(form, errors));

type GrowingTextareaProps = Omit<TextareaProps, 'autosize'> & { minRows?: number };

const heightOf = (rows: number) => `calc(${rows}lh + 2 * var(--input-padding-y) + 2px)`;

/** Grows with its text by `field-sizing`, else by Mantine's measuring, which lays out the page several times. */
export const GrowingTextarea = globalThis.CSS?.supports('field-sizing', 'content')
  ? ({ minRows = 1, maxRows, ...props }: GrowingTextareaProps) => (
      <Textarea
        {...props}
        styles={{
          input: {
            fieldSizing: 'content',
            resize: 'none',
            ...(minRows > 1 && { minHeight: heightOf(minRows) }),
            ...(maxRows && { maxHeight: heightOf(maxRows) }),
          },
        }}
      />
    )
  : (props: GrowingTextareaProps) => <Textarea {...props} autosize />;

type Values = { motivo: string };

/** Values of `ReasonForm`; `problem` is the message for an empty reason. */
export const useReason = (problem = 'Indica el motivo') =>
  useForm<Values>({ initialValues: { motivo: '' }, validate: { motivo: (text) => (text.trim() ? null : problem) } });

type ReasonFormProps = Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'maxLength' | 'autoFocus'> & {
  form: UseFormReturnType<Values>;
  name?: string;
  /** Says what the step does; the reason then has room for several lines. */
  children?: ReactNode;
  submit: string;
  busy: boolean;
  danger?: boolean;
  onReason: (motivo: string) => void;
  onCancel: () => void;
} & Partial<InDialog>;

export function ReasonForm({ form, name, children, submit, busy, danger = true, dirty, onReason, onCancel, ...input }: ReasonFormProps) {
  const actions = { submit, busy, danger, dirty, onCancel };
  const field = { label: 'Motivo', maxLength: 300, required: true, 'data-autofocus': true, ...input, ...form.getInputProps('motivo') };
  return (
    <DialogForm {...actions} form={form} onSubmit={onValid(form, ({ motivo }) => onReason(motivo.trim()))} aria-label={name}>
      {children}
      {children ? <GrowingTextarea minRows={2} {...field} /> : <TextInput autoComplete="off" {...field} />}
    </DialogForm>
  );
}
