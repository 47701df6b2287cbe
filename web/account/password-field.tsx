import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { USER_FIELDS } from '../../contract/users/fields.ts';

export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput maxLength={USER_FIELDS.password.max} visibilityToggleFocusable {...props} />
);
