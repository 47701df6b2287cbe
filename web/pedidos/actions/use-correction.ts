import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';
import type { Named } from '../subject.tsx';
import { hasOutbox, outboxFor } from './outbox.ts';

type Values = Record<string, string | null>;
type CorrectedForm<V extends Values> = Pick<UseFormReturnType<V>, 'values' | 'setValues' | 'setErrors' | 'isDirty'>;

const jpegUrl = (photo: ArrayBuffer) => {
  let bytes = '';
  for (const byte of new Uint8Array(photo)) bytes += String.fromCharCode(byte);
  return `data:image/jpeg;base64,${btoa(bytes)}`;
};

/**
 * Restores a refused step into the carrier's form, with signature and photo, and shows the refusal at the fields. Returns the id of the refused
 * step, which the corrected step replaces. Closing the form without a correction reports the refusal to the office.
 */
export function useCorrection<V extends Values>(form: CorrectedForm<V>, pedido: Named): string | undefined {
  const actor = useSession();
  const [replaces, setReplaces] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is filled once for each order
  useEffect(() => {
    if (!hasOutbox(actor)) return undefined;
    let closed = false;
    let tell = () => {};
    void (async () => {
      const outbox = outboxFor(actor);
      const found = await outbox.correctable(pedido.id);
      const { form: typed = {}, fields = {} } = found?.step ?? {};
      // Skips a refused step of a different form of the same order.
      if (!found || closed || Object.keys(typed).some((name) => !(name in form.values))) return;
      form.setValues({ ...typed, ...(found.photo && { foto: jpegUrl(found.photo) }) } as Partial<V>);
      form.setErrors(fields);
      setReplaces(found.step.id);
      tell = () => void outbox.reportNow(found.step.id);
    })().catch(() => undefined);
    return () => {
      closed = true;
      tell();
    };
  }, [pedido.id]);
  return replaces;
}
