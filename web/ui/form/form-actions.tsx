import { Button, Group } from '@mantine/core';

type Props = {
  /** Label of the button that sends the form, and what it says while the answer is on its way. */
  submit: string;
  pending: string;
  busy: boolean;
  onCancel: () => void;
  /** Sends what is not taken back: red, and the other button says «Volver», as «Cancelar» would mean both. */
  danger?: boolean;
  cancel?: string;
};

/** The foot of a form in a dialog. */
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
