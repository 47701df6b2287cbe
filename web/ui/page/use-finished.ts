import { useEffect, useRef } from 'react';

/** Calls `onFinished` once per record that leaves `en_curso`. Returns a function that registers a record just started. */
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
