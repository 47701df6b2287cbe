import '@mantine/core/styles/Alert.css';
import { Alert, Button, FileButton, Input, Stack, Text } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { withoutMetadata } from '../../../contract/pruebas/jpeg.ts';
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
            <Button variant="default" mih={48} leftSection={<IconCamera size={18} aria-hidden />} {...props} disabled={preparing}>
              {foto ? 'Hacer otra foto' : 'Hacer una foto'}
            </Button>
          )}
        </FileButton>
      </Stack>
    </Input.Wrapper>
  );
}

const MAX_SIDE = 1600;
const MAX_BYTES = 1_000_000;
const QUALITIES = [0.82, 0.6, 0.4];

const jpegOf = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob>((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('The photo is too large to draw'))), 'image/jpeg', quality),
  );

/** Returns a JPEG small enough to send, without metadata (place, device). Throws for a file that is not an image. */
export async function smallPhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  let bytes = new Uint8Array();
  for (const quality of QUALITIES) {
    bytes = new Uint8Array(withoutMetadata(new Uint8Array(await (await jpegOf(canvas, quality)).arrayBuffer())));
    if (bytes.length <= MAX_BYTES) break;
  }
  return new Blob([bytes], { type: 'image/jpeg' });
}
