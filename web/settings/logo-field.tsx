import { Button, FileButton, Group, Input } from '@mantine/core';
import { useRef, useState } from 'react';
import { getSettings, setLogo } from '../../contract/settings/settings.ts';
import { useMutate } from '../api.ts';
import { shrink } from '../ui/form/shrink.ts';
import classes from './settings.module.css';

/** Logo of the business, saved as soon as it is chosen. The browser shrinks the logo and gives it a white background, like paper. */
export function LogoField({ logo }: { logo: string | null }) {
  const [error, setError] = useState('');
  const reset = useRef<() => void>(null);
  const send = useMutate(setLogo, { failure: 'No se pudo guardar el logo', invalidates: [getSettings] });
  const give = (chosen: string | null) => send.mutate({ body: { logo: chosen } });
  const read = (file: File | null) => {
    if (!file) return;
    reset.current?.();
    setError('');
    void shrink(file).then(give, () => setError('No se pudo leer la imagen. Elige un logo en JPG, PNG o WebP.'));
  };
  return (
    <Input.Wrapper label="Logo" labelElement="div" description="Sale en tus papeles y en la página de pago del cliente" error={error}>
      <Group gap="sm" mt={6}>
        {logo && <img className={classes.logo} src={logo} alt="Logo de la empresa" />}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={read} resetRef={reset}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={send.isPending}>
              {logo ? 'Cambiar logo' : 'Elegir logo'}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" color="gray" size="xs" disabled={send.isPending} onClick={() => give(null)}>
            Quitar logo
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
