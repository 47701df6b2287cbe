import { Button } from '@mantine/core';
import { IconDownload, IconShare } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { toast } from '../ui/page/toast.tsx';
import classes from './pagar.module.css';

const TYPE = 'image/png';

/** QR code for banking apps (EPC069-12 requires error correction level M). */
export function Qr({ text, name }: { text: string; name: string }) {
  const [image, setImage] = useState<string>();
  useEffect(() => {
    let left = false;
    import('qrcode')
      .then((qr) => qr.toDataURL(text, { type: TYPE, errorCorrectionLevel: 'M', margin: 4, width: 480 }))
      .then(
        (url) => left || setImage(url),
        // Without the code, the details can still be copied.
        () => {},
      );
    return () => {
      left = true;
    };
  }, [text]);
  const file = image && new File([bytesOf(image)], `${name}.png`, { type: TYPE });
  return (
    <figure className={classes.qr}>
      {image ? <img src={image} alt="Código QR con los datos de la transferencia" /> : <span className={classes.drawing} />}
      <figcaption>
        Escanéalo con la app de tu banco y la transferencia se rellena sola. Si lo ves en el mismo teléfono, guárdalo y ábrelo desde la app.
      </figcaption>
      {file && (
        <div className={classes.keep}>
          <Button
            component="a"
            variant="default"
            mih={44}
            href={image}
            download={file.name}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Guardar el QR
          </Button>
          {navigator.canShare?.({ files: [file] }) && (
            <Button variant="default" mih={44} leftSection={<IconShare size={16} aria-hidden />} onClick={() => void share(file)}>
              Compartir el QR
            </Button>
          )}
        </div>
      )}
    </figure>
  );
}

const bytesOf = (image: string) => Uint8Array.from(atob(image.slice(image.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));

async function share(file: File) {
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // Closing the share sheet is not an error.
    if (!(error instanceof DOMException && error.name === 'AbortError')) toast.error('No se pudo compartir el QR');
  }
}
