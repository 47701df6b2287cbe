import { TextInput, type TextInputProps } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { InDialog } from '../dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from './form-actions.tsx';

type Values = { motivo: string };

/** Values of `ReasonForm`; `problem` is the message for an empty reason. */
export const useReason = (problem = 'Indica el motivo') =>
  useForm<Values>({ initialValues: { motivo: '' }, validate: { motivo: (text) => (text.trim() ? null : problem) } });

type Props = Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'maxLength' | 'autoFocus'> & {
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

export function ReasonForm({ form, name, children, submit, busy, danger = true, dirty, onReason, onCancel, ...input }: Props) {
  const actions = { submit, busy, danger, dirty, onCancel };
  const field = { label: 'Motivo', maxLength: 300, required: true, 'data-autofocus': true, ...input, ...form.getInputProps('motivo') };
  return (
    <DialogForm {...actions} form={form} onSubmit={onValid(form, ({ motivo }) => onReason(motivo.trim()))} aria-label={name}>
      {children}
      {children ? <GrowingTextarea minRows={2} {...field} /> : <TextInput autoComplete="off" {...field} />}
    </DialogForm>
  );
}
