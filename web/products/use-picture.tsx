import { Button, FileButton, Group, Input } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Product, setPicture } from '../../contract/products/products.ts';
import { useMutate } from '../api.ts';
import { shrink } from '../ui/form/shrink.ts';
import { Picture } from './picture.tsx';

/** Picture of a product form; `save` sends a changed picture, after the product is saved. */
export function usePicture(product: Product | undefined) {
  // Chosen picture in base64; null removes the picture, undefined keeps it.
  const [chosen, setChosen] = useState<string | null>();
  const [error, setError] = useState('');
  const reset = useRef<() => void>(null);
  const send = useMutate(setPicture, { success: false, failure: 'No se pudo guardar la imagen' });
  const shown = chosen === undefined ? (product?.picture ?? null) : chosen && `data:image/jpeg;base64,${chosen}`;

  function choose(picture: string | null, problem = '') {
    reset.current?.();
    setError(problem);
    if (!problem) setChosen(picture);
  }
  const read = (file: File | null) =>
    file && shrink(file).then(choose, () => choose(null, 'No se pudo leer la imagen. Elige una foto JPG, PNG o WebP.'));

  return {
    changed: chosen !== undefined,
    saving: send.isPending,
    save: async (id: string) => {
      // The toast has reported the failure; the product itself is saved.
      if (chosen !== undefined) await send.mutateAsync({ params: { id }, body: { picture: chosen } }).catch(() => undefined);
    },
    field: (
      <Input.Wrapper label="Imagen" labelElement="div" description="Se ve al elegir el pack de un pedido" error={error}>
        <Group gap="sm" mt={6}>
          <Picture of={shown} size={56} />
          <FileButton accept="image/*" onChange={(file) => void read(file)} resetRef={reset}>
            {(props) => (
              <Button {...props} variant="default" size="xs">
                {shown ? 'Cambiar imagen' : 'Elegir imagen'}
              </Button>
            )}
          </FileButton>
          {shown && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => choose(null)}>
              Quitar imagen
            </Button>
          )}
        </Group>
      </Input.Wrapper>
    ),
  };
}
