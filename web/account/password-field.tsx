import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password that can be looked at. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      maxLength={200}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Mostrar u ocultar la contraseña' }}
      {...props}
    />
  );
}
