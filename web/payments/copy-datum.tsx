import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import classes from './pagar.module.css';

/** Button that copies one datum of a transfer. */
export function CopyDatum({ name, text }: { name: string; text: string }) {
  // Abbreviations keep their capitals.
  const words = /^[A-Z]+$/.test(name) ? name : name.toLowerCase();
  return (
    <CopyButton copy={() => copyOr(text, `No se pudo copiar: ${name}`)} size="xs" className={classes.copy ?? ''}>
      {`Copiar ${words}`}
    </CopyButton>
  );
}
