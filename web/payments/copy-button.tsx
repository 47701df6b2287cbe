import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { copyText } from '../ui/page/copy.ts';
import { toast } from '../ui/page/toast.tsx';
import classes from './pagar.module.css';

/** Button that copies `text`. */
export function CopyButton({ name, text }: { name: string; text: string }) {
  async function onCopy() {
    if (await copyText(text)) toast.success(`${name} copiado`);
    else toast.error(`No se pudo copiar: ${name}`);
  }
  // Abbreviations keep their capitals.
  const words = /^[A-Z]+$/.test(name) ? name : name.toLowerCase();
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.copy}
      leftSection={<IconCopy size={14} aria-hidden />}
      onClick={() => void onCopy()}
    >
      Copiar {words}
    </Button>
  );
}
