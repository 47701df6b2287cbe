import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { USER_FIELDS } from '../../contract/users/fields.ts';

export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput maxLength={USER_FIELDS.password.max} visibilityToggleFocusable {...props} />;
}
