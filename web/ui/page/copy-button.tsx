import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from './copy.ts';
import { type ToastOptions, toast } from './toast.tsx';

/** How long a button says that it has copied, in milliseconds. */
const SAID_MS = 2000;

/** Returns `run`, which starts a copy, and `copied`, true for two seconds after a successful copy. */
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

/** Copies `text`; shows a toast and returns false if the browser refuses. */
export async function copyOr(text: string, refused: string, options?: ToastOptions): Promise<boolean> {
  const copied = await copyText(text);
  if (!copied) toast.error(refused, options);
  return copied;
}

type Props = Pick<ButtonProps, 'size' | 'className'> & {
  /** Copies and returns true on success; reports a failure itself. */
  copy: () => Promise<boolean>;
  children: string;
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
};

/** Button that copies, and confirms the copy in its label. */
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
