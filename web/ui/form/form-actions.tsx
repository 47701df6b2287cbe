import { Button, Group } from '@mantine/core';

type Props = {
  /** Label of the button that sends the form, and what it says while the answer is on its way. */
  submit: string;
  pending: string;
  busy: boolean;
  onCancel: () => void;
};

/** The foot of a form in a dialog. */
export function FormActions({ submit, pending, busy, onCancel }: Props) {
  return (
    <Group justify="flex-end" gap="xs" mt="xs">
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Cancelar
      </Button>
      <Button type="submit" disabled={busy}>
        {busy ? pending : submit}
      </Button>
    </Group>
  );
}
