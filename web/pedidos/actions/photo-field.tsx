import { Alert, Button, FileButton, Input, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Alert.css';
import { IconCamera } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { smallPhoto } from './photo.ts';
import classes from './proof.module.css';

type Props = {
  /** Data URL of the reduced JPEG without metadata; empty without a photo. */
  value: string;
  onChange: (photo: string) => void;
  /** True while a taken photo is being reduced; the form cannot be sent meanwhile. */
  preparing: boolean;
  onPreparing: (preparing: boolean) => void;
  label: string;
  /** Subject of the photo, in Spanish; by default the parcel at its final place. */
  subject?: string;
  error?: ReactNode;
};

const dataUrlOf = (photo: Blob) =>
  new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(photo);
  });

export function PhotoField({ value: foto, onChange, preparing, onPreparing, label, subject = 'el paquete donde queda', error }: Props) {
  const [problem, setProblem] = useState('');
  async function take(file: File | null) {
    if (!file) return;
    onPreparing(true);
    try {
      onChange(await dataUrlOf(await smallPhoto(file)));
      setProblem('');
    } catch {
      setProblem('No se pudo leer la foto. Hazla otra vez.');
    } finally {
      onPreparing(false);
    }
  }
  return (
    <Input.Wrapper label={label} labelElement="div" error={problem || error}>
      <Stack gap="xs" mt={4} align="flex-start">
        <Alert color="yellow" p="xs" role="note">
          Fotografía {subject}, nunca un DNI ni a una persona.
        </Alert>
        {foto && <img src={foto} alt="La foto que se enviará" className={classes.photo} />}
        <Text role="status">{preparing && 'Preparando la foto…'}</Text>
        <FileButton accept="image/*" capture="environment" onChange={(file) => void take(file)} inputProps={{ 'aria-label': label }}>
          {(props) => (
            <Button variant="default" mih={44} leftSection={<IconCamera size={18} aria-hidden />} {...props} disabled={preparing}>
              {foto ? 'Hacer otra foto' : 'Hacer una foto'}
            </Button>
          )}
        </FileButton>
      </Stack>
    </Input.Wrapper>
  );
}
