import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, type Ref, useImperativeHandle } from 'react';

type Props = {
  /** Label of the submit button; `pending` replaces it while saving. */
  submit: string;
  pending?: string;
  busy: boolean;
  onCancel: () => void;
  /** Irreversible action: a red button, and «Volver» beside it, because «Cancelar» would be ambiguous. */
  danger?: boolean;
  cancel?: string;
};

export function FormActions(props: Props) {
  const { submit, pending = 'Guardando...', busy, onCancel, danger = false, cancel = danger ? 'Volver' : 'Cancelar' } = props;
  return (
    <Group justify="flex-end" mt="xs">
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
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
