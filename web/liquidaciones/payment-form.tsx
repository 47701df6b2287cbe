import { Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DayField } from '../ui/form/day-field.tsx';
import { today } from '../ui/format/format.ts';

export const usePaymentForm = () =>
  useForm({
    initialValues: { referencia: '', fecha: today() },
    validate: {
      referencia: (text) => (text.trim() ? null : 'Indica la referencia del pago'),
      fecha: (day) => (day ? null : 'Indica el día'),
    },
  });

export const PaymentFields = ({ form, example }: { form: ReturnType<typeof usePaymentForm>; example: string }) => (
  <Group gap="sm" grow align="start">
    <TextInput
      label="Referencia"
      placeholder={example}
      maxLength={120}
      autoComplete="off"
      required
      data-autofocus
      {...form.getInputProps('referencia')}
    />
    <DayField label="Día del pago" max={today()} required {...form.getInputProps('fecha')} />
  </Group>
);
