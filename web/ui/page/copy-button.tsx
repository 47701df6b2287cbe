import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from './copy.ts';
import { toast } from './toast.tsx';
import type { ToastOptions } from './toasts.tsx';

/** Milliseconds for which a button says that it has copied. */
const SAID_MS = 2000;

/** Runs a copy; `copied` is whether it succeeded within the last two seconds. */
export function useCopied(copy: () => Promise<boolean>) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  async function start() {
    const done = await copy();
    clearTimeout(timer.current);
    setCopied(done);
    if (done) timer.current = setTimeout(() => setCopied(false), SAID_MS);
  }
  return { copied, run: () => void start() };
}

/** Copies `text`; a toast says if the browser refuses. */
export async function copyOr(text: string, refused: string, options?: ToastOptions): Promise<boolean> {
  const copied = await copyText(text);
  if (!copied) toast.error(refused, options);
  return copied;
}

type Props = Pick<ButtonProps, 'size' | 'className'> & {
  /** Copies and returns whether it succeeded; shows a failure itself. */
  copy: () => Promise<boolean>;
  children: string;
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
};

/** Button that copies, and says so itself. */
export function CopyButton({ copy, children, ...look }: Props) {
  const { copied, run } = useCopied(copy);
  const icon = <IconCopy size={look.size === 'xs' ? 14 : 16} aria-hidden />;
  return (
    <>
      <Button variant="default" leftSection={!copied && icon} onClick={run} {...look}>
        {copied ? 'Copiado ✓' : children}
      </Button>
      <VisuallyHidden aria-live="polite">{copied && 'Copiado'}</VisuallyHidden>
    </>
  );
}
