import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';
import type { Named } from '../subject.tsx';
import { hasOutbox, outboxParts } from './outbox-parts.ts';

type Values = Record<string, string | null>;
type CorrectedForm<V extends Values> = Pick<UseFormReturnType<V>, 'values' | 'setValues' | 'setErrors' | 'isDirty'>;

const jpegUrl = (photo: ArrayBuffer) => {
  let bytes = '';
  for (const byte of new Uint8Array(photo)) bytes += String.fromCharCode(byte);
  return `data:image/jpeg;base64,${btoa(bytes)}`;
};

/**
 * Fills a carrier's form with what was typed, drawn and photographed in the refused step that the form can correct, and shows the
 * refusal at its fields. Returns the id of that step, which the corrected one replaces. Closed without correcting, the office is told.
 */
export function useCorrection<V extends Values>(form: CorrectedForm<V>, pedido: Named): string | undefined {
  const actor = useSession();
  const [replaces, setReplaces] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled once for each order
  useEffect(() => {
    if (!hasOutbox(actor)) return undefined;
    let closed = false;
    let tell = () => {};
    void (async () => {
      const outbox = (await outboxParts.get()).outboxFor(actor);
      const found = await outbox.correctable(pedido.id);
      const { form: typed = {}, fields = {} } = found?.step ?? {};
      // Another form of the same order has other fields.
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
