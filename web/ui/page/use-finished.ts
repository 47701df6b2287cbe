import { useEffect, useRef } from 'react';

/**
 * Calls back once for each record that was being made and is no longer. Returns how to name one that has just
 * been begun: it may be made before it was ever seen being made.
 */
export function useFinished<T extends { id: string; estado: string }>(
  records: readonly T[] | undefined,
  onFinished: (record: T) => void,
): (id: string) => void {
  const running = useRef(new Set<string>());
  useEffect(() => {
    for (const record of records ?? []) {
      if (record.estado === 'en_curso') running.current.add(record.id);
      else if (running.current.delete(record.id)) onFinished(record);
    }
  });
  return (id) => void running.current.add(id);
}
