import { Button, Group } from '@mantine/core';

type Props = {
  /** Label of the submit button; `pending` replaces it while saving. */
  submit: string;
  pending: string;
  busy: boolean;
  onCancel: () => void;
  /** Irreversible action: a red button, and «Volver» beside it, because «Cancelar» would be ambiguous. */
  danger?: boolean;
  cancel?: string;
};

/** Buttons of a form in a dialog. */
export function FormActions({ submit, pending, busy, onCancel, danger = false, cancel = danger ? 'Volver' : 'Cancelar' }: Props) {
  return (
    <Group justify="flex-end" gap="xs" mt="xs">
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      <Button type="submit" color={danger ? 'red' : undefined} disabled={busy}>
        {busy ? pending : submit}
      </Button>
    </Group>
  );
}
